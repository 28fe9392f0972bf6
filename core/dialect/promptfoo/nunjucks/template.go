// Package nunjucks fills in the templates of promptfoo, which are of Nunjucks 3.2, with a library for
// those of Jinja.
//
// The two differ in what values are. [Parse] therefore rewrites tags: what is printed, tested, iterated
// or set goes through a function of ours first, which does as JavaScript does. It also bounds what a template
// may take, and keeps it from the clock. What still differs:
//
//   - the keys of a mapping are in the order of the alphabet;
//   - macros, blocks, imports, the user's own filters, and filters of Nunjucks that Jinja does not have, are errors;
//   - a text is compared with a number, or a number with a text, as in JavaScript only if the right side is not a variable;
//   - of JavaScript's methods there are only toUpperCase, toLowerCase, trim and join;
//   - within `and`, `or`, `not` and an inline `if`, empty lists and mappings are false;
//   - division by zero gives 0, and so does arithmetic with texts that are no variables.
package nunjucks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/ardanlabs/jinja"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Limits of one template.
const (
	maxTag   = 4000    // bytes of a tag
	maxDepth = 100     // blocks within each other
	maxWork  = 1 << 26 // bytes that are printed, set or tested, and those of the template for each turn of a loop
)

var errTooMuch = errors.New("the template takes too much time or memory")

// Template is a template that has been read.
type Template struct {
	compiled *jinja.Template
	names    []string // of variables that it reads
	assigned []string // of variables that it sets
	tested   []string // of variables that may be missing: it tests them, or has a default for them
	texts    []any    // between its tags
	size     int
}

// Names returns the variables that the template reads and does not set, in the order of the text.
func (t *Template) Names() []string {
	return slices.DeleteFunc(slices.Clone(t.names), func(name string) bool { return slices.Contains(t.assigned, name) })
}

// Required returns those of [Template.Names] that the template neither tests nor has a default for.
func (t *Template) Required() []string {
	return slices.DeleteFunc(t.Names(), func(name string) bool { return slices.Contains(t.tested, name) })
}

// Render fills in a template. Variables that do not exist are empty.
func Render(source string, vars map[string]any) (string, error) {
	t, err := Parse(source)
	if err != nil {
		return "", err
	}
	return t.Render(vars)
}

// RenderJSON fills in the texts within JSON, other than keys.
func RenderJSON(source string, vars map[string]any) (string, error) {
	root := yaml.Parse(text.New("", source)).Root()
	var err error
	yaml.Walk(root, func(n *yaml.Node) bool {
		if text, isText := n.Str(); isText && err == nil && (n.Key == nil || n.Key.Key != n) {
			n.Value, err = Render(text, vars)
		}
		return true
	})
	return yaml.EncodeJSON(root, "  "), err
}

var (
	openPattern = pattern.New(`(?m)\{%[^%]*$|\{\{[^}]*$|\{#[^#]*$`)
	rawPattern  = pattern.New(`(?s)\{%\s*raw\s*%\}.*\{%\s*endraw\s*%\}`)
)

// IsTemplate reports whether promptfoo takes a prompt or a variable for a template: its tags are closed on the lines on
// which they begin.
func IsTemplate(source string) bool {
	return !openPattern().MatchString(source) || rawPattern().MatchString(source)
}

var (
	tagPattern = pattern.New(`(?s)\{#.*?#\}|\{%-?\s*raw\s*(-?)%\}(.*?)\{%(-?)\s*endraw\s*-?%\}|` +
		`\{([{%])-?((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'])*?)-?[}%]\}`)
	strayPattern = pattern.New(`\{[{%#]`)
	tokenPattern = pattern.New(`(?s)\s+|[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|===|!==|==|!=|<=|>=|\*\*|//|.`)
)

// Parse reads a template.
func Parse(source string) (*Template, error) {
	r := &rewriter{t: &Template{size: len(source)}}
	if strayPattern().MatchString(tagPattern().ReplaceAllString(source, " ")) {
		return nil, errors.New("a tag is not closed")
	}
	tags := tagPattern().FindAllStringSubmatch(source, -1)
	for _, tag := range tags { // what is set anywhere is read from one place everywhere
		if tokens := tokenize(tag[5]); len(tokens) > 1 && tokens[0] == "set" {
			names, _ := targets(tokens[1:])
			r.t.assigned = append(r.t.assigned, names...)
		}
	}
	rest, trims := source, false
	for _, tag := range tags {
		whole := tag[0]
		before, after, _ := strings.Cut(rest, whole)
		r.text(before, trims, whole[2] == '-')
		rest, trims = after, whole[len(whole)-3] == '-'
		r.text(tag[2], tag[1] == "-", tag[3] == "-")
		switch {
		case tag[4] == "": // a comment, or what stays as it is
		case len(tag[5]) > maxTag || len(r.open) > maxDepth:
			return nil, errTooMuch
		default:
			if err := r.tag(tag[4], tokenize(tag[5])); err != nil {
				return nil, err
			}
		}
	}
	r.text(rest, trims, false)
	compiled, err := jinja.Compile(r.out.String())
	r.t.compiled = compiled
	return r.t, err
}

// tokenize returns the words and signs of a tag.
func tokenize(tag string) []string {
	tokens := tokenPattern().FindAllString(tag, -1)
	return slices.DeleteFunc(tokens, func(t string) bool { return strings.TrimSpace(t) == "" })
}

// targets returns the names that `for` or `set` gives values to, and the tokens after them.
func targets(tokens []string) (names, rest []string) {
	for i := 0; i < len(tokens); i += 2 {
		if names = append(names, tokens[i]); i+1 == len(tokens) || tokens[i+1] != "," {
			return names, tokens[i+1:]
		}
	}
	return names, nil
}

// A rewriter writes a template for the library, which checks that blocks end.
type rewriter struct {
	t     *Template
	out   strings.Builder
	open  [][]string // for each open block, the names to which a loop gives values
	block []string   // the names of the open block of `set`
	tests bool       // whether the tag tests variables
}

// text writes the text between two tags, of which those with a sign trim its blanks. It is a value, so that the library
// trims none: by itself it removes the line breaks after statements and the blanks before them, as Nunjucks does not.
func (r *rewriter) text(text string, trimsStart, trimsEnd bool) {
	if trimsStart {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	if trimsEnd {
		text = strings.TrimRightFunc(text, unicode.IsSpace)
	}
	if text != "" {
		fmt.Fprintf(&r.out, "{{ _text[%d] }}", len(r.t.texts))
		r.t.texts = append(r.t.texts, text)
	}
}

// tag writes a tag.
func (r *rewriter) tag(kind string, tokens []string) (err error) {
	word, value := "", ""
	r.tests = slices.ContainsFunc(tokens, func(token string) bool { return slices.Contains(testWords, token) })
	if kind == "{" {
		value, err = r.expression(tokens)
		fmt.Fprintf(&r.out, "{{ (%s) | _print }}", value)
		return err
	}
	if len(tokens) > 0 {
		word, tokens = tokens[0], tokens[1:]
	}
	statements := []string{word}
	switch word {
	case "if", "elif", "elseif":
		if value, err = r.expression(tokens); word == "if" {
			r.open = append(r.open, nil)
		}
		statements = []string{strings.Replace(word, "elseif", "elif", 1) + " (" + value + ") | _true"}
	case "for":
		names, rest := targets(tokens)
		if len(rest) == 0 || rest[0] != "in" {
			return errors.New("`for` without `in`")
		}
		value, err = r.expression(rest[1:])
		r.open = append(r.open, names)
		statements = []string{fmt.Sprintf("for %s in (%s) | _items(%d)", strings.Join(names, ", "), value, len(names))}
	case "set":
		names, rest := targets(tokens)
		if len(rest) == 0 {
			r.open, r.block = append(r.open, nil), names
			statements = []string{"set _block"}
			break
		}
		value, err = r.expression(rest[1:])
		statements = assign(names, value)
	case "filter":
		value, err = r.expression(slices.Concat([]string{"|"}, tokens))
		r.open = append(r.open, nil)
		statements = []string{"filter " + strings.TrimPrefix(value, "|")}
	case "else":
	case "endif", "endfor", "endset", "endfilter":
		if word == "endset" {
			statements = append(statements, assign(r.block, "_block")...)
		}
		r.open = r.open[:max(0, len(r.open)-1)]
	default:
		return fmt.Errorf("the statement `%s` is not known here", word)
	}
	for _, s := range statements {
		fmt.Fprintf(&r.out, "{%% %s %%}", s)
	}
	return err
}

// assign returns the statements that set variables. Within a loop, too, they are those of the whole template.
func assign(names []string, value string) (statements []string) {
	for _, name := range names {
		statements = append(statements, fmt.Sprintf("set _set.%s = (%s) | _value", name, value))
	}
	return statements
}

var (
	keywords = strings.Fields("and or not in is if else true false none loop")
	// arithmetic has the signs beside which a variable is a number, or none.
	arithmetic = strings.Fields("- * / // % **")
	// renamed are words and signs with another name in Jinja.
	renamed = map[string]string{"===": "==", "!==": "!=", "null": "none", "*": "* 1.0 *"} // so that no text is repeated
	// filters are the filters that are ours, methods those in the place of JavaScript's methods.
	filters = map[string]string{"join": "_join", "length": "_length", "dump": "_dump", "load": "_load", "first": "_first", "last": "_last",
		"title": "_title", "round": "_round", "truncate": "_truncate", "abs": "_abs"}
	// otherFilters are those of Nunjucks that are the library's. It has more, which are errors for promptfoo.
	otherFilters = strings.Fields(`abs batch capitalize center default d dictsort e escape float forceescape groupby indent int list lower nl2br
		random reject rejectattr replace reverse safe select selectattr slice sort string striptags sum trim upper urlencode urlize wordcount`)
	testWords   = strings.Fields("if elif elseif is or default")
	comparisons = strings.Fields("== != < > <= >=")
	methods     = map[string]string{"toUpperCase": "upper", "toLowerCase": "lower", "trim": "trim", "join": "_join"}
	isName      = pattern.New(`^[A-Za-z_$]`)
	isGiven     = pattern.New(`^["'\d]`)
)

// expression writes an expression.
func (r *rewriter) expression(tokens []string) (string, error) {
	if len(tokens) == 0 {
		return "", errors.New("an expression is missing")
	}
	around := slices.Concat([]string{"", ""}, tokens, []string{"", ""})
	var out []string
	for i, token := range tokens {
		earlier, before, after := around[i], around[i+1], around[i+3]
		switch {
		case renamed[token] != "":
			token = renamed[token]
		case token == ":" && !slices.Contains(tokens[:i], "{"):
			return "", errors.New("there are no slices in Nunjucks")
		case before == "|" && filters[token] == "" && !slices.Contains(otherFilters, token):
			return "", fmt.Errorf("the filter `%s` is none of Nunjucks", token)
		case token == "." && after == "length" && before != "loop":
			token = "|"
		case token == "." && i+2 < len(tokens) && tokens[i+2] == "(":
			if methods[after] == "" {
				return "", fmt.Errorf("the method `%s` is not known here", after)
			}
			token = "|"
		case before == "." && token == "length" && earlier != "loop", before == "|" && filters[token] != "":
			token = filters[token]
		case before == "." && after == "(":
			token = methods[token]
		case before == ".", before == "|", before == "is", before == "not" && earlier == "is", after == "=", after == "(" && functions[token] != nil:
		case isName().MatchString(token) && !slices.Contains(keywords, token):
			token = r.read(token)
			if slices.Contains(arithmetic, before) || slices.Contains(arithmetic, after) {
				token = "(" + token + " | _number)"
			}
		}
		if other := around[i+4]; slices.Contains(comparisons, after) && isGiven().MatchString(other) {
			token += " | _like(" + other + ")"
		}
		out = append(out, token)
	}
	return strings.Join(out, " "), nil
}

// read returns what reads a variable.
func (r *rewriter) read(name string) string {
	if slices.ContainsFunc(r.open, func(names []string) bool { return slices.Contains(names, name) }) {
		return name
	}
	if r.tests {
		r.t.tested = append(r.t.tested, name)
	}
	if !slices.Contains(r.t.names, name) {
		r.t.names = append(r.t.names, name)
	}
	if slices.Contains(r.t.assigned, name) {
		return "_set." + name
	}
	return name
}

// Package nunjucks fills in the templates of promptfoo, which are of Nunjucks 3.2, with a library for
// those of Jinja.
//
// The two differ in what values are. [Parse] therefore rewrites tags: what is printed, tested, iterated
// or set goes through a function of ours first, which does as JavaScript does. It also bounds what a template
// may take, and keeps it from the clock. What still differs:
//
//   - the keys of a mapping are in the order of the alphabet;
//   - macros, blocks, imports, the user's own filters, and filters of Nunjucks that Jinja does not have, are errors;
//   - of JavaScript's methods there are only toUpperCase, toLowerCase, trim and join;
//   - within `and`, `or`, `not` and an inline `if`, empty lists and mappings are false;
//   - division by zero gives 0, and so does arithmetic with texts that are no variables.
package nunjucks

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	size     int
}

// Names returns the variables that the template reads and does not set, in the order of the text.
func (t *Template) Names() []string {
	return slices.DeleteFunc(slices.Clone(t.names), func(name string) bool { return slices.Contains(t.assigned, name) })
}

// Render fills in a template. A text with a tag that is not closed is no template. Variables that do not
// exist are empty.
func Render(source string, vars map[string]any) (string, error) {
	if !IsTemplate(source) {
		return source, nil
	}
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

// closedTags are the kinds of tags, by their beginnings.
var closedTags = map[string]pattern.Lazy{"{{": pattern.New(`(?s)\{\{.*?\}\}`), "{%": pattern.New(`(?s)\{%.*?%\}`), "{#": pattern.New(`(?s)\{#.*?#\}`)}

// IsTemplate reports whether promptfoo takes a text for a template: it has tags, and all are closed.
func IsTemplate(source string) bool {
	found := false
	for opening, tag := range closedTags {
		isTag := strings.Contains(source, opening)
		if isTag && strings.Contains(tag().ReplaceAllString(source, " "), opening) {
			return false
		}
		found = found || isTag
	}
	return found
}

var (
	tagPattern = pattern.New(`(?s)\{#.*?#\}|\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}|` +
		`\{([{%])(-?)((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'])*?)(-?)([}%])\}`)
	tokenPattern = pattern.New(`(?s)\s+|[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|===|!==|==|!=|<=|>=|\*\*|//|.`)
)

// Parse reads a template.
func Parse(source string) (*Template, error) {
	r := &rewriter{t: &Template{size: len(source)}}
	for _, tag := range tagPattern().FindAllStringSubmatch(source, -1) { // what is set anywhere is read from one place everywhere
		if tokens := tokenize(tag[3]); len(tokens) > 1 && tokens[0] == "set" {
			names, _ := targets(tokens[1:])
			r.t.assigned = append(r.t.assigned, names...)
		}
	}
	var err error
	rewritten := tagPattern().ReplaceAllStringFunc(source, func(found string) string {
		tag := tagPattern().FindStringSubmatch(found)
		switch {
		case tag[1] == "" || err != nil: // a comment, or what stays as it is
		case len(tag[3]) > maxTag || len(r.open) > maxDepth:
			err = errTooMuch
		default:
			found, err = r.tag(tag[1], tag[2], tokenize(tag[3]), tag[4])
		}
		return found
	})
	if err == nil {
		r.t.compiled, err = jinja.Compile(rewritten)
	}
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
	open  [][]string // for each open block, the names to which a loop gives values
	block []string   // the names of the open block of `set`
}

// tag writes a tag. Before and after are its signs that trim blanks.
func (r *rewriter) tag(kind, before string, tokens []string, after string) (out string, err error) {
	word, value := "", ""
	if kind == "{" {
		value, err = r.expression(tokens)
		return fmt.Sprintf("{{%s (%s) | _print %s}}", before, value, after), err
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
			return "", errors.New("`for` without `in`")
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
	case "else":
	case "endif", "endfor", "endset":
		if word == "endset" {
			statements = append(statements, assign(r.block, "_block")...)
		}
		r.open = r.open[:max(0, len(r.open)-1)]
	default:
		return "", fmt.Errorf("the statement `%s` is not known here", word)
	}
	for _, s := range statements {
		out += fmt.Sprintf("{%%%s %s %s%%}", before, s, after)
	}
	return out, err
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
	filters = map[string]string{"join": "_join", "length": "_length", "dump": "_dump", "load": "_load"}
	methods = map[string]string{"toUpperCase": "upper", "toLowerCase": "lower", "trim": "trim", "join": "_join"}
	isName  = pattern.New(`^[A-Za-z_$]`)
)

// expression writes an expression.
func (r *rewriter) expression(tokens []string) (string, error) {
	if len(tokens) == 0 {
		return "", errors.New("an expression is missing")
	}
	around := slices.Concat([]string{"", ""}, tokens, []string{""})
	var out []string
	for i, token := range tokens {
		earlier, before, after := around[i], around[i+1], around[i+3]
		switch {
		case renamed[token] != "":
			token = renamed[token]
		case token == "." && after == "length":
			token = "|"
		case token == "." && i+2 < len(tokens) && tokens[i+2] == "(":
			if methods[after] == "" {
				return "", fmt.Errorf("the method `%s` is not known here", after)
			}
			token = "|"
		case before == "." && token == "length", before == "|" && filters[token] != "":
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
		out = append(out, token)
	}
	return strings.Join(out, " "), nil
}

// read returns what reads a variable.
func (r *rewriter) read(name string) string {
	if slices.ContainsFunc(r.open, func(names []string) bool { return slices.Contains(names, name) }) {
		return name
	}
	if !slices.Contains(r.t.names, name) {
		r.t.names = append(r.t.names, name)
	}
	if slices.Contains(r.t.assigned, name) {
		return "_set." + name
	}
	return name
}

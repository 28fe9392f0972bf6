package promptfoo

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/assertion"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// MaxRows limits the rows of a configuration.
const MaxRows = 10_000

// Row is a test with one value for each variable, one prompt and one provider.
type Row struct {
	Test   int // as promptfoo numbers it, from 0
	Prompt Prompt
	Text   string // the prompt as it is sent

	test            // with what it inherits
	id       string // of its case
	provider provider
	vars     map[string]any // with references to files as they are
	filled   map[string]any // with the contents of files and other variables, as prompts and assertions see them
	err      error          // why the prompt cannot be filled in
	stored   []string       // variables that get the answers to earlier tests
	unread   string         // a variable whose value is not known here
}

// rows multiplies the tests.
func (l *loader) rows() (rows []Row) {
	count, entry, inEntry := 0, l.firstTest, 0
	var last *yaml.Node
	var stored []string
	for _, t := range l.tests {
		if inEntry++; t.file == "" || t.at != last {
			entry, inEntry, last = entry+1, 1, t.at
		}
		own := t.asserts
		t = t.over(l.defaults)
		options := javascript.As[map[string]any](t.fields["options"])
		if options["disableDefaultAsserts"] == true {
			t.asserts = own
		}
		combinations := l.combine(t, options["disableVarExpansion"] != true)
		repeated := slices.Repeat(combinations, repeats(options["repeat"], l.repeat))
		for k, vars := range repeated {
			row := Row{Test: count, test: t, id: l.caseID(t, entry, inEntry, k, len(repeated) > 1), vars: vars, stored: stored}
			row.filled = promptVariables(l.readVariables(&row))
			if rows = append(rows, l.ask(row)...); len(rows) >= MaxRows {
				return rows
			}
			count++
			if l.Own {
				break
			}
		}
		if name := javascript.As[string](options["storeOutputAs"]); name != "" {
			stored = append(slices.Clip(stored), name)
		}
	}
	return rows
}

// missingAnswer returns the variable that gets the answer to an earlier test and that a row has in a template, or "".
func (row Row) missingAnswer() string {
	source := row.Prompt.text + javascript.JSON(row.vars)
	for _, e := range row.asserts {
		source += javascript.JSON(e.fields)
	}
	for _, name := range row.stored {
		if pattern.New(`\{[{%][^{}]*\b` + pattern.Quote(name) + `\b`)().MatchString(source) {
			return name
		}
	}
	return ""
}

// caseID returns the numbers of a test's entry, of itself in a file, and of its values, or a pattern for more than one.
func (l *loader) caseID(t test, entry, inEntry, combination int, isOneOfSeveral bool) string {
	id := fmt.Sprintf("test-%d", entry)
	if l.Own && (t.file != "" || isOneOfSeveral || len(l.prompts) > 1) {
		return id + "[.:]*"
	}
	if t.file != "" {
		id += fmt.Sprintf(".%d", inEntry)
	}
	if isOneOfSeveral {
		id += fmt.Sprintf(".%d", combination+1)
	}
	return id
}

// ask returns the rows of a test with its values for each provider and prompt.
func (l *loader) ask(base Row) (rows []Row) {
	options := javascript.As[map[string]any](base.fields["options"])
	prefix, suffix := javascript.Text(options["prefix"]), javascript.Text(options["suffix"])
	asked := make([]Row, len(l.prompts))
	for i, prompt := range l.prompts {
		row := base
		row.Prompt = prompt
		row.Text, row.err = fill(prefix+prompt.text+suffix, base.filled)
		if len(l.prompts) > 1 && !l.Own {
			row.id += fmt.Sprintf(":%d", i+1)
		}
		asked[i] = row
	}
	for _, p := range l.selectedProviders(base.test) {
		for _, row := range asked {
			if isSelected(p.prompts, row.Prompt.matches) && isSelected(base.fields["prompts"], row.Prompt.matches) {
				row.provider = p
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// selectedProviders returns the providers that a test selects.
func (l *loader) selectedProviders(t test) []provider {
	return slices.DeleteFunc(slices.Clone(l.providers), func(p provider) bool { return !isSelected(t.fields["providers"], p.matches) })
}

// isSelected reports whether a filter of a test, if there is one, selects something.
func isSelected(filter any, matches func(string) bool) bool {
	list, isList := filter.([]any)
	return !isList || slices.ContainsFunc(list, func(v any) bool { return matches(javascript.As[string](v)) })
}

// combine returns the variables of a test, with one value each if lists are expanded. The first variable of the file varies
// slowest, after those of `defaultTest`.
func (l *loader) combine(t test, isExpanded bool) []map[string]any {
	vars := javascript.As[map[string]any](t.fields["vars"])
	keys := agentv.VariableOrder(l.defaults.node.Get("vars"), t.node.Get("vars"))
	if len(keys) < len(vars) { // tables, files and scenarios have others
		keys = slices.Sorted(maps.Keys(vars))
	}
	all := []map[string]any{vars}
	for _, key := range keys {
		if values := l.valuesOf(vars[key]); isExpanded && values != nil && len(all)*len(values) <= MaxRows {
			all = agentv.Combine(all, key, values)
		}
	}
	return all
}

// valuesOf returns the values that a list beginning with a text, or a pattern of files, stands for; nil for one value.
func (l *loader) valuesOf(v any) (values []any) {
	list, _ := v.([]any)
	reference, _ := v.(string)
	switch name := trimScheme(reference); {
	case len(list) > 0:
		if _, isText := list[0].(string); isText {
			return list
		}
	case strings.HasPrefix(reference, fileScheme) && isGlob(name):
		files, _ := l.files(name)
		for _, file := range files {
			values = append(values, fileScheme+file)
		}
	}
	return values
}

var plainTag = pattern.New(`\{\{\s*(\w+)\s*\}\}`)

// promptVariables trims a line break at the end of values, and replaces variables in them, in at most five rounds.
func promptVariables(vars map[string]any) map[string]any {
	out, keys := maps.Clone(vars), slices.Sorted(maps.Keys(vars))
	for key, v := range out {
		if s, ok := v.(string); ok {
			out[key] = strings.TrimSuffix(s, "\n")
		}
	}
	for range 5 {
		for _, key := range keys {
			s, _ := out[key].(string)
			if m := plainTag().FindStringSubmatchIndex(s); m != nil && len(s) <= 1<<20 {
				if value, found := out[s[m[2]:m[3]]]; found {
					out[key] = s[:m[0]] + javascript.Text(value) + s[m[1]:]
				}
			}
		}
	}
	return out
}

// RenderPrompt fills in a prompt: its strings if it is JSON, else the variables that are templates, and then
// the prompt. A variable that names another one that does not exist stays as it is.
func RenderPrompt(prompt string, vars map[string]any) (string, error) {
	return fill(prompt, promptVariables(vars))
}

func fill(prompt string, vars map[string]any) (string, error) {
	if json.Valid([]byte(prompt)) {
		if text, err := nunjucks.RenderJSON(prompt, vars); err == nil {
			return text, nil
		}
	}
	filled := maps.Clone(vars)
	for key, v := range vars {
		source := javascript.As[string](v)
		if t, missing := parseTemplate(source, vars); t != nil && len(missing) == 0 {
			if text, err := t.Render(vars); err == nil && !strings.Contains(text, source) {
				filled[key] = text
			}
		}
	}
	if !nunjucks.IsTemplate(prompt) {
		return prompt, nil
	}
	return nunjucks.Render(prompt, filled)
}

// parseTemplate reads a text with tags, or returns nil. The variables that it needs and vars does not have are missing.
func parseTemplate(source string, vars map[string]any) (t *nunjucks.Template, missing []string) {
	if nunjucks.IsTemplate(source) && strings.Contains(source, "{") {
		if t, err := nunjucks.Parse(source); err == nil {
			return t, slices.DeleteFunc(t.Names(), func(name string) bool { _, found := vars[name]; return found })
		}
	}
	return nil, nil
}

// readVariables returns the variables with the contents of the files that they name, and the environment.
func (l *loader) readVariables(row *Row) map[string]any {
	out := maps.Clone(row.vars)
	for _, key := range slices.Sorted(maps.Keys(row.vars)) {
		source := javascript.As[string](row.vars[key])
		name, end := ending(source)
		_, body, found := l.readReference(source)
		switch isFile := strings.HasPrefix(source, fileScheme); {
		case !isFile && !strings.HasPrefix(source, "package:"):
		case !isFile, !found, slices.Contains(scriptEndings, end), slices.Contains(codedEndings, end):
			row.unread = key
			_, known := l.files(name)
			if isWhole := javascript.As[map[string]any](row.fields["vars"])[key] == any(source); isWhole && known && isFile && !found {
				l.lose(promptMissing, row.at, name)
			}
		case end == ".yaml", end == ".yml":
			out[key] = javascript.JSON(toValue(parseYAML(body).Root()))
		default:
			out[key] = strings.TrimSpace(body)
		}
	}
	if _, found := out["env"]; !found && len(l.env) > 0 {
		out["env"] = l.env
	}
	return out
}

// valuesText returns the first words of a test's own values, in the order of their names.
func (l *loader) valuesText(row Row) string {
	var values []string
	shared := javascript.As[map[string]any](l.defaults.fields["vars"])
	for _, name := range slices.Sorted(maps.Keys(row.vars)) {
		if _, isShared := shared[name]; !isShared {
			values = append(values, javascript.Text(row.vars[name]))
		}
	}
	return excerpt.Shorten(strings.Join(values, ", "), 60)
}

// MissingVariables reports the variables that a test lacks: those of an assertion or, if in is nil, of the prompt.
func MissingVariables(c *rubric.Case, report func(name string, in *rubric.Grader)) {
	row, ok := c.DialectData.(*Row)
	if !ok || row.file != "" || javascript.As[map[string]any](row.fields["options"])["transformVars"] != nil {
		return
	}
	check := func(source any, in *rubric.Grader) {
		t, names := parseTemplate(javascript.As[string](source), row.filled)
		for _, name := range names {
			if name != "env" && name != "_conversation" && !slices.Contains(row.stored, name) && slices.Contains(t.Required(), name) {
				report(name, in)
			}
		}
	}
	if len(row.vars) > 0 && !row.Prompt.unread {
		check(row.Prompt.text, nil)
	}
	for _, g := range c.Graders {
		written := g.DialectData.(*assertion.Assertion).Fields["value"]
		check(written, g)
		for _, item := range javascript.As[[]any](written) {
			check(item, g)
		}
	}
}

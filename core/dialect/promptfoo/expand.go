package promptfoo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
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
	filled   map[string]any // with the contents of files
	err      error          // why the prompt cannot be filled in
}

// rows multiplies the tests.
func (l *loader) rows() (rows []Row) {
	count, entry, inEntry := 0, l.firstTest, 0
	var last *yaml.Node
	for _, t := range l.tests {
		if inEntry++; t.file == "" || t.at != last {
			entry, inEntry, last = entry+1, 1, t.at
		}
		own := t.asserts
		t = t.over(l.defaults)
		options := mapping(t.fields["options"])
		if options["disableDefaultAsserts"] == true {
			t.asserts = own
		}
		combinations := []map[string]any{mapping(t.fields["vars"])}
		if options["disableVarExpansion"] != true {
			combinations = l.combine(combinations)
		}
		repeated := slices.Repeat(combinations, repeats(options["repeat"], l.repeat))
		for k, vars := range repeated {
			row := Row{Test: count, test: t, id: l.caseID(t, entry, inEntry, k, len(repeated) > 1), vars: vars, filled: l.readVariables(vars)}
			if rows = append(rows, l.ask(row)...); len(rows) >= MaxRows {
				return rows
			}
			count++
			if l.Own {
				break
			}
		}
	}
	return rows
}

// caseID returns the id of a test's case: the number of its entry among the tests, its number in a file that the
// entry names, and the number of its values if it has several. A file's own tests have a pattern for all of them.
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
	options := mapping(base.fields["options"])
	prefix, _ := options["prefix"].(string)
	suffix, _ := options["suffix"].(string)
	asked := make([]Row, len(l.prompts))
	for i, prompt := range l.prompts {
		row := base
		row.Prompt = prompt
		row.Text, row.err = RenderPrompt(prefix+prompt.text+suffix, base.filled)
		if len(l.prompts) > 1 && !l.Own {
			row.id += fmt.Sprintf(":%d", i+1)
		}
		asked[i] = row
	}
	for _, p := range l.selectedProviders(base.test) {
		for _, row := range asked {
			if p.asks(row.Prompt) && isSelected(base.fields["prompts"], row.Prompt.matches) {
				row.provider = p
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// selectedProviders returns the providers that a test selects.
func (l *loader) selectedProviders(t test) (selected []provider) {
	for _, p := range l.providers {
		if isSelected(t.fields["providers"], p.matches) {
			selected = append(selected, p)
		}
	}
	return selected
}

// isSelected reports whether a filter of a test, if there is one, selects something.
func isSelected(filter any, matches func(string) bool) bool {
	list, isList := filter.([]any)
	return !isList || slices.ContainsFunc(list, func(v any) bool { s, _ := v.(string); return matches(s) })
}

// combine returns the variables of a test with one value each. The first key in the alphabet varies slowest.
func (l *loader) combine(all []map[string]any) []map[string]any {
	vars := all[0]
	for _, key := range slices.Sorted(maps.Keys(vars)) {
		values := l.valuesOf(vars[key])
		if len(all)*len(values) > MaxRows {
			break
		}
		if values != nil {
			all = agentv.Combine(all, key, values)
		}
	}
	return all
}

// valuesOf returns the values for which a variable stands: those of a list that begins with a text, or the files
// that a pattern matches. It returns nil for a single value.
func (l *loader) valuesOf(v any) (values []any) {
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			if _, isText := v[0].(string); isText {
				return v
			}
		}
	case string:
		if name := trimScheme(v); strings.HasPrefix(v, fileScheme) && isGlob(name) {
			files, _ := l.files(name)
			for _, file := range files {
				values = append(values, fileScheme+file)
			}
		}
	}
	return values
}

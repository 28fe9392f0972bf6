package promptfoo

import (
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
)

// MaxRows limits the rows of a configuration.
const MaxRows = 10_000

// Row is a test with one value for each variable, one prompt and one provider.
type Row struct {
	Test, Column int // as promptfoo numbers them, from 0
	Provider     Provider
	Prompt       Prompt
	Vars         map[string]any // with references to files as they are
	Asserts      []map[string]any
	Threshold    any
	Options      map[string]any
	Metadata     map[string]any
	Output       any    // a given answer; nil if there is none
	Text         string // the prompt as it is sent
	Err          error  // why it cannot be filled in

	test        test
	number      int // of the test, from 1
	combination int // among the test's values and repetitions, from 0
	several     bool
	prompt      int
	entries     []entry
	filled      map[string]any // Vars with the contents of files
}

// merge returns a test with what it inherits.
func (l *loader) merge(t test) test {
	d := l.defaults
	out := test{at: t.at, file: t.file, fields: maps.Clone(t.fields)}
	for _, key := range []string{"vars", "options", "metadata"} {
		out.fields[key] = overlay(mapping(d.fields[key]), mapping(t.fields[key]))
	}
	for _, key := range []string{"threshold", "prompts", "providers", "provider", "assertScoringFunction"} {
		if own := t.fields[key]; own == nil && d.fields[key] != nil {
			out.fields[key] = d.fields[key]
		}
	}
	out.asserts = t.asserts
	if mapping(out.fields["options"])["disableDefaultAsserts"] != true {
		out.asserts = slices.Concat(d.asserts, t.asserts)
	}
	return out
}

// rows multiplies the tests.
func (l *loader) rows() (rows []Row) {
	count := 0
	for i, t := range l.tests {
		t = l.merge(t)
		options := mapping(t.fields["options"])
		repeat := l.repeat
		if n, ok := options["repeat"].(float64); ok && n >= 1 && n <= 1000 {
			repeat = int(n)
		}
		combinations := l.combine(mapping(t.fields["vars"]), options["disableVarExpansion"] == true)
		several := repeat*len(combinations) > 1
		for k := range repeat * len(combinations) {
			vars := combinations[k%len(combinations)]
			filled := l.readVariables(vars)
			if _, found := filled["env"]; !found && len(l.env) > 0 {
				filled["env"] = l.env
			}
			if rows = append(rows, l.askRow(t, Row{Test: count, Vars: vars, filled: filled, number: i + 1, combination: k, several: several})...); len(rows) >= MaxRows {
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

// askRow returns the rows of a test with its values for each provider and prompt.
func (l *loader) askRow(t test, base Row) (rows []Row) {
	base.test, base.entries, base.Threshold, base.Output = t, t.asserts, t.fields["threshold"], t.fields["providerOutput"]
	base.Options, base.Metadata = mapping(t.fields["options"]), mapping(t.fields["metadata"])
	for _, e := range t.asserts {
		base.Asserts = append(base.Asserts, e.fields)
	}
	prefix, _ := base.Options["prefix"].(string)
	suffix, _ := base.Options["suffix"].(string)
	column := 0
	for _, provider := range l.providers {
		for i, prompt := range l.prompts {
			if !provider.asks(prompt) {
				continue
			}
			row := base
			row.Column, row.Provider, row.Prompt, row.prompt = column, provider, prompt, i
			column++
			if !isSelected(t.fields["prompts"], prompt.matches) || !isSelected(t.fields["providers"], provider.matches) {
				continue
			}
			row.Text, row.Err = RenderPrompt(prefix+prompt.Text+suffix, row.filled)
			rows = append(rows, row)
		}
	}
	return rows
}

// isSelected reports whether a filter of a test, if there is one, selects something.
func isSelected(filter any, matches func(string) bool) bool {
	list, isList := filter.([]any)
	return !isList || slices.ContainsFunc(list, func(v any) bool { s, _ := v.(string); return matches(s) })
}

// combine returns the variables with one value each. A list that begins with a text, and a reference to several
// files, stand for several values. The first key in the alphabet varies slowest.
func (l *loader) combine(vars map[string]any, whole bool) []map[string]any {
	all := []map[string]any{maps.Clone(vars)}
	if whole {
		return all
	}
	for _, key := range slices.Sorted(maps.Keys(vars)) {
		values := l.valuesOf(vars[key])
		if values == nil {
			continue
		}
		if len(all)*len(values) > MaxRows {
			return all
		}
		all = agentv.Combine(all, key, values)
	}
	return all
}

func (l *loader) valuesOf(v any) []any {
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			if _, isText := v[0].(string); isText {
				return v
			}
		}
	case string:
		if name := trimScheme(v); strings.HasPrefix(v, fileScheme) && isGlob(name) && l.ListFiles != nil {
			var files []any
			for _, file := range l.ListFiles(name) {
				files = append(files, fileScheme+file)
			}
			return files
		}
	}
	return nil
}

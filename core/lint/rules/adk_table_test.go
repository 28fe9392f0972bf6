package rules_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
)

// TestADKTables puts bad values under every key of every table of ADK. Check must
// report an error exactly where lowering finds that ADK refuses the file or skips a
// metric.
func TestADKTables(t *testing.T) {
	attempts := 0
	for path, root := range map[string]*schema.Type{
		"s.evalset.json": adk.SetFile, adk.ConfigName: adk.ConfigFile, "older.evalset.json": adk.OlderFile, "turns.test.json": adk.TurnsFile,
	} {
		w := tableWalk{map[*schema.Type]bool{}, map[string]any{}, map[string]bool{}}
		w.walk(root, root.Name, func(v any) any { return v })
		for name, value := range w.bad {
			body, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			attempts++
			refused, found := isRefused(path, string(body)), errorsIn(path, string(body))
			if refused != (len(found) > 0) || w.null[name] && !refused {
				t.Errorf("%s: refused %v, check reports %v in\n%s", name, refused, found, body)
			}
		}
	}
	if attempts < 300 {
		t.Errorf("only %d files", attempts)
	}
}

// isRefused reports whether lowering finds that ADK refuses the file or skips a metric.
func isRefused(path, body string) bool {
	f := adk.Open(path, body)
	if f.Role != adk.Config {
		return adk.LowerSet(metric.Latest, f).Refused
	}
	s := adk.LowerConfig(metric.Latest, f)
	return s.Refused || slices.ContainsFunc(s.Criteria, func(c adk.Criterion) bool { return c.Skipped })
}

// errorsIn returns the errors that check reports, but for rubrics that ADK drops without refusing anything.
func errorsIn(path, body string) (messages []string) {
	for _, d := range analysis.Of(analysis.Input{Path: path, Text: body}).Diagnostics() {
		if d.Severity == diag.Error && d.Code != "unused-rubric" {
			messages = append(messages, d.Message)
		}
	}
	return messages
}

// tableWalk makes files that each break one field of a table.
type tableWalk struct {
	seen map[*schema.Type]bool
	bad  map[string]any  // files by what is wrong with them
	null map[string]bool // those with a null that ADK refuses
}

// walk breaks every field below t. In puts a value of type t into a whole file.
func (w *tableWalk) walk(t *schema.Type, name string, in func(any) any) {
	switch {
	case t.Kind == schema.List:
		null := t.Items.Kind != schema.Any
		w.add(name+": [null]", null && t.MinLength < 2, in([]any{nil}))
		w.add(name+": [good, null]", null, in([]any{sample(t.Items), nil}))
		w.walk(t.Items, name+"[]", func(v any) any { return in([]any{v}) })
	case t.Kind == schema.Union || t.HasVariants():
		for _, c := range t.Choices {
			w.walk(c, cmp.Or(c.Name, name), in)
		}
	case t.Kind == schema.Map && !w.seen[t]:
		w.seen[t] = true
		if t.OtherValues != nil && t.OtherValues.Kind != schema.Any {
			w.add(name+".own: null", true, in(map[string]any{"own": nil}))
			w.walk(t.OtherValues, name+".own", func(v any) any { return in(map[string]any{"own": v}) })
		}
		for _, f := range t.Fields {
			w.field(t, f, in)
		}
	}
}

// field breaks one field of t.
func (w *tableWalk) field(t *schema.Type, f *schema.Field, in func(any) any) {
	with := func(key string, v any) map[string]any {
		m := sample(t).(map[string]any)
		delete(m, f.Key)
		if f.Key == "conversation_scenario" {
			delete(m, "conversation")
		}
		m[key] = v
		return m
	}
	good := sample(f.Type)
	if text, isText := f.Example.(string); isText && f.Type.Kind == schema.Text {
		good = text // instructions need more than any text
	}
	for _, key := range f.Names() {
		name := t.Name + "." + key
		w.add(name+": good", false, in(with(key, good)))
		w.add(name+": null", !f.Nullable && f.Type.Kind != schema.Any, in(with(key, nil)))
		w.add(name+": wrong type", false, in(with(key, wrongFor(f.Type))))
	}
	name := t.Name + "." + f.Key
	if len(f.Aliases) > 0 {
		both := with(f.Key, good)
		both[f.Aliases[0]] = good
		w.add(name+" under two names", false, in(both))
	}
	missing := with(f.Key, nil)
	delete(missing, f.Key)
	w.add(name+" missing", false, in(missing))
	w.walk(f.Type, name, func(v any) any { return in(with(f.Key, v)) })
}

func (w *tableWalk) add(name string, null bool, file any) {
	w.bad[name], w.null[name] = file, null
}

// sample is a good value of a type, with the fields that it needs.
func sample(t *schema.Type) any {
	switch t.Kind {
	case schema.Text:
		if all := slices.Concat(t.Values, t.KnownValues); len(all) > 0 {
			return all[0].Text
		}
		return "x"
	case schema.Number:
		return 1
	case schema.Bool:
		return true
	case schema.List:
		list := []any{}
		for range t.MinLength {
			list = append(list, sample(t.Items))
		}
		return list
	case schema.Union:
		return sample(t.Choices[0])
	case schema.Map:
		m := map[string]any{}
		if t.HasVariants() {
			maps.Copy(m, sample(t.Choices[0]).(map[string]any))
		}
		for _, f := range t.Fields {
			if f.Required || f.Key == "conversation" || t.Name == "rubric" && f.Key == "type" {
				m[f.Key] = sample(f.Type)
			}
		}
		return m
	}
	return map[string]any{}
}

// wrongFor is a value that ADK does not convert to a type.
func wrongFor(t *schema.Type) any {
	switch t.Kind {
	case schema.Number, schema.Bool, schema.List, schema.Map:
		return "neither"
	}
	return []any{}
}

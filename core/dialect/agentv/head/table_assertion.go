package head

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/schema"
)

// criterionType is the table of a criterion in Head. If a list has no recognisable criterion,
// the judge gets the list as it is, without weights and gates.
var criterionType = v4.NewCriterionType("takes the list for free text", gateField)

// gateField decides whether a criterion of Head is a gate. For one with ranges only the
// minimum does.
var gateField = &schema.Field{
	Key: "required", Type: schema.Boolean, Default: "`true`", OnInvalid: "uses the default",
	Doc: "Whether the verdict is fail if it is not satisfied, whatever the score. Ignored with `score_ranges`: there `min_score` is the gate.",
}

// entryTable is the table of Head's assertions.
var entryTable = func() *v4.EntryTable {
	e := v4.NewEntryTable(agentv.Head, &schema.Field{Key: "metric", Informational: true, Type: schema.NonEmptyString, Default: "made of the type and the value", Example: "accuracy", Doc: "The assertion's name in results."})
	judged := append([]*schema.Field{
		{
			Key: "value", Type: schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.NonEmptyString, criterionType)), schema.Object),
			Example: []string{"States that the refund window is 30 days"},
			Doc:     "One criterion or a list. The judge gets any other value as it is.",
		},
		{Key: "score_ranges", Type: v4.RangesField.Type, OnInvalid: v4.RefusesTest, Doc: "The meaning of the scores, if `value` is one text."},
		v4.LenientThresholdField,
	}, withProvider(v4.JudgeFields(schema.UnionOf(schema.String, schema.ListOf(schema.AnyValue), schema.Object)))...)
	for _, kind := range []struct{ name, doc string }{
		{"llm-rubric", "A model grades by the criteria."}, {"agent-rubric", "An agent grades by the criteria, with tools."},
	} {
		t := e.AddType(kind.name, kind.doc, judged...)
		t.RequireAny, t.OnMissingAll = []string{"value", "prompt"}, v4.SkipsAssertion
	}
	program := e.AddType("script", v4.ProgramDoc, append(withProvider(v4.ProgramFields()), retiredField("script", agentv.InGrader))...)
	program.OtherValues, program.RequireAny, program.OnMissingAll = schema.AnyValue, []string{"command"}, v4.SkipsAssertion
	e.AddType("assert-set", "Several assertions that count as one. With a `threshold`, their mean must reach it; without one, each must pass.",
		&schema.Field{Key: "assert", Type: e.ListType, Required: true, OnInvalid: v4.SkipsAssertion, Doc: "The members; plain texts and sets are allowed."},
		v4.LenientThresholdField, &schema.Field{Key: "config", Type: schema.Object, Doc: "Passed to every member."})
	e.AddDeterministic()
	addExternal(e)
	preprocessors := v4.NewRemovedFields("Turned files into text before a judge saw them.", v4.RefusesTest, "preprocessors")
	for _, t := range e.AnyType.Choices {
		if len(t.TagValues) > 0 {
			t.Fields = append(t.Fields, v4.NewRemovedFields("Changed answers before they were graded.", v4.RefusesFile, "postprocess")...)
			t.Fields = append(append(t.Fields, preprocessors...), transformField)
		}
	}
	return e
}()

// withProvider replaces the field `target` by `provider`, and removes `preprocessors`. Head refuses both.
func withProvider(fields []*schema.Field) []*schema.Field {
	fields = slices.DeleteFunc(fields, func(f *schema.Field) bool { return f.Key == "provider" || f.Key == "preprocessors" })
	for i, f := range fields {
		if f.Key == "target" {
			named, removed := *f, *f
			named.Key = "provider"
			removed.RemovedIn, removed.ReplacedBy, removed.OnInvalid = v4.RemovedAtLatest, "provider", v4.RefusesTest
			fields[i] = &named
			return append(fields, &removed)
		}
	}
	return fields
}

// addExternal adds the types that something other than the runner grades.
func addExternal(e *v4.EntryTable) {
	value := &schema.Field{Key: "value", Type: schema.NonEmptyString, Required: true, OnInvalid: v4.SkipsAssertion, Doc: "The function, the program, the URL, or the text to compare with."}
	for _, kind := range []struct{ name, doc string }{
		{"javascript", "A JavaScript function grades."}, {"python", "A Python function grades."},
		{"webhook", "A service grades."}, {"similar", "The answer is similar to the value in meaning; the default threshold is 0.75."},
	} {
		e.AddType(kind.name, kind.doc, value, v4.LenientThresholdField).OtherValues = schema.AnyValue
	}
	for _, kind := range []struct{ name, doc string }{
		{"skill-used", "A skill was used."}, {"not-skill-used", "A skill was not used."},
		{"trajectory:tool-used", "A tool was called."}, {"trajectory:tool-args-match", "A tool was called with these arguments."},
		{"trajectory:tool-sequence", "Tools were called in this order."}, {"trajectory:step-count", "The number of steps is as expected."},
		{rubric.GoalSuccess, "The steps reached the goal."},
	} {
		value := &schema.Field{Key: "value", Type: traceValueType, Required: true, OnInvalid: "scores the assertion 0", Doc: "The expected value."}
		t := e.AddType(kind.name, kind.doc, value, v4.LenientThresholdField)
		if kind.name == rubric.GoalSuccess {
			t.OtherValues = schema.AnyValue // for its judge
		}
		if strings.HasPrefix(kind.name, "trajectory:") {
			t.Doc += " After `not-`, the opposite."
			e.NameType(t, "not-"+kind.name)
		}
	}
}

// traceValueType is what an assertion about the trace looks for. Which keys it needs, package grade says.
var traceValueType = schema.UnionOf(schema.NonEmptyString, schema.ListOf(schema.UnionOf(schema.NonEmptyString, traceStepType)), traceStepType)

var traceStepType = &schema.Type{
	Name: "trace-step", Doc: "What steps of a trace have.", Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "name", Aliases: []string{"pattern"}, WinningName: "pattern", Misnomers: []string{"tool", "skill"}, Type: schema.NonEmptyString, Doc: "The name, with `*` and `?` for others."},
		{Key: "type", Type: textsType, Doc: "The kind: tool, command, message or span."},
		{Key: "min", Type: schema.NonNegative, Doc: "The lowest number."},
		{Key: "max", Type: schema.NonNegative, Doc: "The highest number."},
		{Key: "args", Aliases: []string{"arguments"}, Type: schema.AnyValue, Doc: "The arguments."},
		{Key: "mode", Type: schema.EnumOf(schema.Values([]string{"partial", "in_order", "exact"})...), Doc: "With `exact`, nothing else."},
		{Key: "defaults", Type: schema.Object, Doc: "Arguments that do not count, with values."},
		{Key: "ignore", Type: textsType, Doc: "Arguments that do not count."},
		{Key: "steps", Type: schema.ListOf(schema.AnyValue), Doc: "The tools of a sequence."},
		{Key: "goal", Type: schema.NonEmptyString, Doc: "The goal."},
	},
}

var textsType = schema.UnionOf(schema.String, v4.StringList)

// retiredField returns a key that Head refuses, with its current name.
func retiredField(key string, in agentv.Scope) *schema.Field {
	name, _, _ := agentv.ReadableTermFor(key, in, agentv.Head)
	f := &schema.Field{Key: key, Type: schema.AnyValue, RemovedIn: v4.RemovedAtLatest, ReplacedBy: name.Text, Doc: "The older name of `" + name.Text + "`."}
	for _, t := range agentv.LookupConcept(key, in).Terms {
		if t.Text == key && t.Scope == in {
			f.RemovedIn = t.RemovedSince
		}
	}
	return f
}

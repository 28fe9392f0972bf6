package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// headCriterionType is the table of a criterion in Head. If a list has no recognisable criterion,
// the judge gets the list as it is, without weights and gates.
var headCriterionType = newCriterionType("takes the list for free text", headGateField)

// headEntryTable is the table of Head's assertions.
var headEntryTable = func() *entryTable {
	e := newEntryTable(agentv.Head, &schema.Field{Key: "metric", Informational: true, Type: schema.NonEmptyString, Default: "made of the type and the value", Example: "accuracy", Doc: "The assertion's name in results."})
	judged := append([]*schema.Field{
		{
			Key: "value", Type: schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.NonEmptyString, headCriterionType)), schema.Object),
			Example: []string{"States that the refund window is 30 days"},
			Doc:     "One criterion or a list. The judge gets any other value as it is.",
		},
		{Key: "score_ranges", Type: rangesField.Type, OnInvalid: refusesTest, Doc: "The meaning of the scores, if `value` is one text."},
		lenientThresholdField,
	}, judgeFields(schema.UnionOf(schema.String, schema.ListOf(anyValue), schema.Object))...)
	for _, kind := range []struct{ name, doc string }{
		{"llm-rubric", "A model grades by the criteria."}, {"agent-rubric", "An agent grades by the criteria, with tools."},
	} {
		t := e.addType(kind.name, kind.doc, judged...)
		t.RequireAny, t.OnMissingAll = []string{"value", "prompt"}, skipsAssertion
	}
	program := e.addType("script", programDoc, append(programFields(), retiredField("script", agentv.InGrader))...)
	program.OtherValues, program.RequireAny, program.OnMissingAll = anyValue, []string{"command"}, skipsAssertion
	e.addType("assert-set", "Several assertions that count as one. With a `threshold`, their mean must reach it; without one, each must pass.",
		&schema.Field{Key: "assert", Type: e.listType, Required: true, OnInvalid: skipsAssertion, Doc: "The members; plain texts and sets are allowed."},
		lenientThresholdField, &schema.Field{Key: "config", Type: schema.Object, Doc: "Passed to every member."})
	e.addDeterministic()
	e.addExternal()
	for _, t := range e.anyType.Choices {
		if len(t.TagValues) > 0 {
			t.Fields = append(t.Fields, newRemovedFields("Changed answers before they were graded.", refusesFile, "postprocess")...)
		}
	}
	return e
}()

// addExternal adds the types that something other than the runner grades.
func (e *entryTable) addExternal() {
	value := &schema.Field{Key: "value", Type: schema.NonEmptyString, Required: true, OnInvalid: skipsAssertion, Doc: "The function, the program, the URL, or the text to compare with."}
	for _, kind := range []struct{ name, doc string }{
		{"javascript", "A JavaScript function grades."}, {"python", "A Python function grades."},
		{"webhook", "A service grades."}, {"similar", "The answer is similar to the value in meaning; the default threshold is 0.75."},
	} {
		e.addType(kind.name, kind.doc, value, lenientThresholdField).OtherValues = anyValue
	}
	for _, kind := range []struct{ name, doc string }{
		{"skill-used", "A skill was used."}, {"not-skill-used", "A skill was not used."},
		{"trajectory:tool-used", "A tool was called."}, {"trajectory:tool-args-match", "A tool was called with these arguments."},
		{"trajectory:tool-sequence", "Tools were called in this order."}, {"trajectory:step-count", "The number of steps is as expected."},
		{"trajectory:goal-success", "The steps reached the goal."},
	} {
		e.addType(kind.name, kind.doc, &schema.Field{Key: "value", Type: anyValue, Doc: "The expected value."}, lenientThresholdField).OtherValues = anyValue
	}
}

// retiredField returns a key that Head refuses, with its current name.
func retiredField(key string, in agentv.Scope) *schema.Field {
	name, _, _ := agentv.ReadableTermFor(key, in, agentv.Head)
	f := &schema.Field{Key: key, Type: anyValue, RemovedIn: removedAtLatest, ReplacedBy: name.Text, Doc: "The older name of `" + name.Text + "`."}
	for _, t := range agentv.LookupConcept(key, in).Terms {
		if t.Text == key && t.Scope == in {
			f.RemovedIn = t.RemovedSince
		}
	}
	return f
}

package tables

import (
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/schema"
)

// headCriterion is a criterion of Head. A list in which none is recognised is
// taken as it is: what the judge is told, without weights and gates.
var headCriterion = criterion("takes the list for free text", headGate)

// headEntries are the assertions of Head.
var headEntries = func() *entries {
	e := newEntries(agentv.Head, &schema.Field{Key: "metric", Type: schema.NonEmptyString, Default: "made of the type and the value", Example: "accuracy", Doc: "The assertion's name in results."})
	judged := append([]*schema.Field{
		{
			Key: "value", Type: schema.UnionOf(schema.String, schema.ListOf(schema.UnionOf(schema.NonEmptyString, headCriterion)), schema.Object),
			Example: []string{"States that the refund window is 30 days"},
			Doc:     "The criteria, one or a list; anything else is what the judge is told, in its own words.",
		},
		{Key: "score_ranges", Type: rangesField.Type, OnInvalid: refusesTest, Doc: "What scores mean, where `value` is one text."},
		thresholdIgnored,
	}, judgeFields(schema.UnionOf(schema.String, schema.ListOf(freely), schema.Object))...)
	for _, kind := range []struct{ name, doc string }{
		{"llm-rubric", "A model grades by the criteria."}, {"agent-rubric", "An agent grades by the criteria, with tools."},
	} {
		t := e.add(kind.name, kind.doc, judged...)
		t.RequireAny, t.OnMissingAll = []string{"value", "prompt"}, skipsEntry
	}
	program := e.add("script", programDoc, append(programFields(), goneField("script", agentv.InGrader))...)
	program.OtherValues, program.RequireAny, program.OnMissingAll = freely, []string{"command"}, skipsEntry
	e.add("assert-set", "Several assertions that count as one: with a `threshold` their mean has to reach it, without one each has to pass.",
		&schema.Field{Key: "assert", Type: e.list, Required: true, OnInvalid: skipsEntry, Doc: "The members, plain texts and sets among them."},
		thresholdIgnored, &schema.Field{Key: "config", Type: schema.Object, Doc: "Handed to every member."})
	e.deterministic()
	e.services()
	for _, t := range e.any.Choices {
		if len(t.TagValues) > 0 {
			t.Fields = append(t.Fields, removed("Changed answers before they were graded.", refusesFile, "postprocess")...)
		}
	}
	return e
}()

// services adds what is graded by something else than the runner.
func (e *entries) services() {
	value := &schema.Field{Key: "value", Type: schema.NonEmptyString, Required: true, OnInvalid: skipsEntry, Doc: "The function, the program or the URL, or what is compared with."}
	for _, kind := range []struct{ name, doc string }{
		{"javascript", "A function in JavaScript grades."}, {"python", "A function in Python grades."},
		{"webhook", "A service grades."}, {"similar", "The answer is near the value in meaning, by default with a likeness of 0.75."},
	} {
		e.add(kind.name, kind.doc, value, thresholdIgnored).OtherValues = freely
	}
	for _, kind := range []struct{ name, doc string }{
		{"skill-used", "A skill was used."}, {"not-skill-used", "A skill was not used."},
		{"trajectory:tool-used", "A tool was called."}, {"trajectory:tool-args-match", "A tool was called with these arguments."},
		{"trajectory:tool-sequence", "Tools were called in this order."}, {"trajectory:step-count", "There were so many steps."},
		{"trajectory:goal-success", "The steps reached the goal."},
	} {
		e.add(kind.name, kind.doc, &schema.Field{Key: "value", Type: freely, Doc: "What is expected."}, thresholdIgnored).OtherValues = freely
	}
}

// goneField is a key that Head refuses, by whatever name it has now.
func goneField(key string, in agentv.Place) *schema.Field {
	name, _, _ := agentv.Rename(key, in, agentv.Head)
	f := &schema.Field{Key: key, Type: freely, RemovedIn: bestForget, ReplacedBy: name.Text, Doc: "The older name of `" + name.Text + "`."}
	for _, t := range agentv.ConceptOf(key, in).Terms {
		if t.Text == key && t.In == in {
			f.RemovedIn = t.Went
		}
	}
	return f
}

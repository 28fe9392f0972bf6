package report_test

import (
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// sample has one of everything: a checklist, ranges, a failed gate, something
// ungraded, a composite, a case that could not be run. Scores, gates and reasons
// are made from the grades by the same code as a run's.
func sample() report.Report {
	shop := report.Suite{Name: "shop", Path: "evals/shop.eval.yaml"}
	var records []run.Record
	for _, rec := range []run.Record{checklist(), ranges(), ungraded(), composite(), unreachableRecord()} {
		rec.Dataset, rec.Target, rec.Judge = "shop", "support-agent", "offline"
		rec.Timestamp = "2026-03-14T15:09:26.000Z"
		records = append(records, run.Rescore(rec, score.Spec))
	}
	shop.Records = records
	greetings := report.Suite{Name: "greetings", Path: "evals/greetings.eval.yaml", Records: []run.Record{run.Rescore(nearlyPassing(), score.AgentV)}}
	return report.Report{Notice: "graded by a stand-in, not a model", Suites: []report.Suite{shop, greetings}}
}

func rubricGrader(name string, criteria []run.CriterionRecord, grades ...score.Grade) run.GraderRecord {
	return run.GraderRecord{Name: name, Type: rubric.LLMJudge, Weight: 1, Criteria: criteria, Result: score.Result{Grades: grades}}
}

func yes(id, why string) score.Grade {
	return score.Grade{ID: id, Satisfied: new(true), Reasoning: why}
}
func no(id, why string) score.Grade {
	return score.Grade{ID: id, Satisfied: new(false), Reasoning: why}
}
func raw(id string, of10 float64, why string) score.Grade {
	return score.Grade{ID: id, Score: &of10, Reasoning: why}
}

func checklist() run.Record {
	g := rubricGrader("rubric", []run.CriterionRecord{
		{ID: "window", Text: "States that the refund window is 30 days", Weight: 2, Required: true},
		{ID: "order-number", Text: "Asks for the order number", Weight: 1, Required: true},
		{ID: "label", Text: "Offers a prepaid return label", Weight: 0.5},
	}, yes("window", "It says that the window is 30 days."), yes("order-number", "It asks for it in the second sentence."), no("label", "No label is mentioned."))
	g.Request = &run.Request{System: "You are a strict judge. Reply with JSON.", User: "Question: Can I send the lamp back?\n\nAnswer: Our refund window is 30 days."}
	g.Replies = []judge.Reply{
		{Text: `Sure! Here is what I found.`, Model: "stand-in", Problems: []string{"it is not JSON: no `{` was found"}},
		{Text: `{"checks": [{"id": "window", "satisfied": true, "reasoning": "It says that the window is 30 days."}]}`, Model: "stand-in", Attempt: 1, Usage: judge.Usage{}},
	}
	return run.Record{
		EvalID: "refund-window", Question: "I bought a lamp three weeks ago and it flickers.\nCan I send it back?",
		ExpectedOutcome: "Explains the refund policy and the next step",
		CandidateAnswer: "I am sorry the lamp flickers. Our refund window is 30 days, so three weeks is within it.\nWhat is your order number?",
		Graders:         []run.GraderRecord{g}, DurationMS: new(1234.0),
		TraceSummary: &grade.Trace{EventCount: new(2), TokenUsage: &grade.Tokens{Input: 812, Output: 96}, CostUSD: new(0.0031)},
	}
}

func ranges() run.Record {
	bands := []run.BandRecord{
		{Range: [2]float64{0, 3}, Text: "Contradicts the review"}, {Range: [2]float64{4, 6}, Text: "Misses the broken lid or the slow support"},
		{Range: [2]float64{7, 9}, Text: "Covers both faults with small omissions"}, {Range: [2]float64{10, 10}, Text: "Covers every point"},
	}
	accuracy := raw("accuracy", 6, "The two weeks of waiting are left out, and the broken lid is called a scratch, which the review does not say anywhere.")
	accuracy.Agreement, accuracy.FlipRate = new(2.0/3), new(0.0)
	for i, of10 := range []float64{6, 6, 5} {
		accuracy.Opinions = append(accuracy.Opinions, score.Opinion{Judge: []string{"strict", "kind", "quick"}[i], Sample: i, Score: &of10, Reasoning: "The waiting is left out."})
	}
	g := rubricGrader("rubric", []run.CriterionRecord{
		{ID: "accuracy", Text: "Covers what the review praises and what it complains of", Weight: 2, MinScore: new(7.0), Bands: bands},
		{ID: "brevity", Weight: 1, Bands: []run.BandRecord{{Range: [2]float64{0, 4}, Text: "Much longer than asked"}, {Range: [2]float64{5, 10}, Text: "Within 30 words"}}},
	}, accuracy, raw("brevity", 10, "It has 21 words."))
	g.Reasoning = "Short, but not to be relied on."
	return run.Record{
		EvalID: "summarise-review", Question: "Summarise the review in under 30 words.", ExpectedOutcome: "An accurate summary",
		CandidateAnswer: "The kettle boils fast and looks lovely, but the lid got a scratch.", Graders: []run.GraderRecord{g}, DurationMS: new(845.0),
	}
}

func ungraded() run.Record {
	g := rubricGrader("rubric", []run.CriterionRecord{
		{ID: "greets", Text: "お客様の名前を呼んで挨拶する", Weight: 1, Required: true},
		{ID: "polite", Text: "Is polite in Japanese (丁寧語) from the first sentence to the last, whatever the customer writes", Weight: 1, Required: true},
	}, yes("greets", "名前がある。"))
	return run.Record{EvalID: "挨拶-japanese", Question: "こんにちは", CandidateAnswer: "田中様、こんにちは。", Graders: []run.GraderRecord{g}}
}

func composite() run.Record {
	quick := run.GraderRecord{Name: "quick", Type: rubric.Latency, Weight: 1, Result: score.PlainResult(1, []string{"it took 0.8 s of at most 2 s"}, nil, "")}
	cheap := run.GraderRecord{Name: "cheap", Type: rubric.Cost, Weight: 3, Result: score.PlainResult(0, nil, []string{"it cost $0.04 of at most $0.01"}, "Four times over."),
		Problems: []string{"the key `currency` is not known; costs are in US dollars"}}
	both := run.GraderRecord{Name: "thrift", Type: rubric.Composite, Weight: 0.5, Aggregator: "weighted_average", Members: []run.GraderRecord{quick, cheap}}
	fields := run.GraderRecord{Name: "fields", Type: rubric.FieldAccuracy, Weight: 2, Result: score.PlainResult(1, []string{"order", "state"}, nil, "2 of 2 fields match")}
	return run.Record{EvalID: "order-status", Question: "Where is order 1042?", CandidateAnswer: `{"order": 1042, "state": "shipped"}`, Graders: []run.GraderRecord{fields, both}}
}

func unreachableRecord() run.Record {
	const says = "the target gave no answer: it timed out after 2m0s"
	return run.Record{EvalID: "opening-hours", Question: "When are you open?", Verdict: score.Ungraded, Error: says, Reasons: []string{says}, Ungraded: 1, Profile: score.Spec}
}

// nearlyPassing is scored by the profile that forgets what was not graded, and is less
// than a thousandth below a pass.
func nearlyPassing() run.Record {
	g := rubricGrader("rubric", []run.CriterionRecord{
		{ID: "warm", Text: "Is warm", Weight: 79996, Required: false}, {ID: "short", Text: "Is short", Weight: 20004}, {ID: "lost", Text: "Says goodbye", Weight: 1},
	}, yes("warm", ""), no("short", "It rambles."))
	return run.Record{EvalID: "hello", CandidateAnswer: "Hello!", Graders: []run.GraderRecord{g}}
}

package agentv

// What is written under names that are not alike in it.
const (
	oneTarget   = "a target's name"
	manyTargets = "a list of targets or their names"
	ofTen       = "a whole number from 0 to 10"
	ofOne       = "a number above 0 and up to 1"
)

// Concepts are the things in files that have had more than one name. In one
// place a key names one concept, whatever the version.
var Concepts = []Concept{
	{"the list of cases", []Term{
		{Text: "testcases", In: InFile, Went: "2025-11-15"},
		{Text: "evalcases", In: InFile, Came: "2025-11-15", Old: "2026-02-18", Went: "2026-07-06"},
		{Text: "eval_cases", In: InFile, Came: "2026-02-18", Old: "2026-02-19", Went: "2026-07-06"},
		{Text: "cases", In: InFile, Came: "2026-02-19", Went: "2026-02-20"},
		{Text: "tests", In: InFile, Came: "2026-02-20"},
	}},
	{"how cases are graded by default", []Term{
		{Text: "grader", In: InFile, Went: "2025-11-22"},
		{Text: "evaluator", In: InFile, Came: "2025-11-22"},
	}},
	{"the system under test", []Term{
		{Text: "target", In: InFile, Went: "2026-07-07", Form: oneTarget},
		{Text: "providers", In: InFile, Came: "2026-07-07", Form: manyTargets},
	}},
	{"the list of targets", []Term{
		{Text: "targets", In: InTargets, Went: "2026-07-07"},
		{Text: "providers", In: InTargets, Came: "2026-07-07"},
	}},
	{"the suite's graders", []Term{
		{Text: "evaluators", In: InExecution, Old: "2026-02-21", Went: "2026-07-03"},
		{Text: "assert", In: InFile, Came: "2026-02-21", Old: "2026-03-15", Went: "2026-06-30"},
		{Text: "assertions", In: InFile, Came: "2026-03-15", Went: "2026-07-03"},
		{Text: "assert", In: InFile, Came: "2026-07-03"},
	}},
	{"the goal of a case", []Term{
		{Text: "outcome", In: InCase, Came: "2025-11-15", Old: "2025-12-16", Went: "2026-02-19"},
		{Text: "expected_outcome", In: InCase, Came: "2025-12-16", Old: "2026-02-19"},
		{Text: "criteria", In: InCase, Came: "2026-02-19"},
	}},
	{"the prompt", []Term{
		{Text: "input_messages", In: InCase, Came: "2025-11-15", Went: "2026-02-20"},
		{Text: "input", In: InCase, Came: "2026-01-21", Went: "2026-07-03"},
		{Text: "prompts", In: InFile, Came: "2026-07-03"}, // with what differs from case to case in `vars`
	}},
	{"the reference answer", []Term{
		{Text: "expected_messages", In: InCase, Came: "2025-11-15", Went: "2026-02-20"},
		{Text: "expected_output", In: InCase, Came: "2026-01-21", Went: "2026-07-03"},
		{Text: "expected_output", In: InVars, Came: "2026-07-03"},
	}},
	{"the graders of a case", []Term{
		{Text: "evaluators", In: InCase, Old: "2026-02-21", Went: "2026-07-03"},
		{Text: "assert", In: InCase, Came: "2026-02-21", Old: "2026-03-15", Went: "2026-06-30"},
		{Text: "assertions", In: InCase, Came: "2026-03-15", Went: "2026-07-03"},
		{Text: "assert", In: InCase, Came: "2026-07-03"},
	}},
	{"the members of a grader", []Term{
		{Text: "evaluators", In: InGrader, Came: "2025-12-17", Old: "2026-02-21", Went: "2026-07-03"},
		{Text: "assert", In: InGrader, Came: "2026-02-21", Old: "2026-03-15", Went: "2026-06-30"},
		{Text: "assertions", In: InGrader, Came: "2026-03-15", Went: "2026-07-03"},
		{Text: "assert", In: InGrader, Came: "2026-07-03"},
	}},
	{"the name of a grader", []Term{
		{Text: "name", In: InGrader, Went: "2026-07-03"},
		{Text: "metric", In: InGrader, Came: "2026-07-03"},
	}},
	{"the program of a grader", []Term{
		{Text: "script", In: InGrader, Old: "2026-02-24", Went: "2026-07-03"},
		{Text: "command", In: InGrader, Came: "2026-02-24"},
	}},
	{"the rubric of a grader", []Term{
		{Text: "criteria", In: InGrader, Came: "2026-02-21", Went: "2026-07-03"}, // of the type `rubrics` alone
		{Text: "rubrics", In: InGrader, Came: "2025-12-16", Went: "2026-07-03"},
		{Text: "value", In: InGrader, Came: "2026-07-03"},
	}},
	{"a grader that is a program", []Term{
		{Text: "code", In: InType, Went: "2026-02-06"}, // or earlier: the seed's oldest pages have it
		{Text: "code_judge", In: InType, Old: "2026-03-05", Went: "2026-03-25"},
		{Text: "code-judge", In: InType, Came: "2026-03-05", Old: "2026-03-16", Went: "2026-03-25"},
		{Text: "code-grader", In: InType, Came: "2026-03-16", Went: "2026-07-03"},
		{Text: "script", In: InType, Came: "2026-07-03"},
	}},
	{"a grader that is a model", []Term{
		{Text: "llm_judge", In: InType, Old: "2026-03-05", Went: "2026-03-25"},
		{Text: "rubrics", In: InType, Came: "2026-02-21", Went: "2026-07-03"},
		{Text: "llm-judge", In: InType, Came: "2026-03-05", Old: "2026-03-16", Went: "2026-03-25"},
		{Text: "llm-grader", In: InType, Came: "2026-03-16", Went: "2026-07-08"},
		{Text: "llm-rubric", In: InType, Came: "2026-07-03"},
	}},
	{"a grader made of others", []Term{
		{Text: "composite", In: InType, Came: "2025-12-17", Went: "2026-07-04"},
		{Text: "assert-set", In: InType, Came: "2026-07-04"},
	}},
	{"a grader of tool calls", []Term{
		{Text: "tool_trajectory", In: InType, Came: "2025-12-18", Old: "2026-03-05", Went: "2026-07-03"},
		{Text: "tool-trajectory", In: InType, Came: "2026-03-05", Went: "2026-07-06"},
	}},
	hyphenated("a grader of single fields", "field_accuracy", "field-accuracy", "2026-01-04"),
	hyphenated("a limit on tokens", "token_usage", "token-usage", "2026-01-04"),
	hyphenated("a limit on several measures", "execution_metrics", "execution-metrics", "2026-02-13"),
	{"the text of a criterion", []Term{
		{Text: "description", In: InCriterion, Came: "2025-12-16", Old: "2026-01-22", Went: "2026-02-19"},
		{Text: "expected_outcome", In: InCriterion, Came: "2026-01-22", Went: "2026-02-19"},
		{Text: "criteria", In: InCriterion, Came: "2026-06-19", Old: "2026-06-19"}, // or earlier; read beside `outcome`
		{Text: "outcome", In: InCriterion, Came: "2026-02-19"},
	}},
	{"the text of a range", []Term{
		{Text: "description", In: InRange, Came: "2026-01-22", Old: "2026-01-22", Went: "2026-02-19"},
		{Text: "expected_outcome", In: InRange, Came: "2026-01-22", Went: "2026-02-19"},
		{Text: "outcome", In: InRange, Came: "2026-02-19"},
	}},
	{"the least score of a criterion", []Term{
		{Text: "required_min_score", In: InCriterion, Came: "2026-01-22", Old: "2026-04-06", Went: "2026-07-03", Form: ofTen},
		{Text: "min_score", In: InCriterion, Came: "2026-04-06", Form: ofOne},
	}},
}

// hyphenated is a type of graders that was written with underscores first.
func hyphenated(what, old, name, came string) Concept {
	return Concept{what, []Term{
		{Text: old, In: InType, Came: came, Old: "2026-03-05", Went: "2026-07-03"},
		{Text: name, In: InType, Came: "2026-03-05"},
	}}
}

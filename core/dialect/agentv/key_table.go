package agentv

// Forms of values, for concepts whose terms differ in form.
const (
	singleTarget = "a target's name"
	targetList   = "a list of targets or their names"
	scoreOfTen   = "a whole number from 0 to 10"
	shareOfOne   = "a number above 0 and up to 1"
)

// Concepts lists the keys and types that have been renamed between versions. Within a scope,
// each name belongs to one concept in all versions.
var Concepts = []Concept{
	{"the list of cases", []Term{
		{Text: "testcases", Scope: InFile, RemovedSince: "2025-11-15"},
		{Text: "evalcases", Scope: InFile, Since: "2025-11-15", DeprecatedSince: "2026-02-18", RemovedSince: "2026-07-06"},
		{Text: "eval_cases", Scope: InFile, Since: "2026-02-18", DeprecatedSince: "2026-02-19", RemovedSince: "2026-07-06"},
		{Text: "cases", Scope: InFile, Since: "2026-02-19", RemovedSince: "2026-02-20"},
		{Text: "tests", Scope: InFile, Since: "2026-02-20"},
	}},
	{"how cases are graded by default", []Term{
		{Text: "grader", Scope: InFile, RemovedSince: "2025-11-22"},
		{Text: "evaluator", Scope: InFile, Since: "2025-11-22"},
	}},
	{"the system under test", []Term{
		{Text: "target", Scope: InFile, RemovedSince: "2026-07-07", ValueForm: singleTarget},
		{Text: "providers", Scope: InFile, Since: "2026-07-07", ValueForm: targetList},
	}},
	{"the list of targets", []Term{
		{Text: "targets", Scope: InTargets, RemovedSince: "2026-07-07"},
		{Text: "providers", Scope: InTargets, Since: "2026-07-07"},
	}},
	{"the suite's graders", []Term{
		{Text: "evaluators", Scope: InExecution, DeprecatedSince: "2026-02-21", RemovedSince: "2026-07-03"},
		{Text: "assert", Scope: InFile, Since: "2026-02-21", DeprecatedSince: "2026-03-15", RemovedSince: "2026-06-30"},
		{Text: "assertions", Scope: InFile, Since: "2026-03-15", RemovedSince: "2026-07-03"},
		{Text: "assert", Scope: InFile, Since: "2026-07-03"},
	}},
	{"the goal of a case", []Term{
		{Text: "outcome", Scope: InCase, Since: "2025-11-15", DeprecatedSince: "2025-12-16", RemovedSince: "2026-02-19"},
		{Text: "expected_outcome", Scope: InCase, Since: "2025-12-16", DeprecatedSince: "2026-02-19"},
		{Text: "criteria", Scope: InCase, Since: "2026-02-19"},
	}},
	{"the prompt", []Term{
		{Text: "input_messages", Scope: InCase, Since: "2025-11-15", RemovedSince: "2026-02-20"},
		{Text: "input", Scope: InCase, Since: "2026-01-21", RemovedSince: "2026-07-03"},
		{Text: "prompts", Scope: InFile, Since: "2026-07-03"}, // `vars` holds the values that differ between cases
	}},
	{"the reference answer", []Term{
		{Text: "expected_messages", Scope: InCase, Since: "2025-11-15", RemovedSince: "2026-02-20"},
		{Text: "expected_output", Scope: InCase, Since: "2026-01-21", RemovedSince: "2026-07-03"},
		{Text: "expected_output", Scope: InVars, Since: "2026-07-03"},
	}},
	{"the graders of a case", []Term{
		{Text: "evaluators", Scope: InCase, DeprecatedSince: "2026-02-21", RemovedSince: "2026-07-03"},
		{Text: "assert", Scope: InCase, Since: "2026-02-21", DeprecatedSince: "2026-03-15", RemovedSince: "2026-06-30"},
		{Text: "assertions", Scope: InCase, Since: "2026-03-15", RemovedSince: "2026-07-03"},
		{Text: "assert", Scope: InCase, Since: "2026-07-03"},
	}},
	{"the members of a grader", []Term{
		{Text: "evaluators", Scope: InGrader, Since: "2025-12-17", DeprecatedSince: "2026-02-21", RemovedSince: "2026-07-03"},
		{Text: "assert", Scope: InGrader, Since: "2026-02-21", DeprecatedSince: "2026-03-15", RemovedSince: "2026-06-30"},
		{Text: "assertions", Scope: InGrader, Since: "2026-03-15", RemovedSince: "2026-07-03"},
		{Text: "assert", Scope: InGrader, Since: "2026-07-03"},
	}},
	{"the name of a grader", []Term{
		{Text: "name", Scope: InGrader, RemovedSince: "2026-07-03"},
		{Text: "metric", Scope: InGrader, Since: "2026-07-03"},
	}},
	{"the program of a grader", []Term{
		{Text: "script", Scope: InGrader, DeprecatedSince: "2026-02-24", RemovedSince: "2026-07-03"},
		{Text: "command", Scope: InGrader, Since: "2026-02-24"},
	}},
	{"the rubric of a grader", []Term{
		{Text: "criteria", Scope: InGrader, Since: "2026-02-21", RemovedSince: "2026-07-03"}, // only for the type `rubrics`
		{Text: "rubrics", Scope: InGrader, Since: "2025-12-16", RemovedSince: "2026-07-03"},
		{Text: "value", Scope: InGrader, Since: "2026-07-03"},
	}},
	{"a grader that is a program", []Term{
		{Text: "code", Scope: InType, RemovedSince: "2026-02-06"}, // or earlier: the seed's oldest pages have it
		{Text: "code_judge", Scope: InType, DeprecatedSince: "2026-03-05", RemovedSince: "2026-03-25"},
		{Text: "code-judge", Scope: InType, Since: "2026-03-05", DeprecatedSince: "2026-03-16", RemovedSince: "2026-03-25"},
		{Text: "code-grader", Scope: InType, Since: "2026-03-16", RemovedSince: "2026-07-03"},
		{Text: "script", Scope: InType, Since: "2026-07-03"},
	}},
	{"a grader that is a model", []Term{
		{Text: "llm_judge", Scope: InType, DeprecatedSince: "2026-03-05", RemovedSince: "2026-03-25"},
		{Text: "rubrics", Scope: InType, Since: "2026-02-21", RemovedSince: "2026-07-03"},
		{Text: "llm-judge", Scope: InType, Since: "2026-03-05", DeprecatedSince: "2026-03-16", RemovedSince: "2026-03-25"},
		{Text: "llm-grader", Scope: InType, Since: "2026-03-16", RemovedSince: "2026-07-08"},
		{Text: "llm-rubric", Scope: InType, Since: "2026-07-03"},
	}},
	{"a grader made of others", []Term{
		{Text: "composite", Scope: InType, Since: "2025-12-17", RemovedSince: "2026-07-04"},
		{Text: "assert-set", Scope: InType, Since: "2026-07-04"},
	}},
	{"a grader of tool calls", []Term{
		{Text: "tool_trajectory", Scope: InType, Since: "2025-12-18", DeprecatedSince: "2026-03-05", RemovedSince: "2026-07-03"},
		{Text: "tool-trajectory", Scope: InType, Since: "2026-03-05", RemovedSince: "2026-07-06"},
	}},
	hyphenatedType("a grader of single fields", "field_accuracy", "field-accuracy", "2026-01-04"),
	hyphenatedType("a limit on tokens", "token_usage", "token-usage", "2026-01-04"),
	hyphenatedType("a limit on several measures", "execution_metrics", "execution-metrics", "2026-02-13"),
	{"the text of a criterion", []Term{
		{Text: "description", Scope: InCriterion, Since: "2025-12-16", DeprecatedSince: "2026-01-22", RemovedSince: "2026-02-19"},
		{Text: "expected_outcome", Scope: InCriterion, Since: "2026-01-22", RemovedSince: "2026-02-19"},
		{Text: "criteria", Scope: InCriterion, Since: "2026-06-19", DeprecatedSince: "2026-06-19"}, // or earlier; read in addition to `outcome`
		{Text: "outcome", Scope: InCriterion, Since: "2026-02-19"},
	}},
	{"the text of a range", []Term{
		{Text: "description", Scope: InRange, Since: "2026-01-22", DeprecatedSince: "2026-01-22", RemovedSince: "2026-02-19"},
		{Text: "expected_outcome", Scope: InRange, Since: "2026-01-22", RemovedSince: "2026-02-19"},
		{Text: "outcome", Scope: InRange, Since: "2026-02-19"},
	}},
	{"the least score of a criterion", []Term{
		{Text: "required_min_score", Scope: InCriterion, Since: "2026-01-22", DeprecatedSince: "2026-04-06", RemovedSince: "2026-07-03", ValueForm: scoreOfTen},
		{Text: "min_score", Scope: InCriterion, Since: "2026-04-06", ValueForm: shareOfOne},
	}},
}

// hyphenatedType returns the concept of a grader type that was first written with underscores.
func hyphenatedType(description, oldName, name, since string) Concept {
	return Concept{description, []Term{
		{Text: oldName, Scope: InType, Since: since, DeprecatedSince: "2026-03-05", RemovedSince: "2026-07-03"},
		{Text: name, Scope: InType, Since: "2026-03-05"},
	}}
}

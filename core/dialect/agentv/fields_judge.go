package agentv

import (
	"math"

	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// judgeFields are a model's. The older type must have criteria.
func judgeFields(legacy bool) []*schema.Field {
	rubrics := &schema.Field{
		Key: "rubrics", Type: schema.ListOf(strictCriterionType), AddedIn: "2026-01-22",
		Doc: "The criteria. Unlike those of a case they have to be mappings, and are checked before anything is run.",
	}
	if legacy {
		rubrics.Required, rubrics.OnInvalid, rubrics.Type = true, "skips the evaluator", schema.NonEmptyListOf(strictCriterionType)
	}
	return []*schema.Field{
		rubrics,
		{
			Key: "prompt", Type: schema.UnionOf(schema.String, promptScriptType), Example: "prompts/judge.md",
			Doc: "The judge's own prompt: the text, the path of a file, or a program that writes it. `{{ candidate_answer }}`, " +
				"`{{ question }}`, `{{ expected_outcome }}`, `{{ reference_answer }}`, `{{ input_messages }}`, " +
				"`{{ expected_messages }}` and `{{ output_messages }}` are filled in. Ignored beside `rubrics`.",
		},
		{Key: "model", Type: schema.String, Doc: "For readers: the judge is the target's `judge_target`."},
		{Key: "config", Type: schema.Object, Doc: "Handed to a prompt's program."},
		SamplesField,
	}
}

// SamplesField is a key that is ours.
var SamplesField = &schema.Field{
	Key: "samples", Type: schema.IntegerBetween(1, maxSamples), Default: "what the run says",
	Doc: "How often `rubric` asks the judge, for a vote; a run's `--samples` may be more. AgentV asks once.",
}

const maxSamples = 1000

// ReadSamples is how often a grader is to be judged by its own settings, 0 where they do not
// say.
func ReadSamples(n *yaml.Node) int {
	if f, ok := n.Get("samples").Number(); ok && f == math.Trunc(f) && f >= 1 && f <= maxSamples {
		return int(f)
	}
	return 0
}

var promptScriptType = &schema.Type{
	Name: "prompt-script",
	Doc:  "A program that writes a judge's prompt.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "script", Type: ScriptType, Required: true, Doc: "The program."},
		{Key: "config", Type: schema.Object, Doc: "Handed to it."},
	},
}

// strictCriterionType is a criterion of an evaluator; the loader refuses the case
// for what it lets pass in a case's own rubric.
var strictCriterionType = func() *schema.Type {
	strict := *CriterionType
	strict.Name = "evaluator-criterion"
	strict.Fields = nil
	for _, f := range CriterionType.Fields {
		copied := *f
		switch f.Key {
		case "required_min_score", "score_ranges":
			copied.OnInvalid = "skips the case"
		}
		strict.Fields = append(strict.Fields, &copied)
	}
	return &strict
}()

// ScriptType is a program: its arguments, or a line for the shell.
var ScriptType = schema.UnionOf(schema.NonEmptyString, schema.NonEmptyListOf(schema.String))

func codeJudgeFields() []*schema.Field {
	return []*schema.Field{
		{
			Key: "script", Type: ScriptType, Required: true, OnInvalid: "skips the evaluator", Example: []string{"python", "judge.py"},
			Doc: "The program: its arguments, or a line for the shell.",
		},
		{Key: "cwd", Type: schema.NonEmptyString, Default: "the eval file's folder", Doc: "The folder to run it in."},
		{
			Key: "target", Type: schema.UnionOf(schema.Boolean, ProxyType),
			Doc: "Lets the program ask the judge's model through a local proxy.",
		},
	}
}

// ProxyType is how far a program may use the judge's model.
var ProxyType = &schema.Type{
	Name: "proxy",
	Doc:  "How far a program may use the judge's model.",
	Kind: schema.Map,
	Fields: []*schema.Field{
		{Key: "max_calls", Type: schema.IntegerFrom(0), Default: "50", Doc: "The most calls it may make."},
	},
}

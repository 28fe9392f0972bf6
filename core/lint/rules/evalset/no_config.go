package evalset

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
)

var _ = lint.Register(lint.Rule{
	ID:       "no-config",
	Summary:  "An evalset has no configuration in its folder",
	Severity: diag.Info,
	Highest:  diag.Warning,
	Why: `
ADK looks for ~test_config.json~ in the evalset's folder. Without it, or if its path is mistyped, ADK silently measures
~tool_trajectory_avg_score~ with threshold 1.0 and ~response_match_score~ with threshold 0.8. It then ignores the rubrics
of cases, which is a warning. If you name the configuration on the command line, check it together with the evalset and
turn this rule off.
`,
	Bad: `
{
  ⟦"eval_set_id"⟧: "banking",
  "eval_cases": [
    {
      "eval_id": "balance",
      "conversation": [
        {
          "user_content": { "parts": [{ "text": "What is my balance?" }] },
          "rubrics": [
            { "rubric_id": "amount", "rubric_content": { "text_property": "Names the amount." }, "type": "FINAL_RESPONSE_QUALITY" }
          ]
        }
      ]
    }
  ]
}
`,
	Good: `
{
  "eval_set_id": "banking",
  "eval_cases": [
    {
      "eval_id": "balance",
      "conversation": [
        { "user_content": { "parts": [{ "text": "What is my balance?" }] } }
      ]
    }
  ]
}
`,
	AlsoReports: []string{"no-config"},
	FileName:    "banking.evalset.json",
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.EvalSet, adk.Older, adk.Turns) || p.ADK.IsChunk {
			return
		}
		_, source, known := metricsConfig(p)
		if !known || source != nil {
			return
		}
		at := p.Tree.Root()
		if items := at.List(); len(items) > 0 {
			at = items[0]
		}
		d := p.Report(firstKeySpan(at), "there is no `%s` in this folder; the runner measures `tool_trajectory_avg_score` with threshold 1 and `response_match_score` with threshold 0.8", adk.ConfigName)
		if p.AllContents().HasRubrics {
			d.Severity = diag.Warning
			d.Message += " and ignores the rubrics"
		}
	},
})

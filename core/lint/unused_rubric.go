package lint

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = register(Rule{
	ID:       "unused-rubric",
	Summary:  "No metric judges by a rubric of a case or turn",
	Severity: diag.Error,
	Why: `
A metric takes those rubrics of a case or turn whose ~type~ is exactly its own: ~FINAL_RESPONSE_QUALITY~ for
~rubric_based_final_response_quality_v1~, ~TOOL_USE_QUALITY~ for ~rubric_based_tool_use_quality_v1~. All others are dropped
without a word, those without a type among them, and the case is judged by what is left: a set of safety rubrics without
types can pass with none of them asked. Rubrics of a criterion need no type.

Where the configuration beside the evalset is known, a rubric is also reported if that has no criterion for its type.
`,
	Bad: `
{
  "eval_set_id": "banking",
  "eval_cases": [
    {
      "eval_id": "wire",
      "conversation": [
        {
          "user_content": { "parts": [{ "text": "Wire 900 to Ann." }] },
          "rubrics": [
            { "rubric_id": ⟦"asks"⟧, "rubric_content": { "text_property": "Asks for a confirmation." } }
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
      "eval_id": "wire",
      "conversation": [
        {
          "user_content": { "parts": [{ "text": "Wire 900 to Ann." }] },
          "rubrics": [
            { "rubric_id": "asks", "rubric_content": { "text_property": "Asks for a confirmation." }, "type": "FINAL_RESPONSE_QUALITY" }
          ]
        }
      ]
    }
  ]
}
`,
	FileName:     "banking.evalset.json",
	SiblingFiles: qualityConfig,
	Run: func(p *Pass) {
		if !p.hasADKRole(adk.EvalSet) {
			return
		}
		config, source, _ := p.metricsConfig()
		if source == nil {
			config = nil // see no-config
		}
		for _, list := range p.rubricLists() {
			for _, r := range list.Rubrics {
				switch {
				case !r.Node.IsMap():
				case adk.MetricForRubricType(r.Type) == "":
					p.reportUntypedRubric(r, config)
				case config != nil && config.Criterion(adk.MetricForRubricType(r.Type)) == nil:
					d := p.Report(r.TypeNode.Span, "nothing judges by this rubric: `%s` has no criterion `%s`", adk.ConfigName, adk.MetricForRubricType(r.Type))
					d.Severity = diag.Warning
				}
			}
		}
	},
})

// qualityConfig is a configuration beside an example.
var qualityConfig = map[string]string{
	adk.ConfigName: `{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8, "rubrics": [{"rubric_id": "kind", "rubric_content": {"text_property": "Is kind."}}]}}}`,
}

// reportUntypedRubric reports a rubric that is for no metric, with a fix for each that it
// may be for. Config is nil where nobody knows it.
func (p *Pass) reportUntypedRubric(r adk.LocatedRubric, config *adk.Settings) {
	if r.TypeNode == nil || r.TypeNode.IsNull() {
		at := r.Node
		if r.IDNode != nil {
			at = r.IDNode
		}
		name := "this rubric"
		if r.ID != "" {
			name = "the rubric `" + abbreviate(r.ID) + "`"
		}
		d := p.Report(at.Span, "%s has no `type`, so that no metric judges by it; the runner drops it", name)
		if config != nil && !slices.ContainsFunc(adk.RubricTypes(), func(t string) bool { return config.Criterion(adk.MetricForRubricType(t)) != nil }) {
			config = nil // it takes no rubrics yet
		}
		for _, t := range adk.RubricTypes() {
			if taken := config == nil || config.Criterion(adk.MetricForRubricType(t)) != nil; taken && r.TypeNode == nil {
				d.Fixes = append(d.Fixes, p.addEntryFix("add the type `"+t+"`", r.Node, "type", `"`+t+`"`)...)
			}
		}
		return
	}
	d := p.Report(r.TypeNode.Span, "no metric judges by rubrics of the type `%s`; the runner drops this one", abbreviate(r.Type))
	if near := spell.Nearest(r.Type, adk.RubricTypes()); near != "" {
		d.Message += "; did you mean `" + near + "`?"
		d.Fixes = replaceFix(r.TypeNode, `"`+near+`"`, "change to `"+near+"`")
		d.Fixes[0].Safe = sameLetters(r.Type, near)
	}
}

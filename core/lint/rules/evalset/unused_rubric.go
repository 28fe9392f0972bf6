package evalset

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/spell"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unused-rubric",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if !p.HasADKRole(adk.EvalSet) {
			return
		}
		config, source, _ := metricsConfig(p)
		if source == nil {
			config = nil // see no-config
		}
		for _, list := range rubricLists(p) {
			for _, r := range list.Rubrics {
				switch {
				case !r.Node.IsMap():
				case adk.MetricForRubricType(r.Type) == "":
					reportUntypedRubric(p, r, config)
				case config != nil && config.Criterion(adk.MetricForRubricType(r.Type)) == nil:
					d := p.Report(r.TypeNode.Span, "no metric uses this rubric: `%s` has no criterion `%s`", adk.ConfigName, adk.MetricForRubricType(r.Type))
					d.Severity = diag.Warning
				}
			}
		}
	},
})

// reportUntypedRubric reports a rubric that no metric uses, with a fix for each metric that
// could. Config is nil if the configuration is unknown.
func reportUntypedRubric(p *lint.Pass, r adk.LocatedRubric, config *adk.Settings) {
	if r.TypeNode == nil || r.TypeNode.IsNull() {
		at := r.Node
		if r.IDNode != nil {
			at = r.IDNode
		}
		name := "this rubric"
		if r.ID != "" {
			name = "the rubric `" + lint.Abbreviate(r.ID) + "`"
		}
		d := p.Report(at.Span, "%s has no `type`; the runner drops it", name)
		if config != nil && !slices.ContainsFunc(adk.RubricTypes(), func(t string) bool { return config.Criterion(adk.MetricForRubricType(t)) != nil }) {
			config = nil // the configuration has no rubric metric
		}
		for _, t := range adk.RubricTypes() {
			if taken := config == nil || config.Criterion(adk.MetricForRubricType(t)) != nil; taken && r.TypeNode == nil {
				d.Fixes = append(d.Fixes, fix.AddEntry(p.Source, "add the type `"+t+"`", r.Node, "type", `"`+t+`"`)...)
			}
		}
		return
	}
	d := p.Report(r.TypeNode.Span, "no metric uses rubrics of the type `%s`; the runner drops this one", lint.Abbreviate(r.Type))
	if near := spell.Nearest(r.Type, adk.RubricTypes()); near != "" {
		d.Message += spell.Suggestion(near)
		d.Fixes = fix.Replace(r.TypeNode, `"`+near+`"`, "change to `"+near+"`")
		d.Fixes[0].Safe = spell.SameLetters(r.Type, near)
	}
}

package evalset

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "duplicate-rubric-id",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		for _, list := range rubricLists(p) {
			seen, taken := map[string]*yaml.Node{}, takenRubricIDs(list)
			collectRubricIDs(list.CaseRubrics, seen, nil)
			collectRubricIDs(list.Rubrics, seen, func(id string, at, first *yaml.Node) {
				what := "the runner stops the evaluation"
				if list.Metric != "" {
					what = "the runner does not evaluate the metric"
				}
				d := p.Report(at.Span, "two rubrics have the id `%s`; %s", lint.Abbreviate(id), what)
				d.Notes = []diag.Note{{Span: first.Span, Message: "the first one is here"}}
				d.Fixes = renameRubricFix(at, fix.FreeID(id, "_", taken))
			})
			checkAgainstConfig(p, list)
			checkAgainstEvalsets(p, list)
		}
	},
})

// collectRubricIDs records the first use of each id in seen and passes repeated ids to again.
func collectRubricIDs(list []adk.LocatedRubric, seen map[string]*yaml.Node, again func(id string, at, first *yaml.Node)) {
	for _, r := range list {
		switch first := seen[r.ID]; {
		case r.IDNode == nil || r.ID == "":
		case first == nil:
			seen[r.ID] = r.IDNode
		case again != nil:
			again(r.ID, r.IDNode, first)
		}
	}
}

// checkAgainstConfig compares the rubrics of a case or turn with those of the configuration.
func checkAgainstConfig(p *lint.Pass, list *adk.RubricList) {
	if !p.HasADKRole(adk.EvalSet) {
		return
	}
	_, source, known := metricsConfig(p)
	if !known || source == nil {
		return
	}
	ids, taken := readSiblingConfig(p).rubricIDs, takenRubricIDs(list)
	for _, r := range list.Rubrics {
		name := adk.MetricForRubricType(r.Type)
		if at := ids[rubricID{name, r.ID}]; at != nil && r.IDNode != nil && r.ID != "" {
			d := p.Report(r.IDNode.Span, "a rubric of `%s` in `%s` has the id `%s` too; the runner does not evaluate the metric", name, adk.ConfigName, lint.Abbreviate(r.ID))
			d.Notes = []diag.Note{{Span: at.Span, Message: "the other one is here", Source: source}}
			d.Fixes = renameRubricFix(r.IDNode, fix.FreeID(r.ID, "_", taken))
		}
	}
}

// checkAgainstEvalsets compares the rubrics of a criterion with those of the sibling evalsets.
func checkAgainstEvalsets(p *lint.Pass, list *adk.RubricList) {
	kind := adk.RubricTypeForMetric(list.Metric)
	if kind == "" || !p.HasADKRole(adk.Config) {
		return
	}
	for _, r := range list.Rubrics {
		for _, e := range siblingEvalsets(p) {
			if r.IDNode != nil && e.Rubrics[kind][r.ID] {
				p.Report(r.IDNode.Span, "a rubric in `%s` has the id `%s` too; the runner does not evaluate the metric there", e.name, lint.Abbreviate(r.ID))
			}
		}
	}
}

// renameRubricFix is the fix that gives a rubric the id id.
func renameRubricFix(at *yaml.Node, id string) []diag.Fix {
	return []diag.Fix{{Title: "change to `" + lint.Abbreviate(id) + "`", Edits: []text.Edit{{Span: at.Span, New: scalar.FormatLike(at, id)}}}}
}

// takenRubricIDs returns the ids of a list's rubrics and of those of its case.
func takenRubricIDs(list *adk.RubricList) map[string]bool {
	taken := map[string]bool{}
	for _, r := range slices.Concat(list.Rubrics, list.CaseRubrics) {
		taken[r.ID] = true
	}
	return taken
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "equal-rubrics",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		for _, list := range rubricLists(p) {
			first := map[string]adk.LocatedRubric{}
			for _, r := range list.CaseRubrics {
				first[rubricKey(list, r)] = r
			}
			for _, r := range list.Rubrics {
				key := rubricKey(list, r)
				other, equal := first[key]
				if !equal {
					first[key] = r
					continue
				}
				if strings.TrimSpace(r.Text) == "" || other.ID == r.ID {
					continue // see empty-value, duplicate-rubric-id
				}
				d := p.Report(r.TextNode.Span, "`%s` has the same text as `%s`; verdicts on both may count for the later one", lint.Abbreviate(r.ID), lint.Abbreviate(other.ID))
				d.Notes = []diag.Note{{Span: other.TextNode.Span, Message: "the other one is here"}}
				d.Fixes = fix.RemoveItem(p.Source, r.Node, "remove this rubric")
			}
		}
	},
})

// rubricKey is equal for two rubrics of a metric that a judge's reply cannot distinguish.
func rubricKey(list *adk.RubricList, r adk.LocatedRubric) string {
	kind := r.Type
	if list.Metric != "" {
		kind = ""
	}
	return kind + "\n" + metric.Normalize(metric.Latest, r.Text)
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "multiline-rubric",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		for _, list := range rubricLists(p) {
			for _, r := range list.Rubrics {
				words := strings.TrimSpace(r.Text)
				if !strings.ContainsAny(words, "\n\r\u2028\u2029\u0085\v\f") {
					continue
				}
				d := p.Report(r.TextNode.Span, "the text of `%s` has several lines; a judge's verdict cannot be matched to it", lint.Abbreviate(r.ID))
				if r.TextNode.Style == yaml.DoubleQuoted {
					d.Fixes = fix.Replace(r.TextNode, scalar.Quote(strings.Join(strings.Fields(words), " ")), "put it on one line")
				}
			}
		}
	},
})

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
		name := "this rubric"
		if r.ID != "" {
			name = "the rubric `" + lint.Abbreviate(r.ID) + "`"
		}
		d := p.Report(cmp.Or(r.IDNode, r.Node).Span, "%s has no `type`; the runner drops it", name)
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

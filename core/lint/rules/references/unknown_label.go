package references

import (
	"cmp"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "unknown-label",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		if p.LabelledSuite == nil || p.Tree.HasUnboundedAliases() {
			return
		}
		for _, entry := range p.Tree.Root().Get("labels").Entries() {
			if c := p.LabelledSuite.Case(entry.Key.Value); c == nil {
				reportUnknownID(p, entry.Key, "the eval file has no case", spell.Nearest(entry.Key.Value, p.LabelledSuite.CaseIDs()))
			} else {
				for _, criterion := range entry.Value.Entries() {
					checkLabelID(p, c, criterion.Key)
				}
			}
		}
		for _, n := range p.Tree.Root().Get("judgements").List() {
			id, criterion := n.Get("case"), n.Get("criterion")
			caseID, ok := id.Str()
			if _, named := criterion.Str(); !ok || !named {
				continue
			}
			if c := p.LabelledSuite.Case(caseID); c == nil {
				reportUnknownID(p, id, "the eval file has no case", spell.Nearest(caseID, p.LabelledSuite.CaseIDs()))
			} else {
				checkLabelID(p, c, criterion)
			}
		}
		for _, entry := range p.Tree.Root().Get("examples").Entries() {
			if p.LabelledSuite.Case(entry.Key.Value) == nil {
				reportUnknownID(p, entry.Key, "the eval file has no case", spell.Nearest(entry.Key.Value, p.LabelledSuite.CaseIDs()))
			}
		}
		for _, l := range agentv.ReadLabels(p.Tree) {
			if c := p.LabelledSuite.Case(l.Case); c != nil {
				checkLabelKind(p, allCriteria(grade.GradersOf(c)), l)
			}
		}
	},
})

// checkLabelID reports a label whose id is not that of a criterion of the case.
func checkLabelID(p *lint.Pass, c *rubric.Case, id *yaml.Node) {
	var near string
	var ids []string
	for _, criterion := range allCriteria(grade.GradersOf(c)) {
		if criterion.ID == id.Value && id.Value != "" {
			return
		}
		if criterion.Text == id.Value { // named by its text
			near = criterion.ID
		}
		ids = append(ids, criterion.ID)
	}
	reportUnknownID(p, id, "the case `"+lint.Abbreviate(c.ID)+"` has no criterion", cmp.Or(near, spell.Nearest(id.Value, ids)))
}

// reportUnknownID reports an unknown id and suggests near unless it is empty.
func reportUnknownID(p *lint.Pass, key *yaml.Node, missing, near string) {
	fix.Suggest(p.Report(key.Span, "%s `%s`", missing, lint.Abbreviate(key.Value)), key, near)
}

// checkLabelKind reports a score for a yes-or-no criterion and the reverse.
func checkLabelKind(p *lint.Pass, criteria []*rubric.Criterion, l rubric.Label) {
	for _, c := range criteria {
		switch {
		case c.ID != l.Criterion:
		case c.HasBands() && l.Score == nil:
			p.Report(l.Span, "the criterion `%s` needs a score of 0 to 10", lint.Abbreviate(c.ID))
		case !c.HasBands() && l.Satisfied == nil:
			p.Report(l.Span, "the criterion `%s` needs `true` or `false`", lint.Abbreviate(c.ID))
		}
	}
}

// allCriteria returns the criteria of graders and their members.
func allCriteria(graders []*rubric.Grader) (all []*rubric.Criterion) {
	for _, g := range graders {
		all = append(all, g.Criteria...)
		all = append(all, allCriteria(g.Members)...)
	}
	return all
}

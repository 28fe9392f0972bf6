package lint

import (
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = register(Rule{
	ID:       "unknown-label",
	Summary:  "A person's grade is of a case or a criterion that the eval file does not have, or of another kind than the criterion's",
	Severity: diag.Error,
	Why: `
A labels file gives people's grades by the ids of cases and criteria. A grade under an id that the eval file beside it
does not have is held against no judge, and neither is a score for a criterion that is satisfied or not.
`,
	FileName: "support.labels.yaml",
	Bad: `
labels:
  refund:
    window: true
    ⟦tnoe⟧: 7
  ⟦refnd⟧:
    window: true
`,
	Good: `
labels:
  refund:
    window: true
    tone: 7
`,
	SiblingFiles: map[string]string{"support.eval.yaml": `
evalcases:
  - id: refund
    expected_outcome: Follows the policy
    input: Can I send the lamp back?
    rubrics:
      - id: window
        expected_outcome: States the window of 30 days
      - id: tone
        score_ranges: { 0: Curt, 5: Civil, 10: Warm }
`},
	Run: func(p *Pass) {
		if p.LabelledSuite == nil || p.Tree.HasUnboundedAliases() {
			return
		}
		for _, entry := range p.Tree.Root().Get("labels").Entries() {
			if c := p.LabelledSuite.Case(entry.Key.Value); c == nil {
				p.reportUnknownID(entry.Key, "the eval file has no case", spell.Nearest(entry.Key.Value, p.LabelledSuite.CaseIDs()))
			} else {
				p.checkLabelIDs(c, entry.Value)
			}
		}
		for _, l := range agentv.ReadLabels(p.Tree) {
			if c := p.LabelledSuite.Case(l.Case); c != nil {
				p.checkLabelKind(allCriteria(grade.GradersOf(c)), l)
			}
		}
	},
})

// checkLabelIDs finds the ids that a case's criteria do not have.
func (p *Pass) checkLabelIDs(c *rubric.Case, labels *yaml.Node) {
	goesBy := map[string]string{} // ids, by text and by themselves
	var ids []string
	for _, criterion := range allCriteria(grade.GradersOf(c)) {
		goesBy[criterion.Text] = criterion.ID
		ids = append(ids, criterion.ID)
	}
	for _, id := range ids {
		goesBy[id] = id
	}
	for _, entry := range labels.Entries() {
		name := entry.Key.Value
		near := goesBy[name]
		if near == "" {
			near = spell.Nearest(name, ids)
		}
		if near != name || name == "" {
			p.reportUnknownID(entry.Key, "the case `"+abbreviate(c.ID)+"` has no criterion", near)
		}
	}
}

// reportUnknownID finds fault with an id that may have been meant for the one that is near, if
// any is.
func (p *Pass) reportUnknownID(key *yaml.Node, missing, near string) {
	d := p.Report(key.Span, "%s `%s`", missing, abbreviate(key.Value))
	if near != "" {
		d.Message += "; did you mean `" + near + "`?"
		d.Fixes = replaceFix(key, scalar.FormatLike(key, near), "change to `"+near+"`")
		d.Fixes[0].Safe = false // a guess
	}
}

// checkLabelKind finds a grade that its criterion cannot have.
func (p *Pass) checkLabelKind(criteria []*rubric.Criterion, l rubric.Label) {
	for _, c := range criteria {
		switch {
		case c.ID != l.Criterion:
		case c.HasBands() && l.Score == nil:
			p.reportWrongGrade(l.Span, c, "a score of 0 to 10")
		case !c.HasBands() && l.Satisfied == nil:
			p.reportWrongGrade(l.Span, c, "`true` or `false`")
		}
	}
}

func (p *Pass) reportWrongGrade(at text.Span, c *rubric.Criterion, what string) {
	p.Report(at, "the criterion `%s` is graded with %s", abbreviate(c.ID), what)
}

// allCriteria are those of graders and their members.
func allCriteria(graders []*rubric.Grader) (all []*rubric.Criterion) {
	for _, g := range graders {
		all = append(all, g.Criteria...)
		all = append(all, allCriteria(g.Members)...)
	}
	return all
}

package references

import (
	"cmp"
	"strconv"

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
		for _, key := range []string{"labels", "fingerprints"} {
			for _, entry := range p.Tree.Root().Get(key).Entries() {
				if c := labelledCase(p, entry.Key); c != nil {
					for _, criterion := range entry.Value.Entries() {
						checkLabelID(p, c, criterion.Key)
						checkTurns(p, c, criterion.Value.Get("turns"))
					}
				}
			}
		}
		for _, n := range p.Tree.Root().Get("judgements").List() {
			id, criterion := n.Get("case"), n.Get("criterion")
			_, hasCase := id.Str()
			if _, named := criterion.Str(); !hasCase || !named {
				continue
			}
			if c := labelledCase(p, id); c != nil {
				checkLabelID(p, c, criterion)
			}
		}
		for _, entry := range p.Tree.Root().Get("examples").Entries() {
			labelledCase(p, entry.Key)
		}
		for _, l := range agentv.ReadLabels(p.Tree) {
			if c := p.LabelledSuite.Case(l.Case); c != nil {
				checkLabelKind(p, criteriaOf(c), l)
			}
		}
	},
})

// labelledCase returns the case with an id. It reports an unknown id and returns nil.
func labelledCase(p *lint.Pass, id *yaml.Node) *rubric.Case {
	name := id.Follow().Value
	c := p.LabelledSuite.Case(name)
	if c == nil {
		reportUnknownID(p, id, "the eval file has no case", spell.Nearest(name, p.LabelledSuite.CaseIDs()))
	}
	return c
}

// checkLabelID reports a label whose id is not that of a criterion of the case.
func checkLabelID(p *lint.Pass, c *rubric.Case, id *yaml.Node) {
	var near string
	var ids []string
	for _, criterion := range criteriaOf(c) {
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

// checkTurns reports labels of what is no turn of a conversation.
func checkTurns(p *lint.Pass, c *rubric.Case, turns *yaml.Node) {
	for _, turn := range turns.Entries() {
		if n, err := strconv.Atoi(turn.Key.Value); err != nil || n < 1 {
			p.Report(turn.Key.Span, "there is no turn `%s`; turns are counted from 1", lint.Abbreviate(turn.Key.Value))
		} else if c.Conversation != nil && n > len(c.Conversation.Turns) {
			d := p.Report(turn.Key.Span, "there is no turn `%d`; the case `%s` has %s", n, lint.Abbreviate(c.ID), diag.CountNoun(len(c.Conversation.Turns), "turn"))
			d.Severity = diag.Warning // a recording may be longer
		}
	}
}

// reportUnknownID reports an unknown id and suggests near unless it is empty. There is no fix if near has labels already.
func reportUnknownID(p *lint.Pass, key *yaml.Node, missing, near string) {
	d := p.Report(key.Span, "%s `%s`", missing, lint.Abbreviate(key.Value))
	if fix.Suggest(d, key, near); key.Parent.Pair(near) != nil {
		d.Fixes = nil
	}
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

// criteriaOf returns the criteria that a case is graded by.
func criteriaOf(c *rubric.Case) (all []*rubric.Criterion) {
	for g := range rubric.Walk(grade.GradersOf(c)) {
		all = append(all, g.Criteria...)
	}
	return all
}

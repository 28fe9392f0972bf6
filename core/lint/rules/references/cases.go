package references

import (
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       lint.DuplicateCaseID,
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		add := func(id string, at text.Span) {
			if id != "" {
				fact := lint.Fact{Key: id, CrossFileSeverity: diag.Warning}
				p.AddFact(fact, at, "two cases have the id `%s`", lint.Abbreviate(id))
			}
		}
		if p.HasADKRole(adk.EvalSet, adk.Older) {
			for _, c := range p.Evalset().Cases {
				if c.IDNode != nil {
					add(c.ID, c.IDNode.Span)
				}
			}
		}
		all := p.SortedCases()
		for i, c := range all {
			if i == 0 || all[i-1].Span != c.Span { // one test expands to several cases
				add(c.ID, c.IDSpan)
			}
		}
	},
})

var _ = lint.Register(pages, lint.Rule{
	ID:       "broken-dependency",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		severity, isChanged := p.Severities[lint.DuplicateCaseID]
		isUncounted := isChanged && severity == 0
		for i, c := range p.Suite.Cases {
			isExpanded := i > 0 && p.Suite.Cases[i-1].Span == c.Span // one test becomes several cases
			if c.SourceFile != "" || isExpanded || isUncounted {
				p.AddCase(c.ID)
			}
		}
		if hasText(p.Tree.Root()) { // a chunk is a list of tests
			p.AddCase("")
		}
		for _, key := range []string{"tests", "eval_cases", "cases", "scenarios"} {
			list := p.Tree.Root().Get(key)
			if list != nil && (!list.IsSeq() || key == "scenarios" || hasText(list)) {
				p.AddCase("") // more tests are elsewhere
			}
		}
		for i, c := range p.SortedCases() {
			if len(c.DependsOn) > 0 && (i == 0 || p.SortedCases()[i-1].Span != c.Span) {
				checkDependencies(p, c)
			}
		}
	},
})

func hasText(list *yaml.Node) bool {
	return slices.ContainsFunc(list.List(), func(item *yaml.Node) bool {
		_, isText := item.Str()
		return isText
	})
}

func checkDependencies(p *lint.Pass, c *rubric.Case) {
	entry := p.NodeAt(c.Span).Pair("depends_on")
	if entry == nil {
		return
	}
	items := entry.Value.List()
	if entry.Value.Kind == yaml.Scalar {
		items = []*yaml.Node{entry.Value}
	}
	for _, item := range items {
		id, isText := item.Str()
		switch {
		case !isText:
		case id == c.ID:
			d := p.Report(item.Span, "the test `%s` depends on itself; the runner refuses the file", lint.Abbreviate(id))
			if d.Fixes = fix.RemoveItem(p.Source, item, "remove this one"); d.Fixes == nil {
				d.Fixes = fix.RemoveEntry(p.Source, entry.Key, "remove `depends_on`")
			}
		default:
			p.AddFact(lint.Fact{Key: id, Dependent: c.ID}, item.Span, "no test of this file has the id `%s`; the runner refuses the file", lint.Abbreviate(id))
		}
	}
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "no-cases",
	Severity: diag.Warning,
	Run: func(p *lint.Pass) {
		keys := []string{"evalcases"}
		switch {
		case p.Role == "eval":
		case p.HasADKRole(adk.EvalSet):
			keys = []string{"eval_cases", "evalCases"}
		case p.Role == "eval-v4":
			keys = []string{"tests", "cases", "eval_cases"}
		default:
			return
		}
		for _, key := range keys {
			list := p.Tree.Root().Get(key)
			if list.IsSeq() && len(list.List()) == 0 && !list.Follow().Recovered {
				p.Report(list.Span, "there are no cases in this file")
				return
			}
		}
	},
})

package assist

import (
	"slices"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// allCases are a part's cases, those that the runner skips as well, since what is
// being typed is often one of these. What stands around all cases has one that
// stands for any of them.
func allCases(p *analysis.Chunk) []*rubric.Case {
	cases := slices.Concat(p.Suite.Cases, p.Suite.Skipped)
	if p.Header != nil || len(cases) > 0 || p.Tree.HasUnboundedAliases() {
		return cases
	}
	switch p.Role {
	case agentv.Eval:
		cases = agentv.LowerChunk(p.Tree, wildcardCase("expected_outcome: x\n  input: x"), "").Cases
	case agentv.NewerEval:
		says := "criteria: x\n  input: x"
		if p.Version == agentv.Head {
			says = "criteria: x\n  vars: {}"
		}
		cases = v4.Reader{Version: p.Version}.LowerChunk(p.Tree, wildcardCase(says)).Cases
	}
	for _, c := range cases {
		c.ID, c.Span = "", text.Span{End: len(p.Source.Body) + 1} // it stands nowhere, and so everywhere
	}
	return cases
}

// wildcardCase is a list with a case that leaves it to the file how it is graded. It
// lies beyond every text.
func wildcardCase(says string) *yaml.Tree {
	t := yaml.Parse(text.New("", "- id: x\n  "+says+"\n"))
	t.MapSpans(func(span text.Span) text.Span { return span.Shift(text.HeaderBase) })
	return t
}

package lint

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

var _ = add(Rule{
	ID:       "loader-loss",
	Summary:  "A newer version of the runner leaves something out, or refuses it",
	Severity: diag.Warning,
	Rises:    true,
	Why: `
What fits the format may be lost all the same: a test without anything to grade it, a gate that is not read beside score
ranges, a prompt that is neither a text nor messages. An error where the test or the file is lost by it, a warning
otherwise, and a note where it is not the runner that cannot read something but this program.
`,
	Bad: `
prompts: ["{{ input }}"]
tests:
  - id: ⟦refund⟧
    vars: { input: Can I send the lamp back? }
  - id: manners
    vars: { input: Hello }
    assert:
      - type: llm-rubric
        value:
          - { id: polite, outcome: Greets the user, required: ⟦true⟧, min_score: 0.5, score_ranges: { 0: Curt, 6: Warm } }
`,
	Good: `
prompts: ["{{ input }}"]
tests:
  - id: refund
    vars: { input: Can I send the lamp back? }
    assert: [States that the refund window is 30 days]
  - id: manners
    vars: { input: Hello }
    assert:
      - type: llm-rubric
        value:
          - { id: polite, outcome: Greets the user, min_score: 0.5, score_ranges: { 0: Curt, 6: Warm } }
`,
	Run: func(p *Pass) {
		if p.Suite.Version == "" {
			return // see missing-key, wrong-type and those of what the oldest version loses
		}
		for _, loss := range p.Suite.Losses {
			words, known := lossWords[loss.Kind]
			if !known || p.explained(loss.Span) || loss.Kind == ungraded && p.explained(p.around(loss)) {
				continue
			}
			detail := loss.Detail
			if loss.Kind == incomplete {
				detail = strings.Join(p.lacking(loss), " and no ")
			}
			if loss.Kind == incomplete && detail == "" {
				continue
			}
			d := p.Report(loss.Span, "%s", strings.ReplaceAll(words.text, "%s", shortened(detail)))
			if loss.Level == rubric.Refuses {
				d.Severity = diag.Error
			}
			if words.ours {
				d.Severity = diag.Info
			}
		}
	},
})

// around is where the test of a loss stands that is shown by the test's head.
func (p *Pass) around(loss rubric.Loss) text.Span {
	for _, c := range slices.Concat(p.Suite.Cases, p.Suite.Skipped) {
		if c.Head == loss.Span {
			return c.Span
		}
	}
	return loss.Span
}

// explained reports whether it is said already that what is there does not fit.
func (p *Pass) explained(span text.Span) bool {
	return slices.ContainsFunc(p.Shape, func(m conform.Mismatch) bool {
		return !m.Harmless() && m.Span.Start <= span.End && span.Start <= m.Span.End
	})
}

// Kinds of losses of a test as a whole.
const (
	incomplete = "case_incomplete_skipped" // its detail names what the test lacks
	ungraded   = "test_asserts_nothing"
)

// lacking is what a skipped test lacks and nothing else tells of. A key of another
// name may be it.
func (p *Pass) lacking(loss rubric.Loss) (names []string) {
	within := p.around(loss)
	for name := range strings.SplitSeq(loss.Detail, ", ") {
		told := slices.ContainsFunc(p.Shape, func(m conform.Mismatch) bool {
			named := m.Field != nil && m.Field.Key == name || m.Near != "" && m.Owner != nil && m.Owner.Name == "test"
			return named && within.Contains(m.Span) && !m.Harmless()
		})
		if !told {
			names = append(names, name)
		}
	}
	return names
}

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
ranges, a prompt that is neither a text nor messages. An error where the file, a test or what grades it is lost, a warning
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
		for _, loss := range p.Suite.Losses {
			words, known := lossWords[loss.Kind]
			if !known || p.explained(loss) || p.Suite.Version == "" && loss.Kind != dropped {
				continue // of the oldest version see missing-key, wrong-type and those of its evaluators
			}
			detail := loss.Detail
			if loss.Kind == incomplete {
				detail = strings.Join(p.lacking(loss), " and no ")
			}
			if loss.Kind == incomplete && detail == "" {
				continue
			}
			d := p.Report(loss.Span, "%s", strings.ReplaceAll(words.text, "%s", shortened(detail)))
			if costly(loss) {
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

// explained reports whether a mismatch at the place of a loss tells of it.
func (p *Pass) explained(loss rubric.Loss) bool {
	span := loss.Span
	if loss.Kind == ungraded {
		span = p.around(loss)
	}
	return slices.ContainsFunc(p.Shape, func(m conform.Mismatch) bool {
		return touch(m.Span, span) && tells(m, loss)
	})
}

// tells reports whether a finding about a mismatch is grave enough to tell of a loss: of a
// costly one only an error is.
func tells(m conform.Mismatch, loss rubric.Loss) bool {
	return !m.Harmless() && (m.Refused || !slices.Contains(mild, m.Kind) || !costly(loss))
}

// mild are the kinds of mismatches that need be no errors.
var mild = []conform.Kind{conform.Absent, conform.Blank, conform.TwoNames, conform.UnknownKey, conform.RetiredKey}

func touch(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// costly reports whether the runner leaves out a test, a grader or a criterion, so that
// a run passes without it.
func costly(l rubric.Loss) bool {
	return l.Level == rubric.Refuses || strings.HasSuffix(l.Kind, "_skipped") || strings.HasSuffix(l.Kind, "_dropped")
}

// blame marks the empty values for which the runner leaves something out as refused.
func (p *Pass) blame() {
	for _, loss := range p.Suite.Losses {
		for i, m := range p.Shape {
			if costly(loss) && (m.Kind == conform.Absent || m.Kind == conform.Blank) && (touch(m.Span, loss.Span) || p.isLacked(m, loss)) {
				p.Shape[i].Refused = true
			}
		}
	}
}

// isLacked reports whether a mismatch is about a key that a skipped test lacks.
func (p *Pass) isLacked(m conform.Mismatch, loss rubric.Loss) bool {
	return loss.Kind == incomplete && m.Field != nil && slices.Contains(strings.Split(loss.Detail, ", "), m.Field.Key) && p.around(loss).Contains(m.Span)
}

// Kinds of losses of a test as a whole.
const (
	incomplete = "case_incomplete_skipped" // its detail names what the test lacks
	ungraded   = "test_asserts_nothing"
	dropped    = "message_invalid_dropped"
)

// lacking is what a skipped test lacks and nothing else tells of. A key of another
// name may be it.
func (p *Pass) lacking(loss rubric.Loss) (names []string) {
	within := p.around(loss)
	for name := range strings.SplitSeq(loss.Detail, ", ") {
		told := slices.ContainsFunc(p.Shape, func(m conform.Mismatch) bool {
			named := m.Field != nil && m.Field.Key == name || m.Near != "" && m.Owner != nil && m.Owner.Name == "test"
			return named && within.Contains(m.Span) && tells(m, loss)
		})
		if !told {
			names = append(names, name)
		}
	}
	return names
}

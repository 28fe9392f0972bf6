package lint

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

var _ = register(Rule{
	ID:       "loader-loss",
	Summary:  "A later version of the runner skips or refuses something",
	Severity: diag.Warning,
	Highest:  diag.Error,
	Why: `
A file can fit the format and still lose something: a test without a grader, a gate that the runner ignores because there
are score ranges, a prompt that is neither a text nor messages. It is an error if the file, a test or a grader is lost, and
a warning otherwise. It is info if the runner reads something that ~rubric~ cannot.
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
			message, known := lossMessages[loss.Kind]
			if !known || p.isExplained(loss) || p.Suite.Version == "" && loss.Kind != lossDropped {
				continue // other rules cover the oldest version: missing-key, wrong-type, evaluator-skipped
			}
			detail := loss.Detail
			if loss.Kind == lossIncomplete {
				if detail = strings.Join(p.missingKeys(loss), " and no "); detail == "" {
					continue
				}
			}
			d := p.Report(loss.Span, "%s", strings.ReplaceAll(message.text, "%s", abbreviate(detail)))
			if isCostly(loss) {
				d.Severity = diag.Error
			}
			if message.isOwnLimit {
				d.Severity = diag.Info
			}
		}
	},
})

// testSpan returns the span of the whole test if the loss is shown at the test's header.
func (p *Pass) testSpan(loss rubric.Loss) text.Span {
	for _, c := range slices.Concat(p.Suite.Cases, p.Suite.Skipped) {
		if c.SelectionSpan == loss.Span {
			return c.Span
		}
	}
	return loss.Span
}

// isExplained reports whether a mismatch at the same place already explains the loss.
func (p *Pass) isExplained(loss rubric.Loss) bool {
	span := loss.Span
	if loss.Kind == lossUngraded {
		span = p.testSpan(loss)
	}
	return slices.ContainsFunc(p.Mismatches, func(m conform.Mismatch) bool {
		return touches(m.Span, span) && explainsLoss(m, loss)
	})
}

// explainsLoss reports whether the diagnostic of a mismatch is severe enough to explain a
// loss. Only an error explains a costly one.
func explainsLoss(m conform.Mismatch, loss rubric.Loss) bool {
	return !m.IsHarmless() && (m.IsRefused || !slices.Contains(mildKinds, m.Kind) || !isCostly(loss))
}

// mildKinds are the kinds of mismatch that are not always errors.
var mildKinds = []conform.Kind{conform.NoValue, conform.BlankText, conform.TwoNames, conform.UnknownKey, conform.RemovedKey}

func touches(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// isCostly reports whether the runner skips a test, a grader or a criterion, so that a run passes without it.
func isCostly(l rubric.Loss) bool {
	return l.Level == rubric.Refuses || strings.HasSuffix(l.Kind, "_skipped") || strings.HasSuffix(l.Kind, "_dropped")
}

// markRefused marks the empty values because of which the runner skips something.
func (p *Pass) markRefused() {
	for _, loss := range p.Suite.Losses {
		for i, m := range p.Mismatches {
			if isCostly(loss) && (m.Kind == conform.NoValue || m.Kind == conform.BlankText) && (touches(m.Span, loss.Span) || p.isMissingKey(m, loss)) {
				p.Mismatches[i].IsRefused = true
			}
		}
	}
}

// isMissingKey reports whether a mismatch is about a key that a skipped test lacks.
func (p *Pass) isMissingKey(m conform.Mismatch, loss rubric.Loss) bool {
	return loss.Kind == lossIncomplete && m.Field != nil && slices.Contains(strings.Split(loss.Detail, ", "), m.Field.Key) && p.testSpan(loss).Contains(m.Span)
}

// Kinds of loss that concern a whole test.
const (
	lossIncomplete = "case_incomplete_skipped" // the detail names the missing keys
	lossUngraded   = "test_asserts_nothing"
	lossDropped    = "message_invalid_dropped"
)

// missingKeys returns the keys that a skipped test lacks and that no mismatch reports. A
// mismatch about a misspelt or renamed key counts too.
func (p *Pass) missingKeys(loss rubric.Loss) (names []string) {
	within := p.testSpan(loss)
	for name := range strings.SplitSeq(loss.Detail, ", ") {
		isReported := slices.ContainsFunc(p.Mismatches, func(m conform.Mismatch) bool {
			named := m.Field != nil && m.Field.Key == name || m.Suggestion != "" && m.Owner != nil && m.Owner.Name == "test"
			return named && within.Contains(m.Span) && explainsLoss(m, loss)
		})
		if !isReported {
			names = append(names, name)
		}
	}
	return names
}

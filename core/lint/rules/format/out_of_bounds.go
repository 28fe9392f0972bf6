package format

import (
	"fmt"
	"math"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/lint/fix"
)

var _ = lint.Register(pages, lint.Rule{
	ID:       "out-of-bounds",
	Severity: diag.Error,
	Run: func(p *lint.Pass) {
		report := func(m conform.Mismatch) {
			if isScoreRange(m.Field) {
				return // see range-outside
			}
			d := p.Report(m.Span, "%s is %s; expected %s", mismatchSubject(m), lint.Abbreviate(m.Node.Follow().Value), m.Type.Expectation())
			d.Fixes = changeToAllowed(m)
			if p.ADK != nil && m.Type.IsInteger {
				d.Message += fieldLoss(m.Field) // ADK enforces bounds on counts only
			}
		}
		p.EachMismatch(conform.OutOfBounds, report)
		p.EachMismatch(conform.NotWhole, report)
		p.EachMismatch(conform.WrongLength, func(m conform.Mismatch) {
			p.Report(m.Span, "%s has %s; expected %s%s", mismatchSubject(m), countItems(len(m.Node.List())), describeLength(m), fieldLoss(m.Field))
		})
	},
})

func countItems(n int) string {
	switch n {
	case 0:
		return "no items"
	case 1:
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}

func describeLength(m conform.Mismatch) string {
	if m.Type.MinLength == m.Type.MaxLength {
		return countItems(m.Type.MinLength)
	}
	return "at least " + countItems(m.Type.MinLength)
}

// changeToAllowed is the fix that changes a number to one that its key allows, without its minus or the nearest. There is
// none if the number must be more than its lowest bound.
func changeToAllowed(m conform.Mismatch) []diag.Fix {
	n := m.Node.Follow()
	number, ok := n.Number()
	if !ok || n != m.Node || math.IsNaN(number) {
		return nil
	}
	if m.Type.IsInteger {
		number = math.Round(number)
	}
	if m.Type.Min != nil && number < *m.Type.Min {
		number = max(-number, *m.Type.Min) // a minus is a likelier mistake than a number that is too small
	}
	if m.Type.Max != nil {
		number = min(number, *m.Type.Max)
	}
	if m.Type.ExcludesMin && number == *m.Type.Min || math.IsInf(number, 0) {
		return nil
	}
	return fix.ChangeToNumber(n, number)
}

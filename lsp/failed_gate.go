package lsp

import (
	"cmp"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// failedGateCode is the code of what is said of gates that failed in the last run. It
// is no rule's: nothing is wrong with the file.
const failedGateCode = "failed-gate"

// placedGate is a gate that failed, where it is in its document.
type placedGate struct {
	*failedGate
	span text.Span
}

// failedGates are some of the gates that failed in a document's last run, those
// near a place first, and how many more there are.
func (s *snapshot) failedGates(d *document, near text.Span) (nearby []placedGate, more int) {
	var distant []placedGate
	s.forEachFailedGate(d, func(gate *failedGate, span text.Span) {
		switch placed := (placedGate{gate, span}); {
		case span.Start >= d.Length(): // it stands in another file
		case near.Touches(span.Start) && len(nearby) < maxGates:
			nearby = append(nearby, placed)
		case len(distant) < maxGates:
			distant = append(distant, placed)
		default:
			more++
		}
	})
	room := min(maxGates-len(nearby), len(distant))
	return append(nearby, distant[:room]...), more + len(distant) - room
}

// toDiagnostic is what is said of the gate.
func (g *failedGate) toDiagnostic(place protocol.Range) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: place, Severity: protocol.DiagnosticSeverityInformation,
		Code: protocol.String(failedGateCode), Source: protocol.NewOptional(diagnosticSource),
		Message: protocol.String("failed in the last run: " + g.reason),
	}
}

// findFailedGates are the gates of a case that failed. One that has changed since is
// not among them: who mends it need not be told again.
func findFailedGates(c *rubric.Case, record run.Record, stale map[run.GradeKey]bool) (gates []failedGate) {
	for _, gate := range record.Gates {
		if span, ok := gateSpan(c.Graders, gate, stale, record); ok && !gate.Met {
			gates = append(gates, failedGate{span, cmp.Or(gate.Reason, "it is not satisfied")})
		}
	}
	return gates
}

// gateSpan is where a gate stands that was judged and has not changed since.
func gateSpan(graders []*rubric.Grader, gate score.Gate, stale map[run.GradeKey]bool, record run.Record) (span text.Span, ok bool) {
	for _, g := range graders {
		if g.Name != gate.Grader {
			continue
		}
		if gate.Whole {
			return g.SelectionSpan, !stale[run.GradeKey{Grader: g.Name}]
		}
		for _, c := range g.Criteria {
			if key := (run.GradeKey{Grader: g.Name, Criterion: c.ID}); c.ID == gate.ID {
				return displaySpan(c), !stale[key] && hasGrade(record.Graders, key)
			}
		}
	}
	return span, false
}

// hasGrade reports whether a criterion has a grade.
func hasGrade(records []run.GraderRecord, part run.GradeKey) (found bool) {
	forEachGrader(records, func(g run.GraderRecord) {
		found = found || g.Name == part.Grader && slices.ContainsFunc(g.Grades, func(s score.Grade) bool {
			return s.ID == part.Criterion && s.Ungraded == ""
		})
	})
	return found
}

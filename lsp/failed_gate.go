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

// failedGate is the code of what is said of gates that failed in the last run. It
// is no rule's: nothing is wrong with the file.
const failedGate = "failed-gate"

// placedGate is a gate that failed, where it is in its document.
type placedGate struct {
	*failed
	at text.Span
}

// failedGates are some of the gates that failed in a document's last run, those
// near a place first, and how many more there are.
func (at *Snapshot) failedGates(d *Document, near text.Span) (all []placedGate, more int) {
	var far []placedGate
	at.eachFailed(d, func(f *failed, place text.Span) {
		switch g := (placedGate{f, place}); {
		case place.Start >= d.Length(): // it stands in another file
		case near.Touches(place.Start) && len(all) < mostGates:
			all = append(all, g)
		case len(far) < mostGates:
			far = append(far, g)
		default:
			more++
		}
	})
	room := min(mostGates-len(all), len(far))
	return append(all, far[:room]...), more + len(far) - room
}

// diagnostic is what is said of the gate.
func (f *failed) diagnostic(place protocol.Range) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range: place, Severity: protocol.DiagnosticSeverityInformation,
		Code: protocol.String(failedGate), Source: protocol.NewOptional(sourceName),
		Message: protocol.String("failed in the last run: " + f.reason),
	}
}

// failedGates are the gates of a case that failed. One that has changed since is
// not among them: who mends it need not be told again.
func failedGates(c *rubric.Case, record run.Record, stale map[run.Part]bool) (gates []failed) {
	for _, gate := range record.Gates {
		if span, ok := gateSpan(c.Graders, gate, stale, record); ok && !gate.Met {
			gates = append(gates, failed{span, cmp.Or(gate.Reason, "it is not satisfied")})
		}
	}
	return gates
}

// gateSpan is where a gate stands that was judged and has not changed since.
func gateSpan(graders []*rubric.Grader, gate score.Gate, stale map[run.Part]bool, record run.Record) (span text.Span, ok bool) {
	for _, g := range graders {
		if g.Name != gate.Grader {
			continue
		}
		if gate.Whole {
			return g.Head, !stale[run.Part{Grader: g.Name}]
		}
		for _, c := range g.Criteria {
			if part := (run.Part{Grader: g.Name, Criterion: c.ID}); c.ID == gate.ID {
				return shown(c), !stale[part] && graded(record.Graders, part)
			}
		}
	}
	return span, false
}

// graded reports whether a criterion has a grade.
func graded(records []run.GraderRecord, part run.Part) (has bool) {
	eachGrader(records, func(g run.GraderRecord) {
		has = has || g.Name == part.Grader && slices.ContainsFunc(g.Grades, func(s score.Grade) bool {
			return s.ID == part.Criterion && s.Ungraded == ""
		})
	})
	return has
}

package lsp

import (
	"cmp"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// failedGate is the code of what is said of gates that failed in the last run. It
// is no rule's: nothing is wrong with the file.
const failedGate = "failed-gate"

// said is everything that is told of a document: what is wrong with it, and which
// gates failed when it was last run.
func (at *Snapshot) said(d *Document) []protocol.Diagnostic {
	return append(at.client.toDiagnostics(d.URI, d.Analysis, at.shown(d)), at.failedGates(d)...)
}

// failedGates are the findings of gates that failed in a document's last run.
func (at *Snapshot) failedGates(d *Document) (all []protocol.Diagnostic) {
	if !d.Ours() {
		return nil
	}
	at.reckoned(d, func(spot analysis.Spot, _ *tried, r *reckoning) {
		for _, gate := range r.gates {
			span := spot.Place(gate.span)
			if len(all) >= mostShown || span.Start >= d.Length() {
				continue
			}
			all = append(all, protocol.Diagnostic{
				Range: at.client.toRange(d.Analysis, span), Severity: protocol.DiagnosticSeverityInformation,
				Code: protocol.String(failedGate), Source: protocol.NewOptional(sourceName),
				Message: protocol.String("failed in the last run: " + gate.reason),
			})
		}
	})
	return all
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

package cache

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	idediagnostic "github.com/rubric-ls/rubric/core/ide/diagnostic"
	"github.com/rubric-ls/rubric/core/report"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// cachedCase is a case with its last outcome. The analysis keeps it while neither the case nor its
// surroundings are edited, so a keystroke recomputes the outcome of one case.
type cachedCase struct {
	*rubric.Case
	last atomic.Pointer[caseOutcome]
}

// caseOutcome is the outcome of one result for a case.
type caseOutcome struct {
	result  *Result
	inputs  Inputs
	outcome ide.Outcome
	gates   []failedGate
}

// failedGate is a gate that failed, with its span in the case's chunk or in the document.
type failedGate struct {
	span   text.Span
	reason string
}

var cachedCases = analysis.NewChunkCache(func(p *analysis.Chunk) []*cachedCase {
	return generic.Map(p.Suite.Cases, func(c *rubric.Case) *cachedCase { return &cachedCase{Case: c} })
})

// outcomeFor returns what a result means for the case in its current form. All of it is stale if
// its inputs differ from the current ones.
func (c *cachedCase) outcomeFor(result *Result, inputs Inputs) *caseOutcome {
	if last := c.last.Load(); last != nil && last.result == result && last.inputs == inputs {
		return last
	}
	last := result.lastRun(c.Case, inputs)
	next := &caseOutcome{result: result, inputs: inputs, outcome: last.Outcome()}
	if last.Comparable {
		next.gates = findFailedGates(c.Case, last.Record, next.outcome, last.Stale)
	}
	c.last.Store(next)
	return next
}

// failedGateCode is the diagnostic code of gates that failed in the last run. It is not a rule id:
// nothing is wrong with the file.
const failedGateCode = "failed-gate"

func (g failedGate) toDiagnostic(rng text.Range) ide.Finding {
	return idediagnostic.NewNote(rng, diag.Info, failedGateCode, "failed in the last run: "+g.reason)
}

// findFailedGates returns the failed gates of a case. It skips gates that changed since the run.
func findFailedGates(c *rubric.Case, record run.Record, o ide.Outcome, stale map[run.GradeKey]bool) (gates []failedGate) {
	for _, gate := range record.Gates {
		if span, ok := gateSpan(c.Graders, gate, o, stale); ok && gate.Failed() {
			gates = append(gates, failedGate{span, cmp.Or(gate.Reason, "it is not satisfied")})
		}
	}
	return gates
}

// gateSpan returns the span of a gate that was judged and has not changed since.
func gateSpan(graders []*rubric.Grader, gate score.Gate, o ide.Outcome, stale map[run.GradeKey]bool) (span text.Span, ok bool) {
	for _, g := range graders {
		if g.Name != gate.Grader {
			continue
		}
		if gate.Whole {
			return g.SelectionSpan, !stale[run.GradeKey{Grader: g.Name}]
		}
		for _, c := range g.Criteria {
			if c.ID == gate.ID {
				found := o.FindGrade(g.Name, c.ID)
				return c.DisplaySpan(), found != nil && !found.Stale && found.Grade.Ungraded == ""
			}
		}
	}
	return span, false
}

// lastRun returns the result as it applies to the case in its current form.
func (sr *Result) lastRun(c *rubric.Case, inputs Inputs) *ide.LastRun {
	record, stale := sr.ForCase(c)
	if verdict := record.VerdictFrom(inputs.Config.Threshold); verdict != record.Verdict {
		if verdict == score.Fail {
			record.Reasons = append([]string{"below the threshold " + report.FormatScore(inputs.Config.Threshold)}, record.Reasons...)
		}
		record.Verdict = verdict
	}
	before := sr.Inputs
	before.Config.Threshold = inputs.Config.Threshold // the scores do not depend on it
	// The user chose one of several targets.
	if several := strings.Split(inputs.Config.Target, TargetSeparator); slices.Contains(several, before.Config.Target) {
		if inputs.Config.Target = before.Config.Target; len(several) > 1 && inputs.Config.Target == run.SelfTargetName {
			inputs.Targets = before.Targets // it does not depend on the other targets
		}
	}
	return &ide.LastRun{Record: record, Stale: stale, Comparable: before == inputs}
}

// lastRuns returns a function with the last results of a document's cases; nil for one that has not run.
func (s *Snapshot) lastRuns(d *Document) func(*rubric.Case, string) *ide.LastRun {
	inputsOf := sync.OnceValue(func() func(*rubric.Case) Inputs { return s.Inputs(d) })
	return func(c *rubric.Case, target string) *ide.LastRun {
		all := s.shared.Results.from(d.URI, c.ID, target)
		if len(all) == 0 {
			return nil
		}
		last := all[0].lastRun(c, inputsOf()(c))
		last.Earlier = generic.Map(all[1:], func(r *Result) run.Record { return r.Record })
		return last
	}
}

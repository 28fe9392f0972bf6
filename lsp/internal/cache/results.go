package cache

import (
	"maps"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// Results holds the last result of each case by file and case id, so that a result follows its
// case. The zero value is ready to use.
type Results struct {
	mu     sync.Mutex
	byFile map[uri.URI]map[string]*Result
}

// A Result is the last result of one case and what it depends on. It is immutable.
type Result struct {
	run.StoredResult
	Inputs
	Submission *grade.Submission // what was graded; nil if the target did not answer
	earlier    []run.Record      // results before this one, the last first
}

// maxEarlier is the number of earlier results that are kept.
const maxEarlier = 4

// RunConfig names the target, the judge and the moderation endpoint of a run, its profile and its
// threshold.
type RunConfig struct {
	Target, Judge, Moderation string
	Profile                   score.Profile
	Threshold                 float64
}

// For returns the configuration for a case, which may name a target of its own.
func (rc RunConfig) For(c *rubric.Case, given run.Settings) RunConfig {
	if c.Target != "" && !given.IsSet("target") {
		rc.Target = c.Target
	}
	return rc
}

// Put replaces the result of a case. R keeps the earlier ones.
func (rs *Results) Put(u uri.URI, id string, r *Result) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.byFile == nil {
		rs.byFile = map[uri.URI]map[string]*Result{}
	}
	if rs.byFile[u] == nil {
		rs.byFile[u] = map[string]*Result{}
	}
	if was := rs.byFile[u][id]; was != nil {
		r.earlier = append([]run.Record{was.Record}, was.earlier[:min(len(was.earlier), maxEarlier-1)]...)
	}
	rs.byFile[u][id] = r
}

// Get returns a case's result, or nil if it has not run.
func (rs *Results) Get(u uri.URI, id string) *Result {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.byFile[u][id]
}

// isEmpty reports whether no case of the file has run.
func (rs *Results) isEmpty(u uri.URI) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.byFile[u]) == 0
}

// hasAny reports whether any case has run.
func (rs *Results) hasAny() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.byFile) > 0
}

// ForFile returns the results of a file by case id.
func (rs *Results) ForFile(u uri.URI) map[string]*Result {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return maps.Clone(rs.byFile[u])
}

// Inputs identifies what a result depends on besides the case's text: the configuration of
// the run, the referenced files and the targets.
type Inputs struct {
	Config         RunConfig
	files, targets string
}

// forEachFailedGate visits the failed gates of a document in text order.
func (s *Snapshot) forEachFailedGate(d *Document, visit func(*failedGate, text.Span)) {
	if s.shared.Results.isEmpty(d.URI) {
		return
	}
	inputsOf := s.Inputs(d)
	for chunk, cases := range cachedCases.Each(d.Analysis) {
		for _, c := range cases {
			if outcome := s.currentOutcome(d, c, inputsOf); outcome != nil {
				for i := range outcome.gates {
					visit(&outcome.gates[i], chunk.ToFile(outcome.gates[i].span))
				}
			}
		}
	}
}

// currentOutcome returns the outcome of a case's last result, or nil if the case has not run.
func (s *Snapshot) currentOutcome(d *Document, c *cachedCase, inputsOf func(*rubric.Case) Inputs) *caseOutcome {
	result := s.shared.Results.Get(d.URI, c.ID)
	if result == nil {
		return nil
	}
	return c.outcomeFor(result, inputsOf(c.Case))
}

// outcomes returns the last outcomes of all cases of a document.
func (s *Snapshot) outcomes(d *Document) ide.Results {
	outcomes := ide.Results{}
	if s.shared.Results.isEmpty(d.URI) {
		return outcomes
	}
	inputsOf := s.Inputs(d)
	add := func(cases []*cachedCase) {
		for _, c := range cases {
			if outcome := s.currentOutcome(d, c, inputsOf); outcome != nil {
				if _, exists := outcomes[c.ID]; !exists {
					outcomes[c.ID] = outcome.outcome
				}
			}
		}
	}
	if e := s.Evaluation(d); e != nil {
		add(e.cases)
	}
	for _, cases := range cachedCases.Each(d.Analysis) {
		add(cases)
	}
	return outcomes
}

// failedGates returns up to maxGates gates that failed in the document's last run, gates within
// near first, and how many it left out.
func (s *Snapshot) failedGates(d *Document, near text.Span) (nearby []placedGate, more int) {
	var distant []placedGate
	s.forEachFailedGate(d, func(gate *failedGate, span text.Span) {
		switch placed := (placedGate{gate, span}); {
		case span.Start >= d.Length(): // it is in another file
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

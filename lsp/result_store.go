package lsp

import (
	"maps"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// resultStore are what the cases of files last came to. They are kept by file and
// case id, so that they move with their case, for as long as the session lasts.
type resultStore struct {
	mu        sync.Mutex
	byFile    map[uri.URI]map[string]*storedResult
	revisions map[uri.URI]int // how often one was put
}

// storedResult is what one case came to, and in which way. It never changes.
type storedResult struct {
	run.StoredResult
	resultInputs
	submission *grade.Submission // what was graded; nil if the target gave no answer
}

// runConfig is how runs are made: who answers and who judges.
type runConfig struct{ target, judge, moderation string }

func (rs *resultStore) put(u uri.URI, id string, r *storedResult) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.byFile == nil {
		rs.byFile, rs.revisions = map[uri.URI]map[string]*storedResult{}, map[uri.URI]int{}
	}
	if rs.byFile[u] == nil {
		rs.byFile[u] = map[string]*storedResult{}
	}
	rs.byFile[u][id] = r
	rs.revisions[u]++
}

// get is a case's result; nil if it has not been run.
func (rs *resultStore) get(u uri.URI, id string) *storedResult {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.byFile[u][id]
}

// revision is how often a result of the file was put: another one if any is another.
func (rs *resultStore) revision(u uri.URI) int {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.revisions[u]
}

// isEmpty reports whether no case of a file has been run.
func (rs *resultStore) isEmpty(u uri.URI) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.byFile[u]) == 0
}

// hasAny reports whether any case has been run.
func (rs *resultStore) hasAny() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.byFile) > 0
}

// forFile are the results of all of a file's cases, by their ids.
func (rs *resultStore) forFile(u uri.URI) map[string]*storedResult {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return maps.Clone(rs.byFile[u])
}

// outcomes are what some cases of a document last came to, reckoned as the cases
// are now.
func (s *snapshot) outcomes(d *document, cases []*rubric.Case) assist.Results {
	if d.ADK() != adk.None {
		return s.documentOutcomes(d) // it is one part, whose cases are the trial's
	}
	outcomes := assist.Results{}
	for _, c := range cases {
		if r := s.session.results.get(d.URI, c.ID); r != nil {
			outcomes[c.ID], _ = r.outcome(c, s.resultInputs(d, c))
		}
	}
	return outcomes
}

// resultInputs is what a result of a case rests on besides its text: how it was made, what
// the files held that the case refers to, and which targets there were.
type resultInputs struct {
	config         runConfig
	files, targets string
}

// resultInputs is what a run of a case would rest on now.
func (s *snapshot) resultInputs(d *document, c *rubric.Case) resultInputs {
	return d.deps.resultInputs(s.RunSettings.config(d), c)
}

func (dp *dependencies) resultInputs(config runConfig, c *rubric.Case) resultInputs {
	inputs := resultInputs{config: config, files: dp.filesFingerprint(c)}
	if config.target != selfTargetName || config.judge != offline.Name && config.judge != editorJudgeName { // they may be named among the targets
		inputs.targets = dp.fingerprint("")
	}
	return inputs
}

// outcome is the result of a case as that is now, and the gates that failed. It is
// stale as a whole if it was made in another way than runs are made now, or of
// other files.
func (sr *storedResult) outcome(c *rubric.Case, inputs resultInputs) (o assist.Outcome, gates []failedGate) {
	record, stale := sr.ForCase(c)
	isCurrent := sr.resultInputs == inputs
	o = assist.NewOutcome(record.WithLabels(), stale, isCurrent)
	if isCurrent {
		gates = findFailedGates(c, record, stale)
	}
	return o, gates
}

// forEachGrader visits graders' records, members too.
func forEachGrader(records []run.GraderRecord, visit func(run.GraderRecord)) {
	for _, g := range records {
		visit(g)
		forEachGrader(g.Members, visit)
	}
}

package lsp

import (
	"maps"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// resultStore holds the last result of each case by file and case id, so that a result follows its
// case. It lasts as long as the session.
type resultStore struct {
	mu     sync.Mutex
	byFile map[uri.URI]map[string]*storedResult
}

// storedResult is the last result of one case and what it depends on. It is immutable.
type storedResult struct {
	run.StoredResult
	resultInputs
	submission *grade.Submission // what was graded; nil if the target did not answer
}

// runConfig names the target, the judge and the moderation endpoint of a run, its profile and its
// threshold.
type runConfig struct {
	target, judge, moderation string
	profile                   score.Profile
	threshold                 float64
}

// of returns the configuration for a case, which may name a target of its own.
func (rc runConfig) of(c *rubric.Case, given run.Settings) runConfig {
	if c.Target != "" && !given.IsSet("target") {
		rc.target = c.Target
	}
	return rc
}

func (rs *resultStore) put(u uri.URI, id string, r *storedResult) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.byFile[u] == nil {
		rs.byFile[u] = map[string]*storedResult{}
	}
	rs.byFile[u][id] = r
}

// get returns a case's result, or nil if it has not run.
func (rs *resultStore) get(u uri.URI, id string) *storedResult {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.byFile[u][id]
}

// isEmpty reports whether no case of the file has run.
func (rs *resultStore) isEmpty(u uri.URI) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.byFile[u]) == 0
}

// hasAny reports whether any case has run.
func (rs *resultStore) hasAny() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return len(rs.byFile) > 0
}

// forFile returns the results of a file by case id.
func (rs *resultStore) forFile(u uri.URI) map[string]*storedResult {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return maps.Clone(rs.byFile[u])
}

// outcomes returns the last outcomes of some cases, compared with the cases in their current form.
func (s *snapshot) outcomes(d *document, cases []*rubric.Case) ide.Results {
	if d.ADK() != adk.None {
		return s.documentOutcomes(d) // an evalset is one chunk; its cases are those of the evaluation
	}
	outcomes, inputsOf := ide.Results{}, s.resultInputs(d)
	for _, c := range cases {
		if r := s.session.results.get(d.URI, c.ID); r != nil {
			outcomes[c.ID], _ = r.outcome(c, inputsOf(c))
		}
	}
	return outcomes
}

// resultInputs identifies what a result depends on besides the case's text: the configuration of
// the run, the referenced files and the targets.
type resultInputs struct {
	config         runConfig
	files, targets string
}

// resultInputs returns a function that says what a run of a case would depend on now.
func (s *snapshot) resultInputs(d *document) func(*rubric.Case) resultInputs {
	config := s.configOf(s.RunSettings, d)
	return func(c *rubric.Case) resultInputs { return d.deps.resultInputs(config.of(c, s.RunSettings), c) }
}

func (dp *dependencies) resultInputs(config runConfig, c *rubric.Case) resultInputs {
	inputs := resultInputs{config: config, files: dp.filesFingerprint(c)}
	if config.target != run.SelfTargetName || config.judge != offline.Name && config.judge != run.EditorJudgeName { // the names may refer to the targets file
		inputs.targets = dp.fingerprint("")
	}
	return inputs
}

// outcome compares a result with the case in its current form. It returns the outcome and the
// failed gates. All of it is stale if its inputs differ from the current ones.
func (sr *storedResult) outcome(c *rubric.Case, inputs resultInputs) (o ide.Outcome, gates []failedGate) {
	record, stale := sr.ForCase(c)
	record.Verdict = record.VerdictFrom(inputs.config.threshold)
	before := sr.resultInputs
	before.config.threshold = inputs.config.threshold // the scores do not depend on it
	isCurrent := before == inputs
	o = ide.NewOutcome(record.WithLabels(), stale, isCurrent)
	if isCurrent {
		gates = findFailedGates(c, record, stale)
	}
	return o, gates
}

// forEachGrader visits the records of graders and their members.
func forEachGrader(records []run.GraderRecord, visit func(run.GraderRecord)) {
	for _, g := range records {
		visit(g)
		forEachGrader(g.Members, visit)
	}
}

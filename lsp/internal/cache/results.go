package cache

import (
	"maps"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
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
}

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

// Put replaces the result of a case.
func (rs *Results) Put(u uri.URI, id string, r *Result) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.byFile == nil {
		rs.byFile = map[uri.URI]map[string]*Result{}
	}
	if rs.byFile[u] == nil {
		rs.byFile[u] = map[string]*Result{}
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

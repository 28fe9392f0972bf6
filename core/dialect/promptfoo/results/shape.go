// Package results reads and writes the results of promptfoo: the JSON that `promptfoo eval -o
// results.json` writes, in its version 3.
package results

const version = 3

type file struct {
	EvalID  string         `json:"evalId"`
	Results summary        `json:"results"`
	Config  map[string]any `json:"config"`
	Share   *string        `json:"shareableUrl"`
}

type summary struct {
	Version   int      `json:"version"`
	Timestamp string   `json:"timestamp"`
	Prompts   []column `json:"prompts"`
	Rows      []row    `json:"results"`
	Stats     stats    `json:"stats"`
}

// column is a prompt with a provider.
type column struct {
	Raw      string  `json:"raw"`
	Label    string  `json:"label"`
	Provider string  `json:"provider"`
	Metrics  metrics `json:"metrics"`
}

type metrics struct {
	Score        float64            `json:"score"`
	Passes       int                `json:"testPassCount"`
	Fails        int                `json:"testFailCount"`
	Errors       int                `json:"testErrorCount"`
	AssertPasses int                `json:"assertPassCount"`
	AssertFails  int                `json:"assertFailCount"`
	LatencyMS    float64            `json:"totalLatencyMs"`
	Named        map[string]float64 `json:"namedScores"`
	NamedCounts  map[string]int     `json:"namedScoresCount"`
	NamedWeights map[string]float64 `json:"namedScoreWeights"`
	Cost         float64            `json:"cost"`
	Tokens       tokens             `json:"tokenUsage"`
}

type tokens struct {
	Total      float64 `json:"total"`
	Prompt     float64 `json:"prompt"`
	Completion float64 `json:"completion"`
	Cached     float64 `json:"cached"`
	Requests   int     `json:"numRequests"`
}

type stats struct {
	Successes int    `json:"successes"`
	Failures  int    `json:"failures"`
	Errors    int    `json:"errors"`
	Tokens    tokens `json:"tokenUsage"`
}

// row is the result of a test with a prompt and a provider.
type row struct {
	ID       string             `json:"id"`
	Column   int                `json:"promptIdx"`
	Test     int                `json:"testIdx"`
	Case     test               `json:"testCase"`
	Vars     map[string]any     `json:"vars"`
	Prompt   label              `json:"prompt"`
	PromptID string             `json:"promptId"`
	Provider provider           `json:"provider"`
	Response *response          `json:"response,omitempty"`
	Success  bool               `json:"success"`
	Score    float64            `json:"score"`
	Failure  int                `json:"failureReason"` // one of the constants below
	Error    string             `json:"error,omitempty"`
	Grading  *grading           `json:"gradingResult"`
	Named    map[string]float64 `json:"namedScores"`
	Latency  float64            `json:"latencyMs"`
	Cost     float64            `json:"cost"`
}

// Why a row is no success.
const (
	passed = iota
	failedAssertion
	hadError
)

type test struct {
	Description string `json:"description,omitempty"`
	Assert      []any  `json:"assert,omitempty"`
	Threshold   any    `json:"threshold,omitempty"`
}

type label struct {
	Raw   string `json:"raw"`
	Label string `json:"label"`
}

type provider struct {
	ID    string `json:"id"`
	Label string `json:"label,omitempty"`
}

type response struct {
	Output any    `json:"output"`
	Tokens tokens `json:"tokenUsage,omitzero"`
}

type grading struct {
	Pass         bool               `json:"pass"`
	Score        float64            `json:"score"`
	Reason       string             `json:"reason"`
	Named        map[string]float64 `json:"namedScores,omitempty"`
	NamedWeights map[string]float64 `json:"namedScoreWeights,omitempty"`
	Components   []component        `json:"componentResults,omitempty"`
}

// component is the result of an assertion, or of a set. The members of a set follow it, too.
type component struct {
	grading
	Assertion *described `json:"assertion,omitempty"`
	Metadata  *metadata  `json:"metadata,omitempty"`
}

type metadata struct {
	Set *described `json:"assertionSet,omitempty"`
}

// about describes the assertion or the set; nil if nothing does.
func (c component) about() *described {
	if c.Metadata != nil && c.Metadata.Set != nil {
		return c.Metadata.Set
	}
	return c.Assertion
}

type described struct {
	Type   string   `json:"type"`
	Metric string   `json:"metric,omitempty"`
	Weight *float64 `json:"weight,omitempty"`
}

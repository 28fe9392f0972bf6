package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// Record is the result of one case: one line of a result file. It holds everything that scoring
// needs, so the case can be scored again without a model.
type Record struct {
	Timestamp         string           `json:"timestamp,omitempty"` // RFC 3339, UTC
	EvalID            string           `json:"eval_id"`
	Dataset           string           `json:"dataset,omitempty"`
	ConversationID    string           `json:"conversation_id,omitempty"`
	CaseFingerprint   string           `json:"case_fingerprint,omitempty"` // of the case's meaning; see rubric.Case
	Question          string           `json:"question,omitempty"`
	ExpectedOutcome   string           `json:"expected_outcome,omitempty"`
	Tags              []string         `json:"tags,omitempty"` // of the case and its suite
	Target            string           `json:"target,omitempty"`
	Prompt            string           `json:"prompt,omitempty"`             // the template with which Target was asked
	PromptFingerprint string           `json:"prompt_fingerprint,omitempty"` // of its text
	OwnTarget         bool             `json:"own_target,omitempty"`         // the case itself names Target
	AnsweredBy        string           `json:"answered_by,omitempty"`        // the fallback that answered in the place of Target, at least once
	SharedAnswer      bool             `json:"shared_answer,omitempty"`      // the target was asked once for several judges; another record has the cost
	Judge             string           `json:"judge,omitempty"`
	Samples           int              `json:"samples,omitempty"`   // judgements per criterion and judge; 0 means one
	Trials            *Trials          `json:"trials,omitempty"`    // nil if the case runs once
	EvalFile          string           `json:"eval_file,omitempty"` // the eval file's path as it was named, with slashes
	Profile           score.Profile    `json:"profile"`
	Score             *float64         `json:"score"` // 0–1; nil if the verdict is ungraded
	Verdict           score.Verdict    `json:"verdict"`
	Gates             []score.Gate     `json:"gates"`
	Hits              []string         `json:"hits"`
	Misses            []string         `json:"misses"`
	Reasoning         string           `json:"reasoning,omitempty"`
	Reasons           []string         `json:"reasons,omitempty"`       // why the verdict is not a pass
	Ungraded          int              `json:"ungraded"`                // number of things that were not judged; see score.CaseResult
	Threshold         *float64         `json:"threshold,omitempty"`     // score, 0–1, from which the case passes; nil if its file does not say
	RunThreshold      float64          `json:"run_threshold,omitempty"` // score, 0–1, from which the cases of the run pass; 0 if the run has none
	CandidateAnswer   string           `json:"candidate_answer"`        // of a conversation, the last
	Aggregation       string           `json:"aggregation,omitempty"`   // of the turns of a conversation: mean, min or max
	Graders           []GraderRecord   `json:"evaluator_results"`
	TraceSummary      *grade.Trace     `json:"trace_summary,omitempty"`
	Recorded          *metric.Recorded `json:"conversation,omitempty"` // that an agent held during the run
	Error             string           `json:"error,omitempty"`        // why the case did not finish
	Unreachable       bool             `json:"unreachable,omitempty"`
	*score.Execution                   // under the profiles of later versions, which sort results so
	DurationMS        *float64         `json:"duration_ms,omitempty"` // of target and graders together

	Informational *metric.Informational `json:"informational_metrics,omitempty"` // what the agent of an ADK conversation took
}

// GraderRecord is the result of one grader.
type GraderRecord struct {
	Name   string      `json:"name"`
	Type   rubric.Kind `json:"type"`
	Weight float64     `json:"weight"`
	score.Result
	Judge       string            `json:"judge,omitempty"` // that the grader or metric names; "" for the record's
	Terms       score.Terms       `json:"terms,omitzero"`  // the limits that the result must meet
	Turn        *TurnRecord       `json:"turn,omitempty"`  // what was said, if Type is rubric.Turn
	Criteria    []CriterionRecord `json:"criteria,omitempty"`
	Request     *Request          `json:"evaluator_provider_request,omitempty"`
	Replies     []judge.Reply     `json:"replies,omitempty"`
	Metric      *metric.Result    `json:"metric,omitempty"`     // turn by turn; see [TurnRecords]
	Aggregator  string            `json:"aggregator,omitempty"` // how members are combined
	Members     []GraderRecord    `json:"evaluator_results,omitempty"`
	Problems    []string          `json:"problems,omitempty"` // in the grader's own settings
	Unreachable bool              `json:"unreachable,omitempty"`
}

// TurnRecord is a turn of a conversation with the target.
type TurnRecord struct {
	Question string `json:"question"` // what the user said
	Answer   string `json:"candidate_answer"`
}

// CriterionRecord is a criterion as it was judged.
type CriterionRecord struct {
	ID       string       `json:"id"`
	Written  bool         `json:"id_written,omitempty"` // the file sets the id, although it looks like a generated one (`rubric-1`)
	Text     string       `json:"expected_outcome"`
	Weight   float64      `json:"weight"`
	Required bool         `json:"required"`
	MinScore *float64     `json:"required_min_score,omitempty"`
	Bands    []BandRecord `json:"score_ranges,omitempty"`
}

// BandRecord is a score range as it was judged.
type BandRecord struct {
	Range [2]float64 `json:"score_range"`
	Text  string     `json:"expected_outcome"`
}

// Request is the first question to a judge.
type Request struct {
	System string `json:"system_prompt"`
	User   string `json:"user_prompt"`
}

func newGraderRecord(out grade.Outcome) GraderRecord {
	g := GraderRecord{
		Name: out.Name, Type: out.Kind, Weight: out.Weight, Result: out.Result, Judge: out.Judge, Terms: out.Terms,
		Replies: out.Replies, Aggregator: out.Combine, Problems: out.Problems, Unreachable: errors.Is(out.Err, judge.ErrUnreachable),
	}
	g.Criteria = CriterionRecords(out.Criteria)
	if out.Question != nil {
		g.Request = &Request{System: out.Question.System, User: out.Question.User}
	}
	for _, m := range out.Members {
		g.Members = append(g.Members, newGraderRecord(m))
	}
	return g
}

// dropInfinite removes what JSON cannot hold: numbers that the reference calculates with although they
// are infinite or NaN.
func (g *GraderRecord) dropInfinite() {
	for i := range g.Members {
		g.Members[i].dropInfinite()
	}
	if _, err := json.Marshal(g); err != nil {
		g.Criteria, g.Grades, g.Gates = nil, nil, []score.Gate{}
		if math.IsInf(g.Weight, 0) || math.IsNaN(g.Weight) {
			g.Weight = 0
		}
		g.Problems = append(g.Problems, "it has an infinite or NaN number; the record omits its weights and grades")
	}
}

// CriterionRecords returns the records of criteria.
func CriterionRecords(criteria []*rubric.Criterion) (all []CriterionRecord) {
	for _, c := range criteria {
		all = append(all, newCriterionRecord(c))
	}
	return all
}

func newCriterionRecord(c *rubric.Criterion) CriterionRecord {
	r := CriterionRecord{ID: c.ID, Written: !c.AutoID && rubric.IsAutoID(c.ID), Text: c.Text, Weight: c.Weight, Required: c.IsRequired(), MinScore: c.MinScore}
	for _, b := range c.Bands {
		r.Bands = append(r.Bands, BandRecord{Range: [2]float64{b.Lo, b.Hi}, Text: b.Text})
	}
	return r
}

// hasNumberedID reports whether the id was generated from the criterion's position.
func (r CriterionRecord) hasNumberedID() bool { return rubric.IsAutoID(r.ID) && !r.Written }

func (r CriterionRecord) toCriterion() *rubric.Criterion {
	c := &rubric.Criterion{ID: r.ID, Text: r.Text, Weight: r.Weight, Required: &r.Required, MinScore: r.MinScore}
	for _, b := range r.Bands {
		c.Bands = append(c.Bands, rubric.Band{Lo: b.Range[0], Hi: b.Range[1], Text: b.Text})
	}
	return c
}

// combine sets everything that follows from the graders' results.
func (r *Record) combine() {
	parts := WeightedResults(r.Graders)
	if r.Aggregation != "" {
		parts = r.weighTurns(parts)
	}
	c := score.Case(r.Profile, r.Threshold, parts)
	r.Score, r.Verdict, r.Gates = c.Score, c.Verdict, c.Gates
	r.Hits, r.Misses, r.Reasoning = c.Hits, c.Misses, c.Reasoning
	r.Ungraded, r.Reasons = c.Ungraded, c.Reasons
	r.setExecution(c, true)
	r.Unreachable = slices.ContainsFunc(r.Graders, func(g GraderRecord) bool { return g.Unreachable })
	r.applyTrials()
}

// setExecution sets how the case ended, under the profiles of later versions.
func (r *Record) setExecution(c score.CaseResult, answered bool) {
	if r.Execution = nil; r.Profile.IsV4OrLater() {
		e := score.ExecutionOf(c, answered)
		r.Execution = &e
	}
}

// WeightedResults returns what graders add to a case.
func WeightedResults(graders []GraderRecord) []score.WeightedResult {
	parts := make([]score.WeightedResult, len(graders))
	for i, g := range graders {
		parts[i] = score.WeightedResult{Name: g.Name, Weight: g.Weight, Result: g.Result}
	}
	return parts
}

func (r *Record) fail(ctx context.Context, err error) {
	if ctx.Err() != nil {
		err = fmt.Errorf("the run was stopped: %w", context.Cause(ctx))
	}
	r.Error, r.Unreachable = err.Error(), errors.Is(err, judge.ErrUnreachable)
	r.Reasons = append(r.Reasons, r.Error)
	if len(r.Graders) == 0 {
		r.Ungraded = 1
		r.Gates, r.Hits, r.Misses, r.Graders = []score.Gate{}, []string{}, []string{}, []GraderRecord{}
	}
	r.unfinished()
}

// unfinished sets the verdict of a case that was not run to its end: [score.Ungraded]
// unless something failed already. The reference's profiles have a fail and a 0 there.
func (r *Record) unfinished() {
	r.setExecution(score.CaseResult{}, false)
	switch {
	case r.Profile.IsReference():
		r.Score, r.Verdict = cmp.Or(r.Score, new(float64)), score.Fail
	case r.failed():
		r.Verdict = score.Fail
	default:
		r.Score, r.Verdict = nil, score.Ungraded
	}
}

// failed reports whether a gate or a metric that was judged fails the case, whatever
// the rest comes to.
func (r *Record) failed() bool {
	return slices.ContainsFunc(r.Gates, score.Gate.Failed) ||
		slices.ContainsFunc(r.MetricResults(), func(m metric.Result) bool { return m.Status == metric.Failed })
}

// MetricResults are what metrics say of a record's case.
func (r Record) MetricResults() (all []metric.Result) {
	for _, g := range r.Graders {
		if g.Metric != nil {
			all = append(all, *g.Metric)
		}
	}
	return all
}

// Upgrade rewrites a record of an earlier version, which had a fail and a score where a case is
// ungraded, and a score where a grader is. Results of other runners, which have no profile, stay as they are.
func (r *Record) Upgrade() {
	eachGrader(r.Graders, func(g *GraderRecord) {
		upgradeGates(g.Gates)
		if g.Verdict == score.Ungraded {
			g.Score = nil
		}
	})
	upgradeGates(r.Gates)
	if r.Verdict == score.Fail && r.Profile != "" && !r.Profile.IsReference() && (r.Ungraded > 0 || r.Error != "") && !r.failed() {
		r.Score, r.Verdict = nil, score.Ungraded
	}
}

func upgradeGates(gates []score.Gate) {
	for i := range gates {
		g := &gates[i]
		g.Ungraded = g.Ungraded || !g.Met && strings.HasPrefix(g.Reason, "ungraded: ")
	}
}

// WriteLine writes the record as one line of JSON, in a single Write. It writes nothing if the
// record holds a number that JSON cannot express.
func (r Record) WriteLine(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// Stored returns the record as result files have it: without its timestamp and duration, and with no
// reply marked as cached. Runs with equal judgements thus give equal files, whenever the judgements
// were paid for.
func (r Record) Stored() Record {
	r.Timestamp, r.DurationMS, r.Graders, r.Recorded = "", nil, clearCacheFlags(r.Graders), r.Recorded.WithoutCached()
	return r
}

func clearCacheFlags(records []GraderRecord) []GraderRecord {
	records = slices.Clone(records)
	for i := range records {
		r := &records[i]
		r.Members, r.Replies = clearCacheFlags(r.Members), judge.WithoutCached(r.Replies)
		if r.Metric != nil {
			r.Metric = r.Metric.WithoutCached()
		}
	}
	return records
}

// Passes reports whether a case passes: with at least the score threshold if its gates hold, or for
// the threshold 0 by its verdict.
func (r Record) Passes(threshold float64) bool {
	if threshold <= 0 {
		return r.Verdict == score.Pass
	}
	unmet := func(g score.Gate) bool { return !g.Met }
	return !slices.ContainsFunc(r.Gates, unmet) && r.Error == "" && r.Ungraded == 0 && r.Score != nil && *r.Score >= threshold &&
		len(r.unfinishedTrials()) == 0 && len(r.gatedTrials(threshold)) == 0
}

// VerdictFrom returns the case's verdict if cases pass from threshold; see [Record.Passes].
func (r Record) VerdictFrom(threshold float64) score.Verdict {
	switch {
	case threshold <= 0 || r.Verdict == score.Ungraded:
		return r.Verdict
	case r.Passes(threshold):
		return score.Pass
	}
	return score.Fail
}

// Judged returns the record with its verdict if cases pass from threshold and, if the threshold fails it, with that reason.
func (r Record) Judged(threshold float64) Record {
	if r.Verdict = r.VerdictFrom(threshold); r.Verdict == score.Fail && r.Score != nil && *r.Score < threshold {
		r.Reasons = append(slices.Clip(r.Reasons), "it is below the threshold "+score.FormatNumber(threshold))
	}
	if threshold > 0 && r.Execution != nil && r.Execution.Status != "execution_error" {
		r.Execution = &score.Execution{Status: "quality_failure"}
		if r.Verdict == score.Pass {
			r.Execution.Status = "ok"
		}
	}
	return r
}

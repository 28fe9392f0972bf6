// Package metric implements the metrics of ADK's evaluation. They measure how well recorded
// conversations of an agent match expectations: by tool calls, by wording, or by a judge's
// verdicts.
//
// Metrics are separate from package grade because they measure something else. A grader takes one
// submission to one case. A metric takes a whole conversation, turn by turn next to the expected
// one, and has a threshold instead of weights and gates. Package judge holds what both need of a
// judge.
//
// [Evaluate] measures one conversation by one [Criterion], [EvaluateCase] by all criteria of a
// case. Nothing here fails or panics: what cannot be measured is [NotEvaluated], with the reason.
// [Latest] follows ADK 2.11, and [V2] follows version 2.0 where the two differ. The prompts are our
// own and ask for replies in ADK's format.
//
// Three things differ from ADK on purpose, and no measured number shows it. Tool calls that an author
// lists by hand are evidence for hallucinations_v1 too, and intermediate answers listed by hand are
// checked if the criterion asks for them. safety_v1, which ADK leaves to a cloud
// service, is a judge here.
//
// The package knows conversations, and never YAML, files, clocks or providers.
package metric

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

// Ports are the host's I/O for measuring.
type Ports struct {
	Judge          judge.Judge            // nil: metrics that need a judge are not evaluated
	OwnJudges      map[string]judge.Judge // judges of metrics by [JudgeOptions.Name]; other names mean Judge
	DefaultSamples int                    // how often a judge is asked one question where the criterion does not say; 0 means [DefaultSamples]
	Moderate       Moderate               // nil: the judge decides about safety too
	Profile        Profile                // "" means [Latest]
	Agent          OpenSession            // nil for recorded conversations, and for a plan
	Manual         *ManualVerdicts        // replaces Judge and Moderate; nil if there are none
}

// An evaluation is one measurement: everything that a metric may use.
type evaluation struct {
	ports        Ports
	criterion    Criterion
	conversation Conversation
}

func (e evaluation) isV2() bool { return e.ports.Profile == V2 }

// A turn is an invocation with the expected one, nil without a reference.
type turn struct {
	index    int
	actual   Invocation
	expected *Invocation
}

type measureFunc func(context.Context, evaluation, turn) (InvocationResult, error)

// A metricKind defines a metric: how a turn is measured, and how turns are summarized.
type metricKind struct {
	needsReference bool // requires expected turns
	measure        measureFunc
	summarize      func(*Result)
}

var kinds = map[string]metricKind{
	ToolTrajectory:     {true, measureTrajectory, sumEvaluated},
	ResponseMatch:      {true, measureResponse, sumEvaluated},
	FinalResponseMatch: {true, measureFinalResponse, sumEvaluated},
	ResponseQuality:    {false, rubricMeasure(FinalResponseQuality, evaluation.responseQualityQuestion), sumRubrics},
	ToolQuality:        {false, rubricMeasure(ToolUseQuality, evaluation.toolQualityQuestion), sumRubrics},
	TrajectoryQuality:  {false, measureTrajectoryQuality, sumRubrics},
	Hallucinations:     {false, measureHallucinations, sumMean},
	ToolParameters:     {true, measureParameters, sumEvaluated},
	UserSimulator:      {false, measureUser, sumPassed},
	Safety:             {false, measureSafety, sumSafety},
}

// NeedsReference reports whether a metric compares with an expected conversation.
func NeedsReference(name string) bool { return kinds[name].needsReference }

func sumEvaluated(r *Result) { r.Score = MeanEvaluated(r.Invocations) }

func sumMean(r *Result) { r.Score = Mean(turnScores(r.Invocations)) }

func turnScores(turns []InvocationResult) []*float64 {
	return generic.Map(turns, func(t InvocationResult) *float64 { return t.Score })
}

// An unusableError means that a criterion does not apply to a conversation, so that no turn can be
// measured.
type unusableError string

func (u unusableError) Error() string { return string(u) }

// Evaluate measures a conversation by one criterion. It always returns.
func Evaluate(ctx context.Context, ports Ports, c Criterion, conversation Conversation) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r = notEvaluated(c, fmt.Sprintf("measuring panicked: %v", p))
		}
		if name := c.Judge.Name(); ports.OwnJudges[name] != nil {
			r.Judge = name
		}
	}()
	k, known := kinds[c.Metric]
	if !known {
		return notEvaluated(c, UnmeasuredReason(c.Metric))
	}
	if ports.Manual != nil {
		c.Judge.Parallel = 1 // keeps the questions in order
	}
	c.Judge.Samples = cmp.Or(c.Judge.Samples, ports.DefaultSamples)
	e := evaluation{ports, c, conversation}
	turns, err := e.pairTurns(k.needsReference)
	if err != nil {
		return notEvaluated(c, err.Error())
	}
	r = Result{Metric: c.Metric, Threshold: c.Threshold, Invocations: []InvocationResult{}}
	for _, t := range turns {
		e.ports = ports.forTurn(c.Metric, conversation.PriorTurns+t.index+1)
		measured, err := k.measure(ctx, e, t)
		if why, ok := errors.AsType[unusableError](err); ok {
			return notEvaluated(c, why.Error())
		}
		if err != nil && (e.isV2() || ctx.Err() != nil) {
			none := notEvaluated(c, err.Error())
			none.Err = err
			for _, done := range append(r.Invocations, measured) {
				none.Replies = append(none.Replies, done.Replies...)
			}
			return none
		}
		if err != nil {
			measured.Reason, measured.Err = err.Error(), err
		} else if measured.Score == nil && len(measured.Replies) > 0 && measured.Err == nil {
			measured.Err = errors.New(measured.Reason)
		}
		if r.Err == nil && measured.Err != nil {
			r.Err = fmt.Errorf("turn %d: %w", t.index+1, measured.Err)
		}
		if measured.Score == nil && slices.ContainsFunc(measured.Replies, isOffline) {
			measured.Rubrics, measured.Reason, r.Reason = nil, offline.NeedsModel, offline.NeedsModel
		}
		measured.Status = StatusOf(measured.Score, c.Threshold)
		r.Invocations = append(r.Invocations, measured)
	}
	if r.Reason == "" { // otherwise the turns that are decided would count as all of them
		k.summarize(&r)
	}
	r.Status, r.Notice = StatusOf(r.Score, c.Threshold), offlineNotice(r.Invocations)
	if r.Status == NotEvaluated && r.Reason == "" {
		r.Reason = noScoreReason(r.Invocations)
	}
	return r
}

func notEvaluated(c Criterion, reason string) Result {
	return Result{Metric: c.Metric, Threshold: c.Threshold, Status: NotEvaluated, Reason: reason, Invocations: []InvocationResult{}}
}

func noScoreReason(turns []InvocationResult) string {
	if len(turns) == 0 {
		return "the conversation has no turns"
	}
	for i, t := range turns {
		if t.Reason != "" && t.Reason != judgedAtLastTurn {
			return fmt.Sprintf("no turn has a score; turn %d: %s", i+1, t.Reason)
		}
	}
	return "no turn has a score"
}

func (e evaluation) pairTurns(reference bool) ([]turn, error) {
	c := e.conversation
	if reference && c.Expected == nil && c.NoReferenceReason != "" {
		return nil, unusableError(c.NoReferenceReason)
	}
	if reference && c.Expected == nil {
		return nil, unusableError("there is no expected conversation to compare with")
	}
	n := len(c.Actual)
	if c.Expected != nil && len(c.Expected) != n {
		if !e.isV2() {
			return nil, unusableError(fmt.Sprintf("the conversations must have the same length, and the actual one has %s, the expected one %d", diag.CountNoun(n, "turn"), len(c.Expected)))
		}
		n = min(n, len(c.Expected))
	}
	turns := make([]turn, n)
	for i := range turns {
		turns[i].index, turns[i].actual = i, c.Actual[i]
		if c.Expected != nil {
			turns[i].expected = &c.Expected[i]
		}
	}
	return turns, nil
}

// CaseResult is the result of all criteria for a case's conversation.
type CaseResult struct {
	Status  Status   `json:"final_eval_status"`
	Reason  string   `json:"reason,omitempty"` // why nothing was measured
	Metrics []Result `json:"overall_eval_metric_results"`
	Answer  string   `json:"-"` // the agent's answers; see [FinalAnswers]

	Recorded      *Recorded      `json:"-"` // the conversation if an agent held it during the run; otherwise nil
	Informational *Informational `json:"-"` // of recorded conversations; otherwise nil
}

// EvaluateCase measures a conversation by each criterion. rubrics are those of the case, for every
// turn, each for the metric that its type names.
func EvaluateCase(ctx context.Context, ports Ports, criteria []Criterion, rubrics []Rubric, c Conversation) CaseResult {
	result := CaseResult{Status: NotEvaluated, Metrics: []Result{}, Answer: FinalAnswers(c.Actual)}
	merged, err := WithRubrics(rubrics, c)
	if err != nil {
		result.Reason = err.Error()
		return result
	}
	var statuses []Status
	for _, criterion := range criteria {
		r := Evaluate(ctx, ports, criterion, merged)
		result.Metrics = append(result.Metrics, r)
		statuses = append(statuses, r.Status)
	}
	result.Status = CaseStatus(statuses)
	return result
}

// WithRubrics returns c with the rubrics of the case and of the expected turns added to its actual
// turns, after their own. A repeated id in a turn is an error, whatever the types.
func WithRubrics(rubrics []Rubric, c Conversation) (Conversation, error) {
	actual := make([]Invocation, len(c.Actual))
	for i, a := range c.Actual {
		lists := [][]Rubric{a.Rubrics, rubrics}
		if i < len(c.Expected) {
			lists = append(lists, c.Expected[i].Rubrics)
		}
		merged, duplicate := mergeRubrics(lists...)
		if duplicate != "" {
			return c, fmt.Errorf("a rubric with the id `%s` already exists in turn %d", duplicate, i+1)
		}
		a.Rubrics = merged
		actual[i] = a
	}
	c.Actual = actual
	return c, nil
}

// mergeRubrics returns the rubrics of all lists, or the first repeated id.
func mergeRubrics(lists ...[]Rubric) (all []Rubric, duplicate string) {
	seen := map[string]bool{}
	for _, list := range lists {
		for _, r := range list {
			if seen[r.ID] {
				return nil, r.ID
			}
			seen[r.ID] = true
			all = append(all, r)
		}
	}
	return all, ""
}

// PoolRuns combines several runs of one case: for each metric the mean over all turns of all runs,
// in the order of first appearance. A run that failed before anything was measured fails the case.
// A single run is returned as it is.
func PoolRuns(runs []CaseResult) CaseResult {
	if len(runs) == 1 {
		return runs[0]
	}
	pooled := CaseResult{Metrics: []Result{}}
	broken := false
	var answers []string
	var unmeasured error
	for n, run := range runs {
		answers = append(answers, run.Answer)
		broken = broken || run.Status == Failed && len(run.Metrics) == 0
		if len(run.Metrics) == 0 {
			unmeasured = fmt.Errorf("run %d: %s", n+1, run.Reason)
		}
		for _, m := range run.Metrics {
			i := slices.IndexFunc(pooled.Metrics, func(p Result) bool { return p.Metric == m.Metric })
			if i < 0 {
				i = len(pooled.Metrics)
				pooled.Metrics = append(pooled.Metrics, Result{Metric: m.Metric, Threshold: m.Threshold})
			}
			p := &pooled.Metrics[i]
			p.Invocations = append(p.Invocations, m.Invocations...)
			p.Notice = cmp.Or(p.Notice, m.Notice)
			if m.Status == NotEvaluated {
				m.Err = cmp.Or(m.Err, errors.New(m.Reason))
			}
			if m.Err != nil && p.Err == nil {
				p.Err = fmt.Errorf("run %d: %w", n+1, m.Err)
			}
		}
	}
	pooled.Answer = strings.Join(answers, "\n\n")
	var statuses []Status
	for i := range pooled.Metrics {
		p := &pooled.Metrics[i]
		p.Score, p.Err = Mean(turnScores(p.Invocations)), cmp.Or(p.Err, unmeasured)
		if p.Status = StatusOf(p.Score, p.Threshold); p.Status == NotEvaluated {
			p.Reason = noScoreReason(p.Invocations)
		}
		statuses = append(statuses, p.Status)
	}
	if pooled.Status = CaseStatus(statuses); broken {
		pooled.Status, pooled.Reason = Failed, "a run failed before anything was measured"
	}
	return pooled
}

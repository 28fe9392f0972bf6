package metric

import (
	"context"
	"errors"
	"fmt"

	"github.com/rubric-ls/rubric/core/judge"
)

// Ports are what measuring needs from outside.
type Ports struct {
	Judge    judge.Judge     // nil: whatever needs a judge is not evaluated
	Moderate Moderate        // nil: the judge is asked about safety too
	Profile  Profile         // "" is [Latest]
	Manual   *ManualVerdicts // instead of both; nil: there is none
}

// evaluation is one measurement: everything that a metric may look at.
type evaluation struct {
	ports        Ports
	criterion    Criterion
	conversation Conversation
}

func (e evaluation) isV2() bool { return e.ports.Profile == V2 }

// turn is an invocation beside the expected one, nil without a reference.
type turn struct {
	index    int
	actual   Invocation
	expected *Invocation
}

// metricKind is a metric: how a turn is measured, and what the turns amount to.
type metricKind struct {
	needsReference bool // it cannot do without expected turns
	measure        func(context.Context, evaluation, turn) (InvocationResult, error)
	summarize      func(*Result)
}

func kinds() map[string]metricKind {
	return map[string]metricKind{
		ToolTrajectory:     {true, measureTrajectory, sumEvaluated},
		ResponseMatch:      {true, measureResponse, sumEvaluated},
		FinalResponseMatch: {true, measureFinalResponse, sumEvaluated},
		ResponseQuality:    {false, measureResponseQuality, sumRubrics},
		ToolQuality:        {false, measureToolQuality, sumRubrics},
		Hallucinations:     {false, measureHallucinations, sumMean},
		ToolParameters:     {true, measureParameters, sumEvaluated},
		UserSimulator:      {false, measureUser, sumPassed},
		Safety:             {false, measureSafety, sumSafety},
	}
}

// NeedsReference reports whether a metric compares with an expected conversation.
func NeedsReference(name string) bool { return kinds()[name].needsReference }

func sumEvaluated(r *Result) { r.Score = MeanEvaluated(r.Invocations) }

func sumMean(r *Result) { r.Score = Mean(turnScores(r.Invocations)) }

func turnScores(turns []InvocationResult) []*float64 {
	all := make([]*float64, len(turns))
	for i, t := range turns {
		all[i] = t.Score
	}
	return all
}

// unusableError is an error of a criterion and a conversation that do not go
// together: no turn can be measured.
type unusableError string

func (u unusableError) Error() string { return string(u) }

// Evaluate measures a conversation by one criterion. It returns in every case.
func Evaluate(ctx context.Context, ports Ports, c Criterion, conversation Conversation) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r = notEvaluated(c, fmt.Sprintf("measuring panicked: %v", p))
		}
	}()
	k, known := kinds()[c.Metric]
	if !known {
		return notEvaluated(c, fmt.Sprintf("nothing here measures `%s`", c.Metric))
	}
	if ports.Manual != nil {
		c.Judge.Parallel = 1 // so that what is asked has an order
	}
	e := evaluation{ports, c, conversation}
	turns, err := e.pairTurns(k.needsReference)
	if err != nil {
		return notEvaluated(c, err.Error())
	}
	r = Result{Metric: c.Metric, Threshold: c.Threshold, Invocations: []InvocationResult{}}
	for _, t := range turns {
		e.ports = ports.forTurn(c.Metric, conversation.PriorTurns+t.index+1)
		measured, err := k.measure(ctx, e, t)
		var why unusableError
		if errors.As(err, &why) {
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
		}
		if r.Err == nil {
			r.Err = measured.Err
		}
		measured.Status = StatusOf(measured.Score, c.Threshold)
		r.Invocations = append(r.Invocations, measured)
	}
	k.summarize(&r)
	r.Status = StatusOf(r.Score, c.Threshold)
	r.Notice = offlineNotice(r.Invocations)
	if r.Status == NotEvaluated {
		r.Reason = noScoreReason(r.Invocations)
	}
	return r
}

func notEvaluated(c Criterion, reason string) Result {
	return Result{Metric: c.Metric, Threshold: c.Threshold, Status: NotEvaluated, Reason: reason, Invocations: []InvocationResult{}}
}

// noScoreReason is why turns of which none has a score have none.
func noScoreReason(turns []InvocationResult) string {
	if len(turns) == 0 {
		return "the conversation has no turns"
	}
	for i, t := range turns {
		if t.Reason != "" {
			return fmt.Sprintf("no turn has a score; of turn %d, %s", i+1, t.Reason)
		}
	}
	return "no turn has a score"
}

// pairTurns sets the actual turns beside the expected ones.
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
			return nil, unusableError(fmt.Sprintf("the conversations must have the same length, and the actual one has %d turns, the expected one %d", n, len(c.Expected)))
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

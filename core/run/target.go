package run

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// SelfTarget answers each case with its own reference answer. It tests the rubric, not a system.
// A case without a reference answer is an error.
func SelfTarget(_ context.Context, c *rubric.Case) (grade.Submission, error) {
	if c.ReferenceAnswer == "" {
		return grade.Submission{}, fmt.Errorf("the case `%s` has no expected output to answer with", c.ID)
	}
	return grade.Submission{Answer: c.ReferenceAnswer, Messages: c.Expected, Origin: grade.FromFile}, nil
}

// MockTarget returns a target that always gives the same answer.
func MockTarget(response string) Target {
	return func(context.Context, *rubric.Case) (grade.Submission, error) {
		return grade.Submission{Answer: response}, nil
	}
}

// Timed returns a target that also measures how long an answer takes, unless the target itself says
// it or gives an answer from elsewhere. Without a clock it is the target.
func Timed(target Target, clock func() time.Time) Target {
	if clock == nil {
		return target
	}
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		start := clock()
		sub, err := target(ctx, c)
		elapsed := milliseconds(clock().Sub(start))
		if err != nil || sub.Origin != grade.FromTarget || sub.Trace != nil && sub.Trace.DurationMS != nil {
			return sub, err
		}
		trace := grade.Trace{}
		if sub.Trace != nil {
			trace = *sub.Trace
		}
		trace.DurationMS = &elapsed
		sub.Trace = &trace
		return sub, nil
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Recording is a target that gives recorded answers, by case id.
type Recording map[string]grade.Submission

// Respond returns the recorded answer of a case, or an error if there is none.
func (r Recording) Respond(_ context.Context, c *rubric.Case) (grade.Submission, error) {
	sub, ok := r[c.ID]
	if !ok {
		return grade.Submission{}, fmt.Errorf("no answer is recorded for the case `%s`", c.ID)
	}
	if sub.Origin == grade.FromTarget {
		sub.Origin = grade.FromRecording
	}
	return sub, nil
}

// ReadRecording reads answers from JSON lines.
//
// A line names its case in `eval_id` or `id`. The answer is in `candidate_answer`, `answer` or
// `output`, as a string or as any JSON. `output_messages`, `tool_calls` and `trace_summary` (or
// the latter's keys by themselves) are optional. If an id is repeated, its last answer counts.
//
// Result files have this form too. Their lines for cases without an answer are skipped, and
// durations are ignored because they include the graders' time.
func ReadRecording(r io.Reader) (Recording, error) {
	recording := Recording{}
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("recorded answers: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if lineErr := recording.addLine(line); lineErr != nil {
				return nil, fmt.Errorf("recorded answers: line %d: %w", n, lineErr)
			}
		}
		if err == io.EOF {
			return recording, nil
		}
	}
}

// recordedAnswer is one line of a recording. The embedded trace receives the keys of
// `trace_summary` if they stand by themselves.
type recordedAnswer struct {
	EvalID    string          `json:"eval_id"`
	ID        string          `json:"id"`
	Candidate json.RawMessage `json:"candidate_answer"`
	Answer    json.RawMessage `json:"answer"`
	Output    json.RawMessage `json:"output"`

	Graders []json.RawMessage `json:"evaluator_results"` // set in result files; empty if there was no answer to grade

	Messages  []rubric.Message `json:"output_messages"`
	ToolCalls []grade.ToolCall `json:"tool_calls"`
	Summary   *grade.Trace     `json:"trace_summary"`
	grade.Trace
}

func (r Recording) addLine(line []byte) error {
	var row recordedAnswer
	if err := json.Unmarshal(line, &row); err != nil {
		return err
	}
	id := cmp.Or(row.EvalID, row.ID)
	if id == "" {
		return errors.New("no `eval_id`")
	}
	if row.Graders != nil && len(row.Graders) == 0 {
		return nil
	}
	for _, answer := range []json.RawMessage{row.Candidate, row.Answer, row.Output} {
		if answer == nil || string(answer) == "null" {
			continue
		}
		sub := grade.Submission{Messages: row.Messages, ToolCalls: row.ToolCalls, Trace: row.Summary}
		if json.Unmarshal(answer, &sub.Answer) != nil {
			sub.Answer = string(answer)
		}
		if sub.Trace == nil && row.Graders == nil && !reflect.ValueOf(row.Trace).IsZero() {
			sub.Trace = &row.Trace
		}
		r[id] = sub
		r.addTurns(id, row.Graders)
		return nil
	}
	return fmt.Errorf("`%s` has no `candidate_answer`", id)
}

// addTurns adds the answers of a conversation's turns.
func (r Recording) addTurns(id string, graders []json.RawMessage) {
	for i, raw := range graders {
		var g struct{ Turn *TurnRecord }
		if json.Unmarshal(raw, &g) == nil && g.Turn != nil {
			r[TurnID(id, i)] = grade.Submission{Answer: g.Turn.Answer}
		}
	}
}

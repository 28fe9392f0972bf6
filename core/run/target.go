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

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// SelfTarget answers each case with the file's own reference answer: a test of the
// rubric, not of a system. A case without one is an error.
func SelfTarget(_ context.Context, c *rubric.Case) (grade.Submission, error) {
	if c.ReferenceAnswer == "" {
		return grade.Submission{}, fmt.Errorf("the case `%s` has no expected output to answer with", c.ID)
	}
	return grade.Submission{Answer: c.ReferenceAnswer, Messages: c.Expected}, nil
}

// MockTarget is a target that always answers the same.
func MockTarget(response string) Target {
	return func(context.Context, *rubric.Case) (grade.Submission, error) {
		return grade.Submission{Answer: response}, nil
	}
}

// Recording is a target that answers what was written down, by case id.
type Recording map[string]grade.Submission

// Respond looks the case up; one that was not written down is an error.
func (r Recording) Respond(_ context.Context, c *rubric.Case) (grade.Submission, error) {
	sub, ok := r[c.ID]
	if !ok {
		return grade.Submission{}, fmt.Errorf("no answer is recorded for the case `%s`", c.ID)
	}
	return sub, nil
}

// ReadRecording reads answers from JSON lines. A line names its case in
// `eval_id` or `id` and gives the answer in `candidate_answer`, `answer` or
// `output`, as a string or as any JSON; `output_messages`, `tool_calls` and
// `trace_summary` (or its keys on their own) may follow. Of a repeated id the
// last answer counts.
//
// A result file is such a file. Of its lines, those of cases without an answer
// are left out, and the duration is not taken: it is not the target's alone.
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

// recordedAnswer is one recorded answer. The embedded trace takes in its keys when
// they stand on their own.
type recordedAnswer struct {
	EvalID    string          `json:"eval_id"`
	ID        string          `json:"id"`
	Candidate json.RawMessage `json:"candidate_answer"`
	Answer    json.RawMessage `json:"answer"`
	Output    json.RawMessage `json:"output"`

	Graders []json.RawMessage `json:"evaluator_results"` // of a result; empty if there was no answer to grade

	Messages  []rubric.Message `json:"output_messages"`
	ToolCalls []grade.ToolCall `json:"tool_calls"`
	Summary   *grade.Trace     `json:"trace_summary"`
	grade.Trace
}

// addLine takes in one line.
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
		return nil
	}
	return fmt.Errorf("`%s` has no `candidate_answer`", id)
}

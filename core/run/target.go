package run

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Self answers each case with the file's own reference answer: a test of the
// rubric, not of a system. A case without one is an error.
func Self(_ context.Context, c *rubric.Case) (grade.Submission, error) {
	if c.ReferenceAnswer == "" {
		return grade.Submission{}, fmt.Errorf("the case `%s` has no expected output to answer with", c.ID)
	}
	return grade.Submission{Answer: c.ReferenceAnswer, Messages: c.Expected}, nil
}

// Mock is a target that always answers the same.
func Mock(response string) Target {
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
// `trace_summary` (or its keys on their own) may follow. A result file is such
// a file. Of a repeated id the last line counts.
func ReadRecording(r io.Reader) (Recording, error) {
	recording := Recording{}
	lines := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("recorded answers: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			id, sub, bad := readAnswer(line)
			if bad != nil {
				return nil, fmt.Errorf("recorded answers: line %d: %w", n, bad)
			}
			recording[id] = sub
		}
		if err == io.EOF {
			return recording, nil
		}
	}
}

// answerLine is one recorded answer. The embedded trace takes in its keys when
// they stand on their own.
type answerLine struct {
	EvalID    string          `json:"eval_id"`
	ID        string          `json:"id"`
	Candidate json.RawMessage `json:"candidate_answer"`
	Answer    json.RawMessage `json:"answer"`
	Output    json.RawMessage `json:"output"`

	Messages  []rubric.Message `json:"output_messages"`
	ToolCalls []grade.ToolCall `json:"tool_calls"`
	Summary   *grade.Trace     `json:"trace_summary"`
	grade.Trace
}

func readAnswer(line []byte) (string, grade.Submission, error) {
	var row answerLine
	if err := json.Unmarshal(line, &row); err != nil {
		return "", grade.Submission{}, err
	}
	id := row.EvalID
	if id == "" {
		id = row.ID
	}
	if id == "" {
		return "", grade.Submission{}, errors.New("no `eval_id`")
	}
	for _, answer := range []json.RawMessage{row.Candidate, row.Answer, row.Output} {
		if answer == nil {
			continue
		}
		sub := grade.Submission{Messages: row.Messages, ToolCalls: row.ToolCalls, Trace: row.Summary}
		if json.Unmarshal(answer, &sub.Answer) != nil {
			sub.Answer = string(answer)
		}
		if sub.Trace == nil && row.known() {
			sub.Trace = &row.Trace
		}
		return id, sub, nil
	}
	return "", grade.Submission{}, fmt.Errorf("`%s` has no `candidate_answer`", id)
}

func (row answerLine) known() bool {
	t := row.Trace
	return t.EventCount != nil || t.ToolCallsByName != nil || t.TokenUsage != nil || t.CostUSD != nil ||
		t.DurationMS != nil || t.LLMCalls != nil || t.ErrorCount != nil
}

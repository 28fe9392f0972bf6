package host

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// mockTarget answers what it is told to, after a while, with the tool calls of its trace.
func mockTarget(t agentv.Target) (run.Target, error) {
	var events []struct {
		Type, Name    string
		Input, Output any
	}
	encoded, err := json.Marshal(t.Trace)
	if err != nil || json.Unmarshal(encoded, &events) != nil {
		return nil, errors.New(": its `trace` is no list of events")
	}
	sub := grade.Submission{Answer: t.Response}
	for _, e := range events {
		if e.Type == "tool_call" {
			sub.ToolCalls = append(sub.ToolCalls, grade.ToolCall{Tool: e.Name, Input: e.Input, Output: e.Output})
		}
	}
	minDelay, maxDelay := toDuration(t.DelayMS[0], time.Millisecond), toDuration(t.DelayMS[1], time.Millisecond)
	return func(ctx context.Context, _ *rubric.Case) (grade.Submission, error) {
		if maxDelay <= 0 {
			return sub, nil
		}
		select {
		case <-time.After(minDelay + time.Duration(rand.Float64()*float64(maxDelay-minDelay))):
			return sub, nil
		case <-ctx.Done():
			return grade.Submission{}, context.Cause(ctx)
		}
	}, nil
}

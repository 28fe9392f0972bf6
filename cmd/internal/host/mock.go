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

// mock answers what it is told to, after a while, with the tool calls of its trace.
func mock(t agentv.Target) (run.Target, error) {
	var events []struct {
		Type, Name    string
		Input, Output any
	}
	written, err := json.Marshal(t.Trace)
	if err != nil || json.Unmarshal(written, &events) != nil {
		return nil, errors.New(": its `trace` is no list of events")
	}
	said := grade.Submission{Answer: t.Response}
	for _, e := range events {
		if e.Type == "tool_call" {
			said.ToolCalls = append(said.ToolCalls, grade.ToolCall{Tool: e.Name, Input: e.Input, Output: e.Output})
		}
	}
	least, most := duration(t.DelayMS[0], time.Millisecond), duration(t.DelayMS[1], time.Millisecond)
	return func(ctx context.Context, _ *rubric.Case) (grade.Submission, error) {
		if most <= 0 {
			return said, nil
		}
		select {
		case <-time.After(least + time.Duration(rand.Float64()*float64(most-least))):
			return said, nil
		case <-ctx.Done():
			return grade.Submission{}, context.Cause(ctx)
		}
	}, nil
}

package host

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// batchTarget makes a target of a command that answers all cases in one go, as the reference
// implementation runs one: once, without a prompt, for a line of JSON for each case, which
// its `id` tells.
func batchTarget(command CommandTarget) run.Target {
	var once sync.Once
	var lines map[string]string
	var failed error
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		once.Do(func() {
			var output string
			output, failed = command.Answer(ctx, Request{EvalID: "batch"})
			lines = linesByID(output)
		})
		line, ok := lines[c.ID]
		switch {
		case failed != nil:
			return grade.Submission{}, failed
		case !ok:
			return grade.Submission{}, fmt.Errorf("`%s` gave no line of JSON with the `id` of the case, as `provider_batching` wants", command.program())
		}
		sub := parseSubmission(line)
		sub.InputFiles = c.Files
		return sub, nil
	}
}

// linesByID are lines of JSON by their ids.
func linesByID(output string) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(output) {
		var row struct{ ID string }
		if json.Unmarshal([]byte(line), &row) == nil && row.ID != "" {
			lines[row.ID] = line
		}
	}
	return lines
}

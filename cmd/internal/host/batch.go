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

// batch makes a target of a command that answers all cases in one go, as the reference
// implementation runs one: once, without a prompt, for a line of JSON for each case, which
// its `id` tells.
func batch(command CommandTarget) run.Target {
	var once sync.Once
	var lines map[string]string
	var failed error
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		once.Do(func() {
			var said string
			said, failed = command.Answer(ctx, Request{EvalID: "batch"})
			lines = byID(said)
		})
		line, ok := lines[c.ID]
		switch {
		case failed != nil:
			return grade.Submission{}, failed
		case !ok:
			return grade.Submission{}, fmt.Errorf("`%s` gave no line of JSON with the `id` of the case, as `provider_batching` wants", command.name())
		}
		sub := submission(line)
		sub.InputFiles = c.Files
		return sub, nil
	}
}

// byID are lines of JSON by their ids.
func byID(said string) map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(said) {
		var of struct{ ID string }
		if json.Unmarshal([]byte(line), &of) == nil && of.ID != "" {
			lines[of.ID] = line
		}
	}
	return lines
}

package cli

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
)

// selfTarget counts the cases that were to be answered with what their file expects, and of
// which it expects nothing.
type selfTarget struct {
	mu         sync.Mutex
	missing    int
	targetName string // who else could answer
}

// respond answers with what a file expects.
func (t *selfTarget) respond(suite loadedSuite) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		submission, err := run.SelfTarget(ctx, c)
		if err != nil {
			t.addMissing(suite.suite.Target)
		}
		return submission, err
	}
}

func (t *selfTarget) addMissing(target string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.missing++
	if target != "" {
		t.targetName = target
	}
}

// printHint says who else could answer: to the person who has started the run, as those who
// read its results cannot.
func (t *selfTarget) printHint(w io.Writer) {
	if t.missing == 0 {
		return
	}
	hint := "names who answers"
	if t.targetName != "" {
		hint = t.targetName + " asks the one that the file names"
	}
	fmt.Fprintf(w, "rubric: %s without an expected output to answer with; --target %s\n", plural(t.missing, "case"), hint)
}

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

// bare counts the cases that were to be answered with what their file expects, and of
// which it expects nothing.
type bare struct {
	mu    sync.Mutex
	cases int
	other string // who else could answer
}

// self answers with what a file expects.
func (b *bare) self(of loaded) run.Target {
	return func(ctx context.Context, c *rubric.Case) (grade.Submission, error) {
		said, err := run.Self(ctx, c)
		if err != nil {
			b.add(of.suite.Target)
		}
		return said, err
	}
}

func (b *bare) add(target string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cases++
	if target != "" {
		b.other = target
	}
}

// tell says who else could answer: to the person who has started the run, as those who
// read its results cannot.
func (b *bare) tell(w io.Writer) {
	if b.cases == 0 {
		return
	}
	other := "names who answers"
	if b.other != "" {
		other = b.other + " asks the one that the file names"
	}
	fmt.Fprintf(w, "rubric: %s without an expected output to answer with; --target %s\n", plural(b.cases, "case"), other)
}

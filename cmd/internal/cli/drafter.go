package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

// atOnce is how many drafts a judge is asked for at a time.
const atOnce = 3

// drafter drafts for the cases of one file.
type drafter struct {
	path, body string
	file       *analysis.Analysis
	judge      judge.Judge // nil: nobody is asked

	drafts   []draft.Draft
	declined []error // why there is none, by cases that are left as they are
	failed   []error // and by those that none could be made for
}

// cases are all that the file has; the newest version's runner skips those that
// nothing grades yet.
func (d *drafter) cases() []*rubric.Case {
	return slices.Concat(d.file.Suite().Cases, d.file.Suite().Skipped)
}

// draft drafts for the cases.
func (d *drafter) draft(ctx context.Context, wanted []*rubric.Case, progress func(done, of int)) {
	made, errs := make([]draft.Draft, len(wanted)), make([]error, len(wanted))
	var (
		wait sync.WaitGroup
		mu   sync.Mutex
		done int
	)
	slots := make(chan struct{}, atOnce)
	for i, c := range wanted {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			if errs[i] = context.Cause(ctx); errs[i] == nil {
				made[i], errs[i] = draft.For(ctx, d.judge, d.file, c)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(done, len(wanted))
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err == nil {
			d.drafts = append(d.drafts, made[i])
		} else {
			d.fail(err)
		}
	}
}

// fail adds what does not say which file it is of.
func (d *drafter) fail(err error) { d.failed = append(d.failed, fmt.Errorf("%s: %w", d.path, err)) }

// wanted are the cases that some are drafted for, each once: the newest version
// makes several of one test.
func (d *drafter) wanted(keep func(*rubric.Case) bool) (all []*rubric.Case) {
	seen := map[text.Span]bool{}
	for _, c := range d.cases() {
		if !keep(c) || seen[c.Span] {
			continue
		}
		seen[c.Span] = true
		if err := draft.Declined(d.file, c); err != nil {
			d.declined = append(d.declined, err)
		} else {
			all = append(all, c)
		}
	}
	return all
}

// together is the file's text with all drafts.
func (d *drafter) together() (string, error) {
	if len(d.drafts) == 0 {
		return d.body, nil
	}
	after, err := draft.Together(d.file, d.drafts)
	if err != nil {
		return d.body, err
	}
	return after.Source().Body, nil
}

// write replaces the file, unless somebody else has meanwhile.
func (d *drafter) write(after string) error {
	return host.Rewrite(d.path, d.body, after)
}

// tell says what was drafted, and what of that was left out.
func (d *drafter) tell(w io.Writer, all bool) {
	why := ""
	if len(d.drafts) == 0 && len(d.declined) > 0 && !all {
		why = "; --verbose says why"
	}
	fmt.Fprintf(w, "%s: criteria drafted for %s%s\n", d.path, plural(len(d.drafts), "case"), why)
	for _, made := range d.drafts {
		if all {
			fmt.Fprintf(w, "  %s\n", cell(made.Case.ID))
			for _, c := range made.Criteria {
				required := ""
				if c.Required {
					required = ", required"
				}
				fmt.Fprintf(w, "    %s (weight %v%s): %s\n", cell(c.ID), c.Weight, required, cell(c.ExpectedOutcome))
			}
		}
		notes := made.Notes
		if all {
			notes = slices.Concat(notes, made.Remarks)
		}
		for _, note := range notes {
			fmt.Fprintf(w, "  %s: %s\n", cell(made.Case.ID), cell(note))
		}
	}
	if all {
		for _, err := range d.declined {
			fmt.Fprintf(w, "  %s\n", cell(err.Error()))
		}
	}
}

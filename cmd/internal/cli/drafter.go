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

// maxParallelDrafts is how many drafts a judge is asked for at a time.
const maxParallelDrafts = 3

// drafter drafts for the cases of one file.
type drafter struct {
	path, body string
	analysis   *analysis.Analysis
	judge      judge.Judge // nil: nobody is asked

	drafts   []draft.Draft
	declined []error // why there is none, by cases that are left as they are
	errs     []error // and by those that none could be made for
}

// allCases are all that the file has; the newest version's runner skips those that
// nothing grades yet.
func (d *drafter) allCases() []*rubric.Case {
	return slices.Concat(d.analysis.Suite().Cases, d.analysis.Suite().Skipped)
}

// draftCases drafts for the cases.
func (d *drafter) draftCases(ctx context.Context, cases []*rubric.Case, progress func(done, of int)) {
	drafts, errs := make([]draft.Draft, len(cases)), make([]error, len(cases))
	var (
		wait sync.WaitGroup
		mu   sync.Mutex
		done int
	)
	slots := make(chan struct{}, maxParallelDrafts)
	for i, c := range cases {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			if errs[i] = context.Cause(ctx); errs[i] == nil {
				drafts[i], errs[i] = draft.New(ctx, d.judge, d.analysis, c)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(done, len(cases))
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err == nil {
			d.drafts = append(d.drafts, drafts[i])
		} else {
			d.addError(err)
		}
	}
}

// addError adds what does not say which file it is of.
func (d *drafter) addError(err error) { d.errs = append(d.errs, fmt.Errorf("%s: %w", d.path, err)) }

// casesToDraft are the cases that some are drafted for, each once: the newest version
// makes several of one test.
func (d *drafter) casesToDraft(selects func(*rubric.Case) bool) (all []*rubric.Case) {
	seen := map[text.Span]bool{}
	for _, c := range d.allCases() {
		if !selects(c) || seen[c.Span] {
			continue
		}
		seen[c.Span] = true
		if err := draft.CheckDraftable(d.analysis, c); err != nil {
			d.declined = append(d.declined, err)
		} else {
			all = append(all, c)
		}
	}
	return all
}

// combined is the file's text with all drafts.
func (d *drafter) combined() (string, error) {
	if len(d.drafts) == 0 {
		return d.body, nil
	}
	after, err := draft.Combine(d.analysis, d.drafts)
	if err != nil {
		return d.body, err
	}
	return after.Source().Body, nil
}

// write replaces the file, unless somebody else has meanwhile.
func (d *drafter) write(after string) error {
	return host.ReplaceText(d.path, d.body, after)
}

// printSummary says what was drafted, and what of that was left out.
func (d *drafter) printSummary(w io.Writer, verbose bool) {
	why := ""
	if len(d.drafts) == 0 && len(d.declined) > 0 && !verbose {
		why = "; --verbose says why"
	}
	fmt.Fprintf(w, "%s: criteria drafted for %s%s\n", d.path, plural(len(d.drafts), "case"), why)
	for _, draft := range d.drafts {
		if verbose {
			fmt.Fprintf(w, "  %s\n", tableCell(draft.Case.ID))
			for _, c := range draft.Criteria {
				required := ""
				if c.Required {
					required = ", required"
				}
				fmt.Fprintf(w, "    %s (weight %v%s): %s\n", tableCell(c.ID), c.Weight, required, tableCell(c.ExpectedOutcome))
			}
		}
		notes := draft.Notes
		if verbose {
			notes = slices.Concat(notes, draft.Remarks)
		}
		for _, note := range notes {
			fmt.Fprintf(w, "  %s: %s\n", tableCell(draft.Case.ID), tableCell(note))
		}
	}
	if verbose {
		for _, err := range d.declined {
			fmt.Fprintf(w, "  %s\n", tableCell(err.Error()))
		}
	}
}

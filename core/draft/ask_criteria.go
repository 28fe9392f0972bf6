package draft

import (
	"context"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
)

// maxRepairs is how often a judge is told what is wrong with its reply.
const maxRepairs = 2

// AskCriteria are those that a judge replies with for a case of a file. A reply that
// cannot be used, or that a rule would have something to say of, is asked for again
// with the faults named, at most twice.
func AskCriteria(ctx context.Context, j judge.Judge, a *analysis.Analysis, c *rubric.Case) ([]Criterion, error) {
	ip, err := findInsertionPoint(a, c)
	if err != nil {
		return nil, err
	}
	return askUsable(ctx, j, ip.draftCase(), func(criteria []Criterion) (problems []string) {
		_, after, err := ip.insertCriteria(a, criteria)
		if err != nil {
			return nil // which is no fault of the judge's
		}
		inserted := findInsertedCase(after, c)
		flagged, remarks := newFindings(a, after, inserted)
		for _, d := range append(flagged, remarks...) {
			if d.Severity <= diag.Warning || inserted.isAboutCriterion(d) {
				problems = append(problems, d.Message)
			}
		}
		return problems
	})
}

// askUsable asks until there are criteria that can be used and that check, a look at
// them in their place, has nothing to say of. Of replies that can be used but are
// not as wished, the last is taken.
func askUsable(ctx context.Context, j judge.Judge, c *rubric.Case, review func([]Criterion) []string) (usable []Criterion, err error) {
	var problems []string
	for attempt := range maxRepairs + 1 {
		q := Question(c, attempt, problems)
		q.Usable = isUsableReply
		a, err := j.Ask(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("draft criteria for `%s`: %w", c.ID, err)
		}
		criteria, err := DecodeReply(a.Text)
		if err != nil {
			problems = []string{err.Error()}
			continue
		}
		if problems = Problems(criteria); len(problems) > 0 {
			continue
		}
		usable = criteria
		if problems = append(softProblems(criteria), review(criteria)...); len(problems) == 0 {
			break
		}
	}
	if usable == nil {
		return nil, fmt.Errorf("draft criteria for `%s`: none of %d replies could be used: %s", c.ID, maxRepairs+1, strings.Join(problems, "; "))
	}
	return usable, nil
}

// isUsableReply reports whether a reply holds criteria that can be used, if not as wished.
func isUsableReply(reply string) bool {
	criteria, err := DecodeReply(reply)
	return err == nil && len(Problems(criteria)) == 0
}

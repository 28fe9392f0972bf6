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

// repairs is how often a judge is told what is wrong with its reply.
const repairs = 2

// Criteria are those that a judge replies with for a case of a file. A reply that
// cannot be used, or that a rule would have something to say of, is asked for again
// with the faults named, at most twice.
func Criteria(ctx context.Context, j judge.Judge, a *analysis.Analysis, c *rubric.Case) ([]Criterion, error) {
	s, err := find(a, c)
	if err != nil {
		return nil, err
	}
	return ask(ctx, j, s.goal(), func(criteria []Criterion) (said []string) {
		_, after, err := s.insert(a, criteria)
		if err != nil {
			return nil // which is no fault of the judge's
		}
		at := writtenIn(after, c)
		bad, remarks := findings(a, after, at)
		for _, d := range append(bad, remarks...) {
			if d.Severity <= diag.Warning || at.holds(d) {
				said = append(said, d.Message)
			}
		}
		return said
	})
}

// ask asks until there are criteria that can be used and that check, a look at
// them in their place, has nothing to say of. Of replies that can be used but are
// not as wished, the last is taken.
func ask(ctx context.Context, j judge.Judge, c *rubric.Case, check func([]Criterion) []string) (usable []Criterion, err error) {
	var faults []string
	for attempt := range repairs + 1 {
		q := Question(c, attempt, faults)
		q.Usable = usableReply
		a, err := j.Ask(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("draft criteria for `%s`: %w", c.ID, err)
		}
		criteria, err := Decode(a.Text)
		if err != nil {
			faults = []string{err.Error()}
			continue
		}
		if faults = Faults(criteria); len(faults) > 0 {
			continue
		}
		usable = criteria
		if faults = append(wishes(criteria), check(criteria)...); len(faults) == 0 {
			break
		}
	}
	if usable == nil {
		return nil, fmt.Errorf("draft criteria for `%s`: none of %d replies could be used: %s", c.ID, repairs+1, strings.Join(faults, "; "))
	}
	return usable, nil
}

// usableReply reports whether a reply holds criteria that can be used, if not as wished.
func usableReply(reply string) bool {
	criteria, err := Decode(reply)
	return err == nil && len(Faults(criteria)) == 0
}

package draft

import (
	"context"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/rubric"
)

// attempts is how often a judge is asked for criteria that can be used.
const attempts = 3

// Generate asks j for the criteria of a case until they can be used, at most
// three times; after a faulty reply it says what was wrong with it.
func Generate(ctx context.Context, j judge.Judge, c *rubric.Case) ([]Criterion, error) {
	q := Question(c)
	var faults []string
	for attempt := range attempts {
		if attempt > 0 {
			q = Again(Question(c), faults)
			q.Attempt = attempt
		}
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
		if faults = number(criteria); len(faults) == 0 || attempt == attempts-1 {
			return criteria, nil
		}
	}
	return nil, fmt.Errorf("draft criteria for `%s`: none of %d replies could be used: %s", c.ID, attempts, strings.Join(faults, "; "))
}

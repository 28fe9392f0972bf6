package draft

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/pattern"
)

// Criterion is one proposed criterion.
type Criterion struct {
	ID              string  `json:"id"`
	ExpectedOutcome string  `json:"expected_outcome"`
	Weight          float64 `json:"weight"`
	Required        bool    `json:"required"`
}

// How many criteria are asked for. Another number is asked about again and, if
// the judge insists, taken: the reference implementation does not enforce it.
const minCriteria, maxCriteria = 3, 7

// maxIDLength is how many characters an id may have.
const maxIDLength = 60

// numberedID is an id that says nothing of its criterion.
var numberedID = pattern.New(`(?i)^(?:rubric|criterion|criteria|item|check)?[-_ ]?\d+$`)

// Problems says why criteria that were read cannot be used, one sentence each: an
// id that is empty, not readable or twice there, a text that is empty, a weight
// that is not above 0.
func Problems(criteria []Criterion) []string {
	var problems []string
	seen := map[string]bool{}
	for i, c := range criteria {
		switch {
		case strings.TrimSpace(c.ID) == "":
			problems = append(problems, fmt.Sprintf("criterion %d has no id", i+1))
		case seen[c.ID]:
			problems = append(problems, fmt.Sprintf("the id `%s` is there twice", c.ID))
		case strings.ContainsFunc(c.ID, unicode.IsSpace) || strings.ContainsFunc(c.ID, unicode.IsControl) || utf8.RuneCountInString(c.ID) > maxIDLength:
			problems = append(problems, fmt.Sprintf("the id of criterion %d is no short word or words with hyphens between them", i+1))
		}
		seen[c.ID] = true
		if strings.TrimSpace(c.ExpectedOutcome) == "" {
			problems = append(problems, fmt.Sprintf("criterion `%s` has no text", c.ID))
		}
		if !(c.Weight > 0) {
			problems = append(problems, fmt.Sprintf("the weight of `%s` must be above 0, got %v", c.ID, c.Weight))
		}
	}
	return problems
}

// softProblems are what is asked for again, and taken if the judge insists.
func softProblems(criteria []Criterion) (problems []string) {
	if n := len(criteria); n < minCriteria || n > maxCriteria {
		problems = append(problems, fmt.Sprintf("there should be %d to %d criteria, not %d", minCriteria, maxCriteria, n))
	}
	for _, c := range criteria {
		if numberedID().MatchString(c.ID) {
			problems = append(problems, fmt.Sprintf("the id `%s` says nothing of its criterion", c.ID))
		}
	}
	return problems
}

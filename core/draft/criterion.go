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
const fewest, most = 3, 7

// longest is how many characters an id may have.
const longest = 60

// numbered is an id that says nothing of its criterion.
var numbered = pattern.Of(`(?i)^(?:rubric|criterion|criteria|item|check)?[-_ ]?\d+$`)

// Faults says why criteria that were read cannot be used, one sentence each: an
// id that is empty, not readable or twice there, a text that is empty, a weight
// that is not above 0.
func Faults(criteria []Criterion) []string {
	var faults []string
	seen := map[string]bool{}
	for i, c := range criteria {
		switch {
		case strings.TrimSpace(c.ID) == "":
			faults = append(faults, fmt.Sprintf("criterion %d has no id", i+1))
		case seen[c.ID]:
			faults = append(faults, fmt.Sprintf("the id `%s` is there twice", c.ID))
		case strings.ContainsFunc(c.ID, unicode.IsSpace) || strings.ContainsFunc(c.ID, unicode.IsControl) || utf8.RuneCountInString(c.ID) > longest:
			faults = append(faults, fmt.Sprintf("the id of criterion %d is no short word or words with hyphens between them", i+1))
		}
		seen[c.ID] = true
		if strings.TrimSpace(c.ExpectedOutcome) == "" {
			faults = append(faults, fmt.Sprintf("criterion `%s` has no text", c.ID))
		}
		if !(c.Weight > 0) {
			faults = append(faults, fmt.Sprintf("the weight of `%s` must be above 0, got %v", c.ID, c.Weight))
		}
	}
	return faults
}

// wishes are what is asked for again, and taken if the judge insists.
func wishes(criteria []Criterion) (said []string) {
	if n := len(criteria); n < fewest || n > most {
		said = append(said, fmt.Sprintf("there should be %d to %d criteria, not %d", fewest, most, n))
	}
	for _, c := range criteria {
		if numbered().MatchString(c.ID) {
			said = append(said, fmt.Sprintf("the id `%s` says nothing of its criterion", c.ID))
		}
	}
	return said
}

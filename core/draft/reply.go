package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Criterion is one proposed criterion.
type Criterion struct {
	ID              string  `json:"id"`
	ExpectedOutcome string  `json:"expected_outcome"`
	Weight          float64 `json:"weight"`
	Required        bool    `json:"required"`
}

var fence = regexp.MustCompile("```(?:json)?")

// Decode reads a judge's reply, {"rubrics":[{id, expected_outcome, weight,
// required}]}. Markdown fences are tolerated, prose around the object is not,
// as in the reference implementation. Weight is 1 and required true where the
// reply leaves them out.
func Decode(reply string) ([]Criterion, error) {
	body := strings.TrimSpace(fence.ReplaceAllString(reply, ""))
	var shape struct {
		Rubrics *[]struct {
			ID              *string  `json:"id"`
			ExpectedOutcome *string  `json:"expected_outcome"`
			Weight          *float64 `json:"weight"`
			Required        *bool    `json:"required"`
		} `json:"rubrics"`
	}
	if err := json.Unmarshal([]byte(body), &shape); err != nil {
		return nil, fmt.Errorf("the reply is not the JSON object that was asked for: %w", err)
	}
	if shape.Rubrics == nil {
		return nil, errors.New("the reply has no list `rubrics`")
	}
	criteria := make([]Criterion, 0, len(*shape.Rubrics))
	for i, item := range *shape.Rubrics {
		if item.ID == nil || item.ExpectedOutcome == nil {
			return nil, fmt.Errorf("item %d of `rubrics` needs a string `id` and a string `expected_outcome`", i+1)
		}
		c := Criterion{ID: *item.ID, ExpectedOutcome: *item.ExpectedOutcome, Weight: 1, Required: true}
		if item.Weight != nil {
			c.Weight = *item.Weight
		}
		if item.Required != nil {
			c.Required = *item.Required
		}
		criteria = append(criteria, c)
	}
	return criteria, nil
}

// How many criteria are asked for. Another number is asked about again and, if
// the judge insists, taken: the reference implementation does not enforce it.
const fewest, most = 3, 7

func number(criteria []Criterion) []string {
	if n := len(criteria); n < fewest || n > most {
		return []string{fmt.Sprintf("there should be %d to %d criteria, not %d", fewest, most, n)}
	}
	return nil
}

// Faults says why criteria that were read cannot be used, one sentence each: an
// id that is empty or twice there, a text that is empty, a weight that is not
// above 0.
func Faults(criteria []Criterion) []string {
	var faults []string
	seen := map[string]bool{}
	for i, c := range criteria {
		switch {
		case strings.TrimSpace(c.ID) == "":
			faults = append(faults, fmt.Sprintf("criterion %d has no id", i+1))
		case seen[c.ID]:
			faults = append(faults, fmt.Sprintf("the id `%s` is there twice", c.ID))
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

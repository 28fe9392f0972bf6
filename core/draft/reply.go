package draft

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/pattern"
)

var fence = pattern.Of("```(?:json)?")

// Decode reads a judge's reply, {"rubrics":[{id, expected_outcome, weight,
// required}]}. Markdown fences are tolerated, prose around the object is not,
// as in the reference implementation. Weight is 1 and required true where the
// reply leaves them out.
func Decode(reply string) ([]Criterion, error) {
	body := strings.TrimSpace(fence().ReplaceAllString(reply, ""))
	var shape struct {
		Rubrics *[]struct {
			ID              *string  `json:"id"`
			ExpectedOutcome *string  `json:"expected_outcome"`
			Weight          *float64 `json:"weight"`
			Required        *bool    `json:"required"`
		} `json:"rubrics"`
	}
	err := json.Unmarshal([]byte(body), &shape)
	var is *json.UnmarshalTypeError
	switch {
	case errors.As(err, &is) && is.Field != "":
		return nil, fmt.Errorf("the reply is not the JSON object that was asked for: `%s` is a %s", is.Field, is.Value)
	case err != nil && body == "":
		return nil, errors.New("the reply is empty")
	case err != nil && body[0] == '{':
		return nil, fmt.Errorf("the reply is not the JSON object that was asked for: %w", err)
	case err != nil:
		return nil, fmt.Errorf("the reply is not the JSON object that was asked for: it begins with `%s`", excerpt.Of(body, 40))
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

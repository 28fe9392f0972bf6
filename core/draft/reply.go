package draft

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rubric-ls/rubric/core/grade"
)

// DecodeReply reads a model's reply, {"rubrics":[{id, expected_outcome, weight,
// required}]}, which must be [grade.OneValue]. Weight is 1 and required true
// where the reply leaves them out.
func DecodeReply(reply string) ([]Criterion, error) {
	value, err := grade.DecodeOneValue(reply)
	if err != nil {
		return nil, fmt.Errorf("the reply is not the JSON object that was asked for: %w", err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var shape struct {
		Rubrics *[]struct {
			ID              *string  `json:"id"`
			ExpectedOutcome *string  `json:"expected_outcome"`
			Weight          *float64 `json:"weight"`
			Required        *bool    `json:"required"`
		} `json:"rubrics"`
	}
	if err := json.Unmarshal(text, &shape); err != nil {
		var is *json.UnmarshalTypeError
		if errors.As(err, &is) {
			err = fmt.Errorf("%s is of type %s", cmp.Or(is.Field, "it"), is.Value)
		}
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

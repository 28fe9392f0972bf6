package host

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/spell"
)

// defaultModerationModel is the model that is asked where none is named.
const defaultModerationModel = "omni-moderation-latest"

// OpenModerator opens an endpoint that looks for harm in texts, by its name: openai or
// openai:MODEL, with the key and at the address that models of OpenAI have. What
// it found is kept as judgements are.
func (p *Ports) OpenModerator(ctx context.Context, name string) (metric.Moderate, error) {
	kind, model, _ := strings.Cut(name, ":")
	if kind != wire.Moderation.Name {
		return nil, fmt.Errorf("there is no moderation endpoint `%s`%s", name, spell.DidYouMeanOr(kind, []string{wire.Moderation.Name}, "it is `openai` or `openai:MODEL`"))
	}
	m := environmentModel(wire.Moderation, cmp.Or(model, defaultModerationModel), p.keyLookup(ctx))
	if err := checkModel(m); err != nil {
		return nil, err
	}
	endpoint, err := p.modelJudge(m)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, text string) ([]metric.RubricScore, error) {
		answer, err := endpoint.Ask(ctx, judge.Question{User: text})
		if err != nil {
			return nil, err
		}
		return decodeModeration(answer.Text)
	}, nil
}

// decodeModeration reads the verdicts on categories.
func decodeModeration(text string) (scores []metric.RubricScore, err error) {
	var reply struct {
		Checks []struct {
			ID        string
			Satisfied bool
			Reasoning string
		}
	}
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		return nil, fmt.Errorf("its verdicts cannot be read: %w", err)
	}
	for _, c := range reply.Checks {
		value := 0.0
		if c.Satisfied {
			value = 1
		}
		scores = append(scores, metric.RubricScore{ID: c.ID, Score: &value, Rationale: c.Reasoning})
	}
	return scores, nil
}

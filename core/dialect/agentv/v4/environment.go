package v4

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
)

// FillEnvironment replaces `${{ NAME }}` and `{{ env.NAME }}` in the texts of a suite's case and its graders by
// variables of the environment, as later versions of AgentV do. It changes only c, not what c shares with
// other cases. Missing are the variables that lookup does not know; they become their default, or empty.
func FillEnvironment(suite *rubric.Suite, c *rubric.Case, lookup func(name string) (agentv.Variable, bool)) (missing []string) {
	if suite.Dialect != agentv.Name || suite.Version == "" {
		return nil
	}
	fill := Fill(func(value any) any {
		return agentv.MapTexts(value, func(text string) any {
			expanded, unknown := agentv.ExpandVariables(agentv.Version(suite.Version), text, lookup)
			missing = append(missing, unknown...)
			return expanded
		})
	})
	for _, text := range []*string{&c.Question, &c.ExpectedOutcome, &c.ReferenceAnswer} {
		fill.String(text)
	}
	c.Input, c.Expected = fill.messages(c.Input), fill.messages(c.Expected)
	if c.Conversation != nil {
		conversation := *c.Conversation
		conversation.Turns = slices.Clone(conversation.Turns)
		for i, turn := range conversation.Turns {
			conversation.Turns[i].Input, conversation.Turns[i].Expected = fill.messages(turn.Input), fill.messages(turn.Expected)
		}
		c.Conversation = &conversation
	}
	c.Graders = fill.Graders(c.Graders)
	slices.Sort(missing)
	return slices.Compact(missing)
}

func (f Fill) messages(messages []rubric.Message) []rubric.Message {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].Content = f(messages[i].Content)
	}
	return messages
}

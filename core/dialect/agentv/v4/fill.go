package v4

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
)

// Fill returns a value with the variables of a test filled in. Nil fills nothing.
type Fill func(value any) any

func (f Fill) value(value any) any {
	if f == nil {
		return value
	}
	return f(value)
}

// FormatValue returns a value as part of a text.
func FormatValue(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case nil:
		return ""
	case []any, map[string]any:
		raw, err := json.Marshal(v)
		if err != nil { // JSON cannot encode it, for example an infinity
			return ""
		}
		return string(raw)
	}
	return fmt.Sprint(value)
}

// String fills a string in place.
func (f Fill) String(text *string) {
	*text = FormatValue(f.value(*text))
}

// Graders returns copies of graders with variables filled in. Other cases share the originals.
func (f Fill) Graders(graders []*rubric.Grader) []*rubric.Grader {
	out := make([]*rubric.Grader, len(graders))
	for i, g := range graders {
		copied := *g
		f.String(&copied.Name)
		copied.Members = f.Graders(g.Members)
		copied.Criteria = slices.Clone(g.Criteria)
		for j, c := range g.Criteria {
			copied.Criteria[j] = f.criterion(*c)
		}
		if g.Assert != nil {
			assert := *g.Assert
			assert.Value = f.value(assert.Value)
			copied.Assert = &assert
		}
		if g.Prompt != nil {
			prompt := *g.Prompt
			f.String(&prompt.Text)
			copied.Prompt = &prompt
		}
		out[i] = &copied
	}
	return out
}

func (f Fill) criterion(c rubric.Criterion) *rubric.Criterion {
	f.String(&c.Text)
	c.Bands = slices.Clone(c.Bands)
	for i := range c.Bands {
		f.String(&c.Bands[i].Text)
	}
	return &c
}

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
	fill.programs(c.Graders)
	if c.Metadata != nil {
		c.Metadata, _ = fill(c.Metadata).(map[string]any)
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

// programs fills the commands of graders and their `config`. Variables of a test do not get there:
// the shell would run their text.
func (f Fill) programs(graders []*rubric.Grader) {
	for _, g := range graders {
		f.programs(g.Members)
		if g.Code == nil {
			continue
		}
		code := *g.Code
		code.Argv = slices.Clone(code.Argv)
		for i := range code.Argv {
			f.String(&code.Argv[i])
		}
		f.String(&code.Dir)
		if code.Config != nil {
			code.Config, _ = f(code.Config).(map[string]any)
		}
		g.Code = &code
	}
}

func (f Fill) messages(messages []rubric.Message) []rubric.Message {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].Content = f(messages[i].Content)
	}
	return messages
}

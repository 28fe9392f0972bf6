package assertion

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

//go:embed prompts
var sources embed.FS

// builtIn returns a built-in prompt. In its file, a line of three hyphens ends the system's message.
func builtIn(name string) any {
	body, _ := sources.ReadFile("prompts/" + name + ".txt") // names are constants
	text := strings.TrimSuffix(string(body), "\n")
	if system, user, isDivided := strings.Cut(text, "\n---\n"); isDivided {
		return []any{map[string]any{"role": "system", "content": system}, map[string]any{"role": "user", "content": user}}
	}
	return text
}

// ask asks the judge with its own prompt, if there is one, or else with a built-in one. read reads a
// reply and says what is wrong with it; only under the rules the judge is then asked again.
func (c *call) ask(own any, prompt string, vars map[string]any, read func(reply string) error) error {
	if !javascript.IsTrue(own) {
		own = builtIn(prompt)
	}
	q, err := question(own, flattened(vars))
	if err != nil {
		return err
	}
	value := javascript.String(c.Value)
	q.FirstUser, q.Sample = q.User, c.sample
	q.Brief = judge.Brief{Question: c.Row.Prompt, Submission: c.output, Expected: value, Items: []judge.Item{{ID: c.Type, Text: value}}}
	readAny := func(reply string) error {
		if reply == "" || c.spec && strings.TrimSpace(reply) == "" { // blanks are a reply for promptfoo
			return errors.New("it is empty")
		}
		return read(reply)
	}
	attempts := 1
	if c.spec {
		attempts = grade.DefaultAttempts
		q.Usable = func(reply string) bool { return readAny(reply) == nil }
	}
	c.outcome.Question = cmp.Or(c.outcome.Question, &q)
	var fault, unsaid error
	_, replies, err := c.ports.AskUntilUsable(c.ctx, q, attempts, func(a *judge.Answer) []string {
		if offline.Replied(a.Model) {
			a.Text, unsaid = c.offlineReply(a.Text)
		}
		if fault = readAny(a.Text); fault == nil || unsaid != nil || !c.spec {
			return nil
		}
		return []string{fault.Error()}
	})
	if unsaid != nil {
		return unsaid
	}
	c.outcome.Replies = append(c.outcome.Replies, replies...)
	switch {
	case err != nil && (c.spec || c.ports.Judge == nil || isUnasked(err) || c.ctx.Err() != nil):
		return err
	case err != nil: // promptfoo fails the assertion
		return badReply{err}
	case fault == nil:
		return nil
	}
	return badReply{fmt.Errorf("the reply is unusable: %w", fault)}
}

// isUnasked reports whether a judge gave no answer because it was not asked.
func isUnasked(err error) bool {
	return errors.Is(err, judge.ErrUnreachable) || errors.Is(err, judge.ErrLimit) || errors.Is(err, judge.ErrUnrecorded)
}

// offlineReply turns what the offline judge says of a rubric into the reply that llm-rubric asks for.
// Its error says why there is none. What the other types ask needs a model.
func (c *call) offlineReply(reply string) (string, error) {
	g := grade.DecodeReply(score.Spec, []*rubric.Criterion{{ID: c.Type}}, reply).Grades[0]
	if c.Type != "llm-rubric" || g.Satisfied == nil {
		return "", errors.New(cmp.Or(g.Ungraded, offline.NeedsModel))
	}
	return javascript.JSON(map[string]any{"pass": *g.Satisfied, "reason": g.Reasoning}), nil
}

// ownPrompt returns the prompt that the file gives the judge, or what JavaScript takes for false.
func (c *call) ownPrompt() any {
	if own := c.Fields["rubricPrompt"]; javascript.IsTrue(own) {
		return own
	}
	return c.Row.Options["rubricPrompt"]
}

// question renders a prompt. One that is JSON has its texts rendered one by one.
func question(prompt any, vars map[string]any) (q judge.Question, err error) {
	text := javascript.Encode(prompt)
	if file, isFile := strings.CutPrefix(text, "file://"); isFile {
		return q, refused("the prompt file `%s` was not read", file)
	}
	if !json.Valid([]byte(text)) {
		q.User, err = nunjucks.Render(text, vars)
		return q, err
	}
	if text, err = nunjucks.RenderJSON(text, vars); err != nil {
		return q, err
	}
	messages := Messages(text)
	if messages == nil {
		q.User = javascript.Encode(parsed(text))
	}
	for _, m := range messages {
		part := &q.User
		if m.Role == "system" {
			part = &q.System
		}
		*part = strings.TrimPrefix(*part+"\n\n"+javascript.Encode(m.Content), "\n\n")
	}
	return q, nil
}

// Messages returns the messages of a prompt that is a list of them in JSON, each with a role, or nil.
func Messages(prompt string) (messages []rubric.Message) {
	hasNoRole := func(m rubric.Message) bool { return m.Role == "" }
	if json.Unmarshal([]byte(prompt), &messages) != nil || slices.ContainsFunc(messages, hasNoRole) {
		return nil
	}
	return messages
}

// flattened returns variables with mappings as JSON, also in lists. Templates cannot look into them.
func flattened(vars map[string]any) map[string]any {
	flat := maps.Clone(vars)
	for key, value := range flat {
		items, isList := value.([]any)
		if items = slices.Clone(items); !isList {
			items = []any{value}
		}
		for i, item := range items {
			switch item.(type) {
			case map[string]any, []any:
				items[i] = javascript.JSON(item)
			}
		}
		if flat[key] = items; !isList {
			flat[key] = items[0]
		}
	}
	return flat
}

// parsed returns a text as the JSON that it is, or as it is.
func parsed(text string) (value any) {
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}

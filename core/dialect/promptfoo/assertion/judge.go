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
)

//go:embed prompts script.*
var sources embed.FS

func source(name string) string {
	body, _ := sources.ReadFile(name) // names are constants
	return string(body)
}

// builtIn returns a built-in prompt. In its file, a line of three hyphens ends the system's message.
func builtIn(name string) any {
	text := strings.TrimSuffix(source("prompts/"+name+".txt"), "\n")
	if system, user, isDivided := strings.Cut(text, "\n---\n"); isDivided {
		return []any{map[string]any{"role": "system", "content": system}, map[string]any{"role": "user", "content": user}}
	}
	return text
}

// ask asks the judge with its own prompt, if there is one, or else with a built-in one. read reads a
// reply and says what is wrong with it; only under the rules the judge is then asked again.
func (c *call) ask(own any, prompt string, vars map[string]any, read func(reply string) error) error {
	if own == nil {
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
	case c.spec:
		fault = fmt.Errorf("the reply is unusable: %w", fault)
	}
	return badReply{fault}
}

// isUnasked reports whether a judge gave no answer because it was not asked.
func isUnasked(err error) bool {
	return errors.Is(err, judge.ErrUnreachable) || errors.Is(err, judge.ErrLimit) || errors.Is(err, judge.ErrUnrecorded)
}

// offlineReply turns what the offline judge says of a rubric into the reply that llm-rubric asks for.
// Its error says why there is none. What the other types ask needs a model.
func (c *call) offlineReply(reply string) (string, error) {
	var grades struct {
		Checks []struct {
			Satisfied bool
			Reasoning string
		}
		Ungraded map[string]string
	}
	_ = json.Unmarshal([]byte(reply), &grades) // empty for a reply to another question
	if c.Type != "llm-rubric" || len(grades.Checks) == 0 {
		return "", errors.New(cmp.Or(grades.Ungraded[c.Type], offline.NeedsModel))
	}
	return javascript.JSON(map[string]any{"pass": grades.Checks[0].Satisfied, "reason": grades.Checks[0].Reasoning}), nil
}

// ownPrompt returns the prompt that the file gives the judge, or nil.
func (c *call) ownPrompt() any {
	for _, own := range []any{c.Fields["rubricPrompt"], c.Row.Options["rubricPrompt"]} {
		if javascript.IsTrue(own) {
			return own
		}
	}
	return nil
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
	flatten := func(v any) any {
		switch v.(type) {
		case map[string]any, []any:
			return javascript.JSON(v)
		}
		return v
	}
	flat := maps.Clone(vars)
	for key, value := range flat {
		items, isList := value.([]any)
		if !isList {
			flat[key] = flatten(value)
			continue
		}
		items = slices.Clone(items)
		for i := range items {
			items[i] = flatten(items[i])
		}
		flat[key] = items
	}
	return flat
}

// Overlay returns the entries of both mappings, of which those of upper count.
func Overlay(under, upper map[string]any) map[string]any {
	out := make(map[string]any, len(under)+len(upper))
	maps.Copy(out, under)
	maps.Copy(out, upper)
	return out
}

// parsed returns a text as the JSON that it is, or as it is.
func parsed(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}

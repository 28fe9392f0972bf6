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

// mostAttempts is how often a judge is asked under the rules until its reply is usable.
const mostAttempts = 3

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
		attempts = mostAttempts
		q.Usable = func(reply string) bool { return readAny(reply) == nil }
	}
	if c.outcome.Question == nil {
		first := q
		c.outcome.Question = &first
	}
	var fault error
	for q.Attempt = range attempts {
		a, err := c.ports.Ask(c.ctx, c.grader, q)
		if err != nil {
			if a.Usage != (judge.Usage{}) { // refused or cut short, but paid for
				c.outcome.Replies = append(c.outcome.Replies, a.ReplyTo(q, []string{err.Error()}))
			}
			return c.judgeFailure(err)
		}
		if offline.Replied(a.Model) {
			if a.Text, err = c.offlineReply(a.Text); err != nil {
				return err
			}
		}
		var problems []string
		if fault = readAny(a.Text); fault != nil && c.spec {
			problems = []string{fault.Error()}
		}
		c.outcome.Replies = append(c.outcome.Replies, a.ReplyTo(q, problems))
		if fault == nil {
			return nil
		}
		q.User = q.FirstUser + "\n\n# Your last reply could not be used\n\n- " + fault.Error() + "\n\nReply again, in the form asked for.\n"
	}
	if c.spec {
		fault = fmt.Errorf("the reply is unusable: %w", fault)
	}
	return badReply{fault}
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

// judgeFailure returns the error of a judge that gave no answer. promptfoo fails the assertion, unless
// the judge was not asked at all.
func (c *call) judgeFailure(err error) error {
	if c.spec || c.ports.Judge == nil || errors.Is(err, judge.ErrUnreachable) || errors.Is(err, judge.ErrLimit) || errors.Is(err, judge.ErrUnrecorded) || c.ctx.Err() != nil {
		return err
	}
	return badReply{err}
}

// ownPrompt returns the prompt that the file gives the judge, or nil.
func (c *call) ownPrompt() any {
	for _, own := range []any{c.RubricPrompt, c.Row.Options["rubricPrompt"]} {
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
	flat := maps.Clone(vars)
	for key, value := range flat {
		switch v := value.(type) {
		case map[string]any:
			flat[key] = javascript.JSON(v)
		case []any:
			items := slices.Clone(v)
			for i, item := range items {
				switch item.(type) {
				case map[string]any, []any:
					items[i] = javascript.JSON(item)
				}
			}
			flat[key] = items
		}
	}
	return flat
}

// with returns the row's variables with others.
func (c *call) with(others map[string]any) map[string]any {
	all := map[string]any{}
	maps.Copy(all, c.Row.Vars)
	maps.Copy(all, others)
	return all
}

// parsed returns a text as the JSON that it is, or as it is.
func parsed(text string) any {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	return value
}

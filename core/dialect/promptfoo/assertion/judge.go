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
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/offline"
)

//go:embed prompts
var prompts embed.FS

// builtIn returns a built-in prompt. In its file, a line of three hyphens ends the system's message.
func builtIn(name string) any {
	body, _ := prompts.ReadFile("prompts/" + name + ".txt") // names are constants
	text := strings.TrimSuffix(string(body), "\n")
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
	value := nunjucks.String(c.Value)
	q.FirstUser, q.Sample = q.User, c.sample
	q.Brief = judge.Brief{Question: c.Row.Prompt, Submission: c.output, Expected: value, Items: []judge.Item{{ID: c.Type, Text: value}}}
	attempts := 1
	if c.spec {
		attempts = mostAttempts
		q.Usable = func(reply string) bool { return c.readReply(reply, read) == nil }
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
		if fault = c.readReply(a.Text, read); fault != nil && c.spec {
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

// readReply reads a reply that is not empty. Blanks are a reply for promptfoo.
func (c *call) readReply(reply string, read func(reply string) error) error {
	if reply == "" || c.spec && strings.TrimSpace(reply) == "" {
		return errors.New("it is empty")
	}
	return read(reply)
}

// offlineReply turns what the offline judge says of a rubric into the reply that llm-rubric asks for.
// Its error says why there is none. What the other types ask needs a model.
func (c *call) offlineReply(reply string) (string, error) {
	var grades struct {
		Checks []struct {
			Satisfied bool   `json:"satisfied"`
			Reasoning string `json:"reasoning"`
		} `json:"checks"`
		Ungraded map[string]string `json:"ungraded"`
	}
	err := json.Unmarshal([]byte(reply), &grades)
	switch {
	case err != nil || c.Type != "llm-rubric":
		return "", errors.New(offline.NeedsModel)
	case len(grades.Checks) == 0:
		return "", errors.New(cmp.Or(grades.Ungraded[c.Type], offline.NeedsModel))
	}
	text, err := json.Marshal(map[string]any{"pass": grades.Checks[0].Satisfied, "reason": grades.Checks[0].Reasoning})
	return string(text), err
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
		if nunjucks.IsTrue(own) {
			return own
		}
	}
	return nil
}

// question renders a prompt. One that is JSON has its texts rendered one by one.
func question(prompt any, vars map[string]any) (q judge.Question, err error) {
	text := nunjucks.Encode(prompt)
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
	value := parsed(text)
	list, _ := value.([]any)
	for _, item := range list {
		m, _ := item.(map[string]any)
		switch m["role"] {
		case nil: // not a list of messages
			return judge.Question{User: nunjucks.Encode(value)}, nil
		case "system":
			q.System = strings.TrimPrefix(q.System+"\n\n"+nunjucks.Encode(m["content"]), "\n\n")
		default:
			q.User = strings.TrimPrefix(q.User+"\n\n"+nunjucks.Encode(m["content"]), "\n\n")
		}
	}
	if list == nil {
		q.User = nunjucks.Encode(value)
	}
	return q, nil
}

// flattened returns variables with mappings as JSON, also in lists. Templates cannot look into them.
func flattened(vars map[string]any) map[string]any {
	flat := maps.Clone(vars)
	for key, value := range flat {
		switch v := value.(type) {
		case map[string]any:
			flat[key] = nunjucks.Encode(v)
		case []any:
			v = slices.Clone(v)
			for i := range v {
				switch v[i].(type) {
				case map[string]any, []any:
					v[i] = nunjucks.Encode(v[i])
				}
			}
			flat[key] = v
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

// readStrictly reads a reply that is one JSON object.
func readStrictly(reply string) (map[string]any, error) {
	value, err := grade.DecodeOneValue(reply)
	if err != nil {
		return nil, err
	}
	fields, isObject := value.(map[string]any)
	if !isObject {
		return nil, errors.New("it is no JSON object")
	}
	return fields, nil
}

package assertion

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/score"
)

// A prompt is a built-in question to a judge. Names in double braces are filled in.
type prompt struct{ system, user string }

// attempts is how often a judge is asked under the rules until its reply is usable.
const attempts = 3

// ask asks the judge with its own prompt, if there is one, or else with the built-in one. usable says
// what is wrong with a reply; only under the rules the judge is then asked again. ok is false if the
// reply stays unusable, with the reason.
func (c *call) ask(own any, builtIn prompt, vars map[string]any, usable func(reply string) error) (reply, why string, err error) {
	q, err := c.question(own, builtIn, vars)
	if err != nil {
		return "", "", err
	}
	q.FirstUser, q.Sample = q.User, c.sample
	q.Brief = judge.Brief{Question: c.Row.Prompt, Submission: c.output, Expected: nunjucks.String(c.Value), Items: []judge.Item{{ID: c.Type, Text: nunjucks.String(c.Value)}}}
	if c.spec {
		q.Usable = func(reply string) bool { return usable(reply) == nil }
	}
	if c.outcome.Question == nil {
		c.outcome.Question = &q
	}
	for q.Attempt = range attempts {
		a, err := c.ports.Ask(c.ctx, c.grader, q)
		if err != nil {
			return "", "", c.judgeFailure(err)
		}
		fault := usable(a.Text)
		r := a.Reply()
		r.Attempt, r.Sample = q.Attempt, q.Sample
		if fault != nil && c.spec {
			r.Problems = []string{fault.Error()}
		}
		c.outcome.Replies = append(c.outcome.Replies, r)
		switch {
		case a.Text == "" && !c.spec:
			return "", "the judge gave no output", nil
		case fault == nil || !c.spec:
			return a.Text, "", nil
		}
		why = "the reply is unusable: " + fault.Error()
		q.User = q.FirstUser + "\n\n# Your last reply could not be used\n\n- " + fault.Error() + "\n\nReply again, in the form asked for.\n"
	}
	return "", why, nil
}

// errJudge is a failure of the judge that promptfoo counts as a fail.
type errJudge struct{ error }

// judgeFailure returns the error of a judge that gave no answer. promptfoo fails the assertion, unless
// the judge was not asked at all.
func (c *call) judgeFailure(err error) error {
	if c.spec || c.ports.Judge == nil || errors.Is(err, judge.ErrUnreachable) || errors.Is(err, judge.ErrLimit) || errors.Is(err, judge.ErrUnrecorded) || c.ctx.Err() != nil {
		return err
	}
	return errJudge{err}
}

// failedJudge is the result of a judge without a usable reply, as promptfoo has it.
func failedJudge(why string, err error) (result, error) {
	var failed errJudge
	if errors.As(err, &failed) {
		why, err = failed.Error(), nil
	}
	return result{reason: why, graderError: true}, err
}

func unusable(why string) (result, error) { return result{reason: why, graderError: true}, nil }

// ownPrompt returns the prompt that the file gives the judge, or nil.
func (c *call) ownPrompt() any {
	for _, own := range []any{c.RubricPrompt, c.Row.Options["rubricPrompt"]} {
		if nunjucks.IsTrue(own) {
			return own
		}
	}
	return nil
}

// question renders a prompt. An own one that is JSON has its texts rendered one by one.
func (c *call) question(own any, builtIn prompt, vars map[string]any) (q judge.Question, err error) {
	flat := flattened(vars)
	if own == nil {
		return judge.Question{System: fill(builtIn.system, flat), User: fill(builtIn.user, flat)}, nil
	}
	text := encode(own)
	if strings.HasPrefix(text, "file://") {
		return q, refused("the prompt file `%s` was not read", strings.TrimPrefix(text, "file://"))
	}
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		q.User, err = nunjucks.Render(text, flat)
		return q, err
	}
	if value, err = c.renderAll(value, flat); err != nil {
		return q, err
	}
	messages, isList := value.([]any)
	for _, item := range messages {
		m, isMap := item.(map[string]any)
		isList = isList && isMap && m["role"] != nil
		if isList && m["role"] == "system" {
			q.System = strings.TrimPrefix(q.System+"\n\n"+encode(m["content"]), "\n\n")
		} else if isList {
			q.User = strings.TrimPrefix(q.User+"\n\n"+encode(m["content"]), "\n\n")
		}
	}
	if !isList {
		q.System, q.User = "", encode(value)
	}
	return q, nil
}

// renderAll renders all texts of a value.
func (c *call) renderAll(value any, vars map[string]any) (any, error) {
	var err error
	switch v := value.(type) {
	case string:
		return nunjucks.Render(v, vars)
	case []any:
		for i := range v {
			if v[i], err = c.renderAll(v[i], vars); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			if v[key], err = c.renderAll(v[key], vars); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// flattened returns variables with objects as JSON, also in lists. Templates cannot look into them.
func flattened(vars map[string]any) map[string]any {
	flat := make(map[string]any, len(vars))
	for key, value := range vars {
		switch v := value.(type) {
		case map[string]any:
			value = encode(v)
		case []any:
			v = slices.Clone(v)
			for i := range v {
				switch v[i].(type) {
				case map[string]any, []any:
					v[i] = encode(v[i])
				}
			}
			value = v
		}
		flat[key] = value
	}
	return flat
}

var blank = pattern.New(`\{\{ ?(\w+) ?\}\}`)

// fill fills in a built-in prompt.
func fill(template string, vars map[string]any) string {
	return blank().ReplaceAllStringFunc(template, func(found string) string {
		value, known := vars[strings.Trim(found, "{} ")]
		if !known || value == nil {
			return ""
		}
		return nunjucks.String(value)
	})
}

// with returns the row's variables with others.
func (c *call) with(others map[string]any) map[string]any {
	all := map[string]any{}
	for key, value := range c.Row.Vars {
		all[key] = value
	}
	for key, value := range others {
		all[key] = value
	}
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

var rubricPrompt = prompt{
	system: "You judge whether an output meets a rubric. The output meets it if what the rubric says is true of the output. " +
		"Reply with one JSON object and nothing else: " + `{"reason": string, "pass": boolean, "score": number}. ` +
		"`pass` says whether the output meets the rubric, and `score`, from 0 to 1, how well.",
	user: "<Output>\n{{ output }}\n</Output>\n<Rubric>\n{{ rubric }}\n</Rubric>",
}

// llmRubric asks a judge whether the output meets the rubric.
func (c *call) llmRubric() (result, error) {
	rubric := c.Value
	switch rubric.(type) {
	case nil:
		rubric = ""
	case float64, bool:
		return result{}, refused("its `value` is not a text or an object")
	}
	least, err := c.threshold(math.NaN())
	if err != nil {
		return result{}, err
	}
	var r result
	read := func(reply string) (err error) {
		r, err = c.readVerdict(reply, least)
		return err
	}
	_, why, err := c.ask(c.ownPrompt(), rubricPrompt, c.with(map[string]any{"output": parsed(c.output), "rubric": rubric}), read)
	if err != nil || why != "" {
		return failedJudge(why, err)
	}
	if r.graderError {
		return r, nil
	}
	if c.Inverse {
		r.pass, r.score = !r.pass, score.Clamp(1-r.score)
	}
	return r, nil
}

// readVerdict reads a reply with `pass`, `score` and `reason`. promptfoo takes the first object, and
// a verdict that is missing for a pass.
func (c *call) readVerdict(reply string, least float64) (result, error) {
	if c.spec {
		return readVerdictStrictly(reply, least)
	}
	objects := ExtractObjects(reply)
	if len(objects) == 0 {
		r, _ := unusable("the judge's reply holds no JSON object")
		return r, nil
	}
	fields, _ := objects[0].Any().(map[string]any)
	r := result{pass: true}
	switch pass := fields["pass"].(type) {
	case nil:
	case bool:
		r.pass = pass
	default:
		r.pass = slices.Contains([]string{"true", "yes", "pass", "y"}, strings.ToLower(nunjucks.String(pass)))
	}
	var isNumber bool
	if r.score, isNumber = jsNumber(fields, "score"); !isNumber && r.pass {
		r.score = 1
	}
	if !math.IsNaN(least) && !math.IsInf(least, 0) {
		r.pass = r.pass && r.score >= least
	}
	if r.reason = nunjucks.String(fields["reason"]); !nunjucks.IsTrue(fields["reason"]) {
		if r.reason = "the judge gives no reason"; !r.pass {
			r.reason = fmt.Sprintf("the judge gives no reason; its score is %v", r.score)
		}
	}
	return r, nil
}

// jsNumber returns a field as JavaScript's Number does. ok is false if that is not finite.
func jsNumber(fields map[string]any, key string) (n float64, ok bool) {
	value, has := fields[key]
	switch v := value.(type) {
	case nil:
		return 0, has
	case float64:
		return v, true
	case bool:
		if v {
			n = 1
		}
		return n, true
	case string:
		if strings.TrimSpace(v) == "" {
			return 0, true
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return n, err == nil && !math.IsInf(n, 0)
	}
	return 0, false
}

// readVerdictStrictly reads a reply by the rules: one object, a verdict, and a score from 0 to 1 that
// does not contradict it.
func readVerdictStrictly(reply string, least float64) (result, error) {
	fields, err := readStrictly(reply)
	if err != nil {
		return result{}, err
	}
	pass, hasPass := fields["pass"].(bool)
	value, hasScore := fields["score"].(float64)
	switch {
	case fields["pass"] != nil && !hasPass:
		return result{}, errors.New("`pass` is not true or false")
	case fields["score"] != nil && (!hasScore || value < 0 || value > 1):
		return result{}, errors.New("`score` is not a number from 0 to 1")
	case !hasPass && (!hasScore || math.IsNaN(least)):
		return result{}, errors.New("it has no `pass`")
	case hasPass && hasScore && pass && value == 0, hasPass && hasScore && !pass && value == 1:
		return result{}, fmt.Errorf("`pass` is %v, and `score` is %v", pass, value)
	case !hasPass:
		pass = true
	case !hasScore && pass:
		value = 1
	}
	r := result{pass: pass && !(value < least), score: value, reason: nunjucks.String(fields["reason"])}
	if !nunjucks.IsTrue(fields["reason"]) {
		r.reason = "the judge gives no reason"
	}
	return r, nil
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

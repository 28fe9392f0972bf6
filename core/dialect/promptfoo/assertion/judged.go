package assertion

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/score"
)

// judged asks a judge once and returns what read makes of its reply.
func (c *call) judged(prompt string, vars map[string]any, read func(reply string) (result, error)) (r result, err error) {
	err = c.ask(c.ownPrompt(), prompt, vars, func(reply string) (fault error) {
		r, fault = read(reply)
		return fault
	})
	return r, err
}

// variables returns those of a prompt, with those of the test. In promptfoo a test's own `output` wins over the answer.
func (c *call) variables(own map[string]any) map[string]any {
	if c.spec {
		return javascript.Assign(c.Row.Vars, own)
	}
	return javascript.Assign(own, c.Row.Vars)
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
	return c.judged("llm-rubric", c.variables(map[string]any{"output": parsed(c.output), "rubric": rubric}), c.readVerdict)
}

// readVerdict reads a verdict, a score and the reason.
func (c *call) readVerdict(reply string) (r result, err error) {
	fields, err := c.object(reply, nil)
	switch {
	case err != nil:
		return r, err
	case c.spec:
		r.pass, r.score, err = c.strictVerdict(fields)
	default:
		r.pass, r.score = looseVerdict(fields)
	}
	r.pass = (r.pass && (math.IsInf(c.limit, 0) || !(r.score < c.limit))) != c.Inverse
	if r.reason = javascript.Text(fields["reason"]); !javascript.IsTrue(fields["reason"]) {
		r.reason = fmt.Sprintf("the judge gives no reason; its score is %v", r.score)
	}
	if c.Inverse {
		r.score = score.Clamp(1 - r.score)
	}
	return r, err
}

// object returns the object that a reply is. promptfoo takes the first one in it, or the part that matches a pattern.
func (c *call) object(reply string, line pattern.Lazy) (fields map[string]any, err error) {
	var value any
	if c.spec {
		value, err = grade.DecodeOneValue(reply)
	} else if line != nil {
		value = parsed(line().FindString(reply))
	} else if objects := ExtractObjects(reply); len(objects) > 0 {
		value = objects[0].Any()
	}
	fields, isObject := value.(map[string]any)
	if err == nil && !isObject {
		err = errors.New("it holds no JSON object")
	}
	return fields, err
}

// looseVerdict reads `pass` and `score` as promptfoo does, which takes a missing verdict for a pass.
func looseVerdict(fields map[string]any) (pass bool, value float64) {
	pass = fields["pass"] == nil || grade.IsYes(fields["pass"])
	given, has := fields["score"]
	if value = javascript.Number(given); !has || math.IsNaN(value) || math.IsInf(value, 0) {
		value = javascript.Number(pass)
	}
	return pass, value
}

// strictVerdict reads them by the rules: a verdict, and a score from 0 to 1 that does not contradict it.
func (c *call) strictVerdict(fields map[string]any) (pass bool, value float64, err error) {
	pass, hasPass := fields["pass"].(bool)
	value, hasScore := fields["score"].(float64)
	switch {
	case fields["pass"] != nil && !hasPass:
		err = errors.New("`pass` is not true or false")
	case fields["score"] != nil && (!hasScore || value < 0 || value > 1):
		err = errors.New("`score` is not a number from 0 to 1")
	case !hasPass && (!hasScore || c.Threshold == nil):
		err = errors.New("it has no `pass`")
	case hasPass && hasScore && value == javascript.Number(!pass):
		err = fmt.Errorf("`pass` is %v, and `score` is %v", pass, value)
	case !hasScore:
		value = javascript.Number(pass)
	}
	return pass || !hasPass, value, err
}

const mostPoints = 10

var ( // the lines on which promptfoo looks for objects
	stepsLine    = pattern.New(`\{"steps".+\}`)
	evaluateLine = pattern.New(`\{.+\}`)
)

var errNoPrompt = refused("there is no prompt to compare the reply with")

// gEval asks a judge for steps, and then for points by them. Several criteria count as their mean.
func (c *call) gEval(criteria []string) (result, error) {
	if c.Row.Prompt == "" {
		return result{}, errNoPrompt
	}
	sum := 0.0
	var reasons []string
	for _, criterion := range criteria {
		points, reason, err := c.points(criterion)
		if err != nil {
			return result{}, err
		}
		sum += points / mostPoints
		reasons = append(reasons, reason)
	}
	r, err := c.graded(sum/float64(len(criteria)), "the score")
	r.reason = strings.Join(reasons, "\n\n")
	return r, err
}

// points asks for the points, 0–10, of one criterion.
func (c *call) points(criterion string) (points float64, reason string, err error) {
	own, _ := c.ownPrompt().(map[string]any)
	var steps []any
	err = c.ask(own["steps"], "g-eval-steps", map[string]any{"criteria": criterion}, func(reply string) error {
		fields, err := c.object(reply, stepsLine)
		steps, _ = fields["steps"].([]any)
		isBlank := func(step any) bool { text, _ := step.(string); return strings.TrimSpace(text) == "" }
		if err == nil && (len(steps) == 0 || slices.ContainsFunc(steps, isBlank)) {
			err = errors.New("it has no `steps`, or one of them is empty")
		}
		return err
	})
	if err != nil {
		return 0, "", err
	}
	list, _ := texts(steps)
	vars := map[string]any{"criteria": criterion, "steps": strings.Join(list, "\n- "), "maxScore": fmt.Sprint(mostPoints), "input": parsed(c.Row.Prompt), "output": parsed(c.output)}
	err = c.ask(own["evaluate"], "g-eval", vars, func(reply string) error {
		fields, err := c.object(reply, evaluateLine)
		points, _ = Number(fields["score"])
		reason, _ = fields["reason"].(string)
		switch {
		case err != nil:
		case !(points >= 0 && points <= mostPoints):
			err = fmt.Errorf("its `score` is `%v`, not a number from 0 to %d", fields["score"], mostPoints)
		case strings.TrimSpace(reason) == "":
			err = errors.New("it has no `reason`")
		}
		return err
	})
	return points, reason, err
}

// compared asks a judge that compares the output with a value, which is a variable of its prompt.
func (c *call) compared(prompt, variable, value string, read func(reply string) (result, error)) (result, error) {
	if c.Row.Prompt == "" {
		return result{}, errNoPrompt
	}
	return c.judged(prompt, c.variables(map[string]any{"input": c.Row.Prompt, variable: value, "completion": parsed(c.output)}), read)
}

var (
	factualityNames = map[string]string{"A": "subset", "B": "superset", "C": "agree", "D": "disagree", "E": "differButFactual"}
	legacyLetter    = pattern.New(`\(?([a-eA-E])\)`)
)

// factuality asks a judge how the output's facts relate to the expected ones.
func (c *call) factuality(ideal string) (result, error) {
	return c.compared("factuality", "ideal", ideal, c.readFactuality)
}

// readFactuality reads a category. promptfoo falls back to the first letter in parentheses.
func (c *call) readFactuality(reply string) (r result, err error) {
	fields, err := c.object(reply, nil)
	if err != nil && c.spec {
		return r, err
	}
	category, _ := fields["category"].(string)
	r.reason = strings.TrimSpace(javascript.Text(fields["reason"]))
	if letter := legacyLetter().FindStringSubmatch(reply); category == "" && !c.spec && letter != nil {
		category, r.reason = letter[1], reply
	}
	name := factualityNames[strings.ToUpper(strings.TrimSpace(category))]
	value, isNumber := javascript.As[map[string]any](c.Row.Options["factuality"])[name].(float64)
	switch {
	case name == "":
		return r, errors.New("its `category` is not A, B, C, D or E")
	case isNumber:
		r.score = value
	case name != "disagree":
		r.score = 1
	}
	r.pass = r.score > 0
	if c.spec && c.Threshold != nil {
		r.pass = r.score >= c.limit
	}
	return r, nil
}

// closedQA asks a judge for Y or N.
func (c *call) closedQA(value string) (result, error) {
	return c.compared("closedqa", "criteria", value, c.readYesNo)
}

func (c *call) readYesNo(reply string) (result, error) {
	reply = strings.TrimSpace(reply)
	last := strings.ToUpper(strings.Trim(reply[strings.LastIndexByte(reply, '\n')+1:], " \t\"'`*."))
	pass := last == "Y" || last == "YES"
	switch {
	case !c.spec:
		pass = strings.HasSuffix(reply, "Y")
	case !pass && last != "N" && last != "NO":
		return result{}, errors.New("its last line is not Y or N")
	}
	return result{pass: pass, score: javascript.Number(pass), reason: reply}, nil
}

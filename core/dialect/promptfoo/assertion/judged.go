package assertion

import (
	"encoding/json"
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

// llmRubric asks a judge whether the output meets the rubric.
func (c *call) llmRubric() (r result, err error) {
	rubric := c.Value
	switch rubric.(type) {
	case nil:
		rubric = ""
	case float64, bool:
		return r, refused("its `value` is not a text or an object")
	}
	read := readVerdict
	if c.spec {
		read = c.readVerdictStrictly
	}
	err = c.ask(c.ownPrompt(), "llm-rubric", c.with(map[string]any{"output": parsed(c.output), "rubric": rubric}), func(reply string) error {
		fields, err := c.object(reply, nil)
		if err != nil {
			return err
		}
		r.pass, r.score, err = read(fields)
		r.pass = r.pass && (math.IsInf(c.limit, 0) || !(r.score < c.limit))
		if r.reason = javascript.Text(fields["reason"]); !javascript.IsTrue(fields["reason"]) {
			r.reason = fmt.Sprintf("the judge gives no reason; its score is %v", r.score)
		}
		return err
	})
	if c.Inverse {
		r.pass, r.score = !r.pass, score.Clamp(1-r.score)
	}
	return r, err
}

// object returns the object of a reply, which by the rules is nothing else. promptfoo takes the first object in it
// or, if there is a pattern, the part that matches.
func (c *call) object(reply string, line pattern.Lazy) (fields map[string]any, err error) {
	if c.spec {
		value, err := grade.DecodeOneValue(reply)
		fields, isObject := value.(map[string]any)
		if err == nil && !isObject {
			err = errors.New("it is no JSON object")
		}
		return fields, err
	}
	if line != nil {
		if json.Unmarshal([]byte(line().FindString(reply)), &fields) != nil {
			err = errors.New("the judge's reply holds no JSON object on one line")
		}
		return fields, err
	}
	objects := ExtractObjects(reply)
	if len(objects) == 0 {
		return nil, errors.New("the judge's reply holds no JSON object")
	}
	fields, _ = objects[0].Any().(map[string]any)
	return fields, nil
}

// readVerdict reads `pass` and `score` as promptfoo does, which takes a missing verdict for a pass.
func readVerdict(fields map[string]any) (pass bool, value float64, err error) {
	pass = fields["pass"] == nil || slices.Contains([]string{"true", "yes", "pass", "y"}, strings.ToLower(javascript.String(fields["pass"])))
	if given, has := fields["score"]; has {
		if value = javascript.Number(given); !math.IsNaN(value) && !math.IsInf(value, 0) {
			return pass, value, nil
		}
	}
	if value = 0; pass {
		value = 1
	}
	return pass, value, nil
}

// readVerdictStrictly reads them by the rules: a verdict, and a score from 0 to 1 that does not contradict it.
func (c *call) readVerdictStrictly(fields map[string]any) (pass bool, value float64, err error) {
	pass, hasPass := fields["pass"].(bool)
	value, hasScore := fields["score"].(float64)
	switch {
	case fields["pass"] != nil && !hasPass:
		err = errors.New("`pass` is not true or false")
	case fields["score"] != nil && (!hasScore || value < 0 || value > 1):
		err = errors.New("`score` is not a number from 0 to 1")
	case !hasPass && (!hasScore || c.Threshold == nil):
		err = errors.New("it has no `pass`")
	case hasPass && hasScore && pass && value == 0, hasPass && hasScore && !pass && value == 1:
		err = fmt.Errorf("`pass` is %v, and `score` is %v", pass, value)
	case !hasPass:
		pass = true
	case !hasScore && pass:
		value = 1
	}
	return pass, value, err
}

const mostPoints = 10

var ( // the lines on which promptfoo looks for objects
	stepsLine    = pattern.New(`\{"steps".+\}`)
	evaluateLine = pattern.New(`\{.+\}`)
)

// gEval asks a judge for steps, and then for points by them. Several criteria count as their mean.
func (c *call) gEval(criteria []string) (result, error) {
	if c.Row.Prompt == "" {
		return result{}, refused("there is no prompt to compare the reply with")
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
	list, _ := names(steps)
	vars := map[string]any{"criteria": criterion, "steps": strings.Join(list, "\n- "), "maxScore": fmt.Sprint(mostPoints), "input": parsed(c.Row.Prompt), "output": parsed(c.output)}
	err = c.ask(own["evaluate"], "g-eval", vars, func(reply string) error {
		fields, err := c.object(reply, evaluateLine)
		if err != nil {
			return err
		}
		var isNumber bool
		if points, isNumber = Number(fields["score"]); !isNumber || !(points >= 0 && points <= mostPoints) {
			return fmt.Errorf("its `score` is `%v`, not a number from 0 to %d", fields["score"], mostPoints)
		}
		if reason, _ = fields["reason"].(string); strings.TrimSpace(reason) == "" {
			return errors.New("it has no `reason`")
		}
		return nil
	})
	return points, reason, err
}

// comparison returns the variables of a judge that compares the output with a value.
func (c *call) comparison(name string) (map[string]any, error) {
	value, isText := c.Value.(string)
	switch {
	case !isText:
		return nil, refused("its `value` is not a text")
	case c.Row.Prompt == "":
		return nil, refused("there is no prompt to compare the reply with")
	}
	return c.with(map[string]any{"input": c.Row.Prompt, name: value, "completion": parsed(c.output)}), nil
}

var (
	factualityNames = map[string]string{"A": "subset", "B": "superset", "C": "agree", "D": "disagree", "E": "differButFactual"}
	legacyLetter    = pattern.New(`\(?([a-eA-E])\)`)
)

// factuality asks a judge how the output's facts relate to the expected ones.
func (c *call) factuality() (result, error) {
	vars, err := c.comparison("ideal")
	if err != nil {
		return result{}, err
	}
	r := result{score: 1}
	category := ""
	err = c.ask(c.ownPrompt(), "factuality", vars, func(reply string) (fault error) {
		category, r.reason, fault = c.readCategory(reply)
		return fault
	})
	if category == "D" {
		r.score = 0
	}
	own, _ := c.Row.Options["factuality"].(map[string]any)
	if value, isNumber := own[factualityNames[category]].(float64); isNumber {
		r.score = value
	}
	r.pass = r.score > 0
	if c.spec && c.Threshold != nil {
		r.pass = r.score >= c.limit
	}
	return r, err
}

// readCategory reads the category of a reply. promptfoo falls back to the first letter in parentheses.
func (c *call) readCategory(reply string) (category, reason string, err error) {
	fields, err := c.object(reply, nil)
	if err != nil && c.spec {
		return "", "", err
	}
	reason, _ = fields["reason"].(string)
	if category, _ = fields["category"].(string); category != "" || c.spec {
		if category = strings.ToUpper(strings.TrimSpace(category)); factualityNames[category] == "" {
			return "", "", errors.New("its `category` is not A, B, C, D or E")
		}
		return category, strings.TrimSpace(reason), nil
	}
	letter := legacyLetter().FindStringSubmatch(reply)
	if letter == nil {
		return "", "", errors.New("the judge's reply has no category")
	}
	return strings.ToUpper(letter[1]), reply, nil
}

// closedQA asks a judge for Y or N.
func (c *call) closedQA() (r result, err error) {
	vars, err := c.comparison("criteria")
	if err != nil {
		return r, err
	}
	err = c.ask(c.ownPrompt(), "closedqa", vars, func(reply string) error {
		reply = strings.TrimSpace(reply)
		last := strings.ToUpper(strings.Trim(reply[strings.LastIndexByte(reply, '\n')+1:], " \t\"'`*."))
		pass := last == "Y" || last == "YES"
		switch {
		case !c.spec:
			pass = strings.HasSuffix(reply, "Y")
		case !pass && last != "N" && last != "NO":
			return errors.New("its last line is not Y or N")
		}
		r, _ = verdict(pass, "")
		r.reason = reply
		return nil
	})
	return r, err
}

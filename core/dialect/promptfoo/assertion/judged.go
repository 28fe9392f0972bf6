package assertion

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
)

var (
	stepsPrompt = prompt{user: "Write three or four short steps by which one can judge whether any text meets these criteria.\n\n" +
		"<Criteria>\n{{ criteria }}\n</Criteria>\n\n" +
		"Reply with one JSON object on one line and nothing else: " + `{"steps":["…","…"]}`}
	evaluatePrompt = prompt{user: "Rate a reply to a prompt by one metric, step by step.\n\n" +
		"<Criteria>\n{{ criteria }}\n</Criteria>\n<Steps>\n- {{ steps }}\n</Steps>\n<Prompt>\n{{ input }}\n</Prompt>\n<Reply>\n{{ output }}\n</Reply>\n\n" +
		"Reply with one JSON object on one line and nothing else: " + `{"score":0,"reason":"…"}. ` +
		"The score is a whole number from 0 to {{ maxScore }}, where {{ maxScore }} means that the reply meets the criteria in full."}

	stepsLine    = pattern.New(`\{"steps".+\}`)
	evaluateLine = pattern.New(`\{.+\}`)
)

const mostPoints = 10

// gEval asks a judge for steps, and then for points by them. Several criteria count as their mean.
func (c *call) gEval() (result, error) {
	criteria, err := c.references()
	if list, isList := c.Value.([]any); isList && len(list) == 0 {
		return result{reason: "its `value` is an empty list"}, nil
	}
	if err != nil {
		return result{}, err
	}
	if c.Row.Prompt == "" {
		return result{}, refused("there is no prompt to compare the reply with")
	}
	least, err := c.threshold(0.7)
	if err != nil {
		return result{}, err
	}
	sum := 0.0
	var reasons []string
	for _, criterion := range criteria {
		points, reason, why, err := c.points(criterion)
		if err != nil || why != "" {
			return failedJudge(why, err)
		}
		sum += points / mostPoints
		reasons = append(reasons, reason)
	}
	r, err := c.graded(sum/float64(len(criteria)), least, "the score")
	r.reason = strings.Join(reasons, "\n\n")
	return r, err
}

// points asks for the points, 0–10, of one criterion.
func (c *call) points(criterion string) (points float64, reason, why string, err error) {
	own, _ := c.ownPrompt().(map[string]any)
	var steps []string
	readSteps := func(reply string) error {
		var fields struct{ Steps []string }
		if err := c.readLine(reply, stepsLine, &fields); err != nil {
			return err
		}
		if steps = fields.Steps; len(steps) == 0 {
			return errors.New("it has no `steps`")
		}
		for _, step := range steps {
			if strings.TrimSpace(step) == "" {
				return errors.New("one of its `steps` is empty")
			}
		}
		return nil
	}
	reply, why, err := c.ask(own["steps"], stepsPrompt, map[string]any{"criteria": criterion}, readSteps)
	if err != nil || why != "" {
		return 0, "", why, err
	}
	if fault := readSteps(reply); fault != nil {
		return 0, "", fault.Error(), nil
	}
	readPoints := func(reply string) error {
		fields := map[string]any{}
		if err := c.readLine(reply, evaluateLine, &fields); err != nil {
			return err
		}
		var isNumber bool
		points, isNumber = jsNumber(fields, "score")
		if text, isText := fields["score"].(string); !isNumber || fields["score"] == nil || isText && strings.TrimSpace(text) == "" {
			return errors.New("its `score` is not a number")
		}
		if points < 0 || points > mostPoints {
			return fmt.Errorf("its `score` is %v, not 0 to %d", points, mostPoints)
		}
		if reason, _ = fields["reason"].(string); strings.TrimSpace(reason) == "" {
			return errors.New("it has no `reason`")
		}
		return nil
	}
	vars := map[string]any{"criteria": criterion, "steps": strings.Join(steps, "\n- "), "maxScore": fmt.Sprint(mostPoints), "input": parsed(c.Row.Prompt), "output": parsed(c.output)}
	reply, why, err = c.ask(own["evaluate"], evaluatePrompt, vars, readPoints)
	if err == nil && why == "" {
		if fault := readPoints(reply); fault != nil {
			why = fault.Error()
		}
	}
	return points, reason, why, err
}

// readLine reads a JSON object: promptfoo one that is on a line, the rules one that stands alone.
func (c *call) readLine(reply string, line pattern.Lazy, into any) error {
	if c.spec {
		fields, err := readStrictly(reply)
		if err != nil {
			return err
		}
		reply = encode(fields)
	} else if reply = line().FindString(reply); reply == "" {
		return errors.New("the judge's reply holds no JSON object on one line")
	}
	return json.Unmarshal([]byte(reply), into)
}

var (
	factualityPrompt = prompt{
		system: "You compare the facts of a submitted answer with those of an expert's answer. Style, grammar and punctuation do not matter. Choose one category:\n" +
			"A: the submitted answer has some of the expert's facts and contradicts none.\n" +
			"B: the submitted answer has all of the expert's facts and more, and contradicts none.\n" +
			"C: both answers have the same facts.\n" +
			"D: the answers contradict each other.\n" +
			"E: the answers differ, but not in facts that matter.\n" +
			"Reply with one JSON object and nothing else: " + `{"category": "A", "reason": string}.`,
		user: "<question>\n{{ input }}\n</question>\n<expert_answer>\n{{ ideal }}\n</expert_answer>\n<submitted_answer>\n{{ completion }}\n</submitted_answer>",
	}
	factualityNames = map[string]string{"A": "subset", "B": "superset", "C": "agree", "D": "disagree", "E": "differButFactual"}
	legacyLetter    = pattern.New(`\(?([a-eA-E])\)`)
)

// factuality asks a judge how the output's facts relate to the expected ones.
func (c *call) factuality() (result, error) {
	vars, err := c.comparison("ideal")
	if err != nil {
		return result{}, err
	}
	var category, reason string
	read := func(reply string) (err error) {
		category, reason, err = c.readCategory(reply)
		return err
	}
	reply, why, err := c.ask(c.ownPrompt(), factualityPrompt, vars, read)
	if err != nil || why != "" {
		return failedJudge(why, err)
	}
	if fault := read(reply); fault != nil {
		return result{reason: fault.Error(), graderError: c.spec}, nil
	}
	r := result{score: 1, reason: reason}
	if category == "D" {
		r.score = 0
	}
	own, _ := c.Row.Options["factuality"].(map[string]any)
	if value, isNumber := own[factualityNames[category]].(float64); isNumber {
		r.score = value
	}
	r.pass = r.score > 0
	if least, err := c.threshold(0); c.spec && err == nil && c.Threshold != nil {
		r.pass = r.score >= least
	}
	return r, nil
}

// readCategory reads the category of a reply. promptfoo falls back to the first letter in parentheses.
func (c *call) readCategory(reply string) (category, reason string, err error) {
	var fields map[string]any
	if c.spec {
		if fields, err = readStrictly(reply); err != nil {
			return "", "", err
		}
	} else if objects := ExtractObjects(reply); len(objects) > 0 {
		fields, _ = objects[0].Any().(map[string]any)
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

var closedPrompt = prompt{
	system: "You judge whether a submission meets a criterion. First reason step by step about the criterion. " +
		"Then write one letter alone on the last line: Y if the submission meets the criterion, N if it does not.",
	user: "<Task>\n{{ input }}\n</Task>\n<Submission>\n{{ completion }}\n</Submission>\n<Criterion>\n{{ criteria }}\n</Criterion>",
}

// closedQA asks a judge for Y or N.
func (c *call) closedQA() (result, error) {
	vars, err := c.comparison("criteria")
	if err != nil {
		return result{}, err
	}
	pass := false
	read := func(reply string) error {
		reply = strings.TrimSpace(reply)
		if !c.spec {
			pass = strings.HasSuffix(reply, "Y")
			return nil
		}
		last := strings.ToUpper(strings.Trim(reply[strings.LastIndexByte(reply, '\n')+1:], " \t\"'`*."))
		if pass = last == "Y" || last == "YES"; !pass && last != "N" && last != "NO" {
			return errors.New("its last line is not Y or N")
		}
		return nil
	}
	reply, why, err := c.ask(c.ownPrompt(), closedPrompt, vars, read)
	if err != nil || why != "" {
		return failedJudge(why, err)
	}
	r, err := verdict(pass, "")
	r.reason = strings.TrimSpace(reply)
	return r, err
}

// best returns the result that stands for several samples: the first with the verdict of the most, and
// the mean of the scores. It is none if most samples have no usable reply.
func best(samples []result) result {
	var usable []result
	pass, sum := 0, 0.0
	for _, r := range samples {
		if r.graderError {
			continue
		}
		usable = append(usable, r)
		if sum += r.score; r.pass {
			pass++
		}
	}
	if 2*len(usable) <= len(samples) {
		return samples[slices.IndexFunc(samples, func(r result) bool { return r.graderError })]
	}
	wanted := 2*pass > len(usable)
	chosen := usable[slices.IndexFunc(usable, func(r result) bool { return r.pass == wanted })]
	chosen.score = sum / float64(len(usable))
	return chosen
}

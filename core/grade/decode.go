package grade

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// DecodedReply is what a judge's reply says.
type DecodedReply struct {
	Grades    []score.Grade // of a rubric
	Score     *float64      // 0–1, of a free-form judgement
	Pass      *bool         // the verdict that the reply itself gives; only under [score.AgentVHead]
	Hits      []string      // free-form
	Misses    []string      // free-form
	Reasoning string
	Problems  []string // what is wrong with the reply; empty if nothing

	judge  string // whose reply it is, of a panel
	sample int    // which of several it is
}

// DecodeReply reads a judge's reply about criteria, or a free-form one when there
// are none.
//
// Under [score.Spec] the reply must be one JSON value: see [OneValue]. Every criterion gets a grade, in the order of criteria:
// one that the reply leaves out, names twice or grades in the wrong form is
// ungraded with the reason. Under the reference's profiles a reply is good as a
// whole, with its grades in its own order, or it is of no use and has none; see
// [Extract] for what may stand around its JSON. Under none is there a grade for an id that no criterion has. Under
// [score.AgentVHead] a reply may give a score and verdict of its own instead.
func DecodeReply(profile score.Profile, criteria []*rubric.Criterion, reply string) DecodedReply {
	if profile.IsV4OrLater() {
		reply = fixPassed(reply)
	}
	read := DecodeOneValue
	if profile.IsReference() {
		read = ExtractJSON
	}
	value, err := read(reply)
	object, ok := value.(map[string]any)
	if err == nil && !ok {
		err = errors.New("it holds no JSON object")
	}
	switch {
	case err != nil:
		d := DecodedReply{Problems: []string{err.Error()}}
		if !profile.IsReference() {
			d.Grades = ungradedGrades(criteria, err.Error())
		}
		return d
	case profile == score.AgentVHead && !score.HasRanged(criteria) && hasOwnVerdict(object):
		return decodeOwnVerdict(criteria, object)
	case len(criteria) == 0 && profile.IsV4OrLater():
		return decodeFindings(object)
	case len(criteria) == 0:
		return decodeFreeform(profile, object)
	case profile.IsReference():
		return decodeAgentV(criteria, object)
	}
	return decodeSpec(criteria, object)
}

// Result is what a reply decoded for criteria is worth, asked for once and held to
// nothing else.
func (d DecodedReply) Result(profile score.Profile, criteria []*rubric.Criterion) score.Result {
	var r score.Result
	switch {
	case profile.IsV4OrLater() && len(d.Problems) > 0:
		return skippedResult([]DecodedReply{d}, nil)
	case d.Score != nil:
		r = d.ownResult()
	case len(criteria) > 0:
		r = score.Rubric(profile, criteria, d.Grades)
	default:
		return score.UngradedResult("the reply has no score")
	}
	return score.Terms{}.Apply(profile, "", r)
}

// ownResult is the result of a reply with a score of its own.
func (d DecodedReply) ownResult() score.Result {
	r := score.PlainResult(*d.Score, d.Hits, d.Misses, d.Reasoning)
	if d.Pass != nil {
		if r.Verdict = score.Fail; *d.Pass {
			r.Verdict = score.Pass
		}
	}
	return r
}

func ungradedGrades(criteria []*rubric.Criterion, reason string) []score.Grade {
	grades := make([]score.Grade, len(criteria))
	for i, c := range criteria {
		grades[i] = score.Grade{ID: c.ID, Ungraded: reason}
	}
	return grades
}

func decodeFreeform(profile score.Profile, object map[string]any) DecodedReply {
	var d DecodedReply
	value, ok := object["score"].(float64)
	if !ok || value < 0 || value > 1 {
		d.Problems = append(d.Problems, fmt.Sprintf("`score` is %s, not a number from 0 to 1", describeValue(object["score"])))
	} else {
		d.Score = &value
	}
	d.Hits = d.readLines(object, "hits")
	d.Misses = d.readLines(object, "misses")
	d.readReasoning(object, "reasoning", false)
	if profile == score.AgentV {
		d.Hits, d.Misses = d.Hits[:min(4, len(d.Hits))], d.Misses[:min(4, len(d.Misses))]
	}
	return d
}

// readLines reads an optional list of strings and drops the blank ones.
func (d *DecodedReply) readLines(object map[string]any, key string) []string {
	value, ok := object[key]
	if !ok {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		d.Problems = append(d.Problems, fmt.Sprintf("`%s` is %s, not a list of strings", key, describeValue(value)))
		return nil
	}
	var lines []string
	for _, item := range list {
		line, ok := item.(string)
		if !ok {
			d.Problems = append(d.Problems, fmt.Sprintf("`%s` holds %s, not only strings", key, describeValue(item)))
			return nil
		}
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func (d *DecodedReply) readReasoning(object map[string]any, key string, required bool) {
	value, present := object[key]
	text, ok := value.(string)
	if present && !ok || required && !present {
		d.Problems = append(d.Problems, fmt.Sprintf("`%s` is %s, not a string", key, describeValue(value)))
	}
	d.Reasoning = text
}

// rawScore reads a score of 0 to 10.
func rawScore(value any) (*float64, string) {
	n, ok := value.(float64)
	if !ok || n != math.Trunc(n) || n < 0 || n > 10 {
		return nil, fmt.Sprintf("is %s, not a whole number from 0 to 10", describeValue(value))
	}
	return &n, ""
}

// describeValue is a JSON value as a sentence can name it.
func describeValue(value any) string {
	switch v := value.(type) {
	case nil:
		return "missing"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		if len(v) > 40 {
			return "a long string"
		}
	}
	text, _ := json.Marshal(value)
	return "`" + string(text) + "`"
}

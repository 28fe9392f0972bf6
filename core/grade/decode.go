package grade

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// DecodedReply is the content of a judge's reply.
type DecodedReply struct {
	Grades    []score.Grade // of a rubric
	Score     *float64      // 0–1, of a free-form judgement
	Pass      *bool         // the reply's own verdict; only under [score.AgentVHead]
	Hits      []string      // free-form
	Misses    []string      // free-form
	Reasoning string
	Ungraded  string   // why a free-form judgement is declined
	Problems  []string // what is wrong with the reply; empty if nothing

	isBare bool   // the reply gives its own verdict and no checks
	judge  string // who replied, of a panel
	sample int    // index of the sample
}

// DecodeReply decodes a judge's reply about criteria, or a free-form reply if there are none.
//
// Under [score.Spec] the reply must be one JSON value: see [DecodeOneValue]. Every criterion gets a
// grade, in the order of criteria. A criterion that the reply omits, repeats or grades in the wrong
// form is ungraded, with the reason. Under the reference's profiles a reply is usable as a whole,
// with grades in its own order, or has no grades; see [ExtractJSON] for the text allowed around its
// JSON. No profile grades an unknown id. Under [score.AgentVHead] a reply may give its own score
// and verdict instead.
func DecodeReply(profile score.Profile, criteria []*rubric.Criterion, reply string) DecodedReply {
	if profile.IsV4OrLater() {
		reply = fixPassed(removeFences(reply))
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
	case len(criteria) == 0 && declinedReason(object) != "":
		return DecodedReply{Ungraded: declinedReason(object)}
	case len(criteria) == 0 && profile.IsV4OrLater():
		return decodeFindings(object)
	case len(criteria) == 0:
		return decodeFreeform(profile, object)
	case profile.IsReference():
		return decodeAgentV(criteria, object)
	}
	return decodeSpec(criteria, object)
}

// Result returns the result of one decoded reply about criteria, without the terms of a grader.
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
		return score.UngradedResult(cmp.Or(d.Ungraded, "the reply has no score"))
	}
	return score.Terms{}.Apply(profile, "", r)
}

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
		grades[i] = score.Grade{ID: c.ID, Ungraded: reason, Weight: c.Weight, Required: c.IsRequired()}
	}
	return grades
}

func declinedReason(object map[string]any) (reason string) {
	if object["score"] == nil {
		reason, _ = object["ungraded"].(string)
	}
	return reason
}

func decodeFreeform(profile score.Profile, object map[string]any) DecodedReply {
	var d DecodedReply
	d.readShare(object)
	d.Hits = d.readLines(object, "hits")
	d.Misses = d.readLines(object, "misses")
	d.readReasoning(object, "reasoning", false)
	if profile == score.AgentV {
		d.Hits, d.Misses = d.Hits[:min(4, len(d.Hits))], d.Misses[:min(4, len(d.Misses))]
	}
	return d
}

func (d *DecodedReply) readShare(object map[string]any) {
	value, ok := object["score"].(float64)
	if !ok || value < 0 || value > 1 {
		d.Problems = append(d.Problems, "`score` "+wrongValue(object["score"], "a number from 0 to 1"))
		return
	}
	d.Score = &value
}

func (d *DecodedReply) readList(object map[string]any, key string, required bool) []any {
	value, given := object[key]
	list, ok := value.([]any)
	if !ok && (given || required) {
		d.Problems = append(d.Problems, fmt.Sprintf("`%s` %s", key, wrongValue(value, "a list")))
	}
	return list
}

// readLines reads an optional list of strings and drops the blank ones.
func (d *DecodedReply) readLines(object map[string]any, key string) []string {
	value, ok := object[key]
	if !ok {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		d.Problems = append(d.Problems, fmt.Sprintf("`%s` %s", key, wrongValue(value, "a list of strings")))
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
		d.Problems = append(d.Problems, fmt.Sprintf("`%s` %s", key, wrongValue(value, "a string")))
	}
	d.Reasoning = text
}

// wrongValue says what is wrong with a value: "is missing; it must be a list", "is `3`, not a list".
func wrongValue(value any, want string) string {
	if value == nil {
		return "is missing; it must be " + want
	}
	return "is " + describeValue(value) + ", not " + want
}

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

// decodeSpec requires every criterion exactly once, graded in its own form. Reasons may be missing.
func decodeSpec(criteria []*rubric.Criterion, object map[string]any) DecodedReply {
	var d DecodedReply
	d.Reasoning, _ = object["overall_reasoning"].(string)
	list := d.readList(object, "checks", true)
	wanted := map[string]int{}
	for _, c := range criteria {
		wanted[c.ID]++
	}
	found := map[string][]map[string]any{}
	missing := "missing in the reply"
	for i, item := range list {
		check, _ := item.(map[string]any)
		id, ok := check["id"].(string)
		switch {
		case !ok:
			d.Problems = append(d.Problems, fmt.Sprintf("check %d has no `id`", i+1))
		case wanted[id] == 0:
			d.Problems = append(d.Problems, fmt.Sprintf("`%s` is not one of the criteria", id))
			missing = fmt.Sprintf("missing in the reply, which has `%s`", excerpt.Shorten(id, 40))
		default:
			found[id] = append(found[id], check)
		}
	}
	declined, _ := object["ungraded"].(map[string]any)
	next := map[string]int{}
	for _, c := range criteria {
		checks, i := found[c.ID], next[c.ID]
		next[c.ID]++
		g := score.Grade{ID: c.ID}
		switch {
		case i >= len(checks) && declined[c.ID] != nil:
			g.Ungraded = fmt.Sprint(declined[c.ID])
			d.Grades = append(d.Grades, g)
			continue
		case i >= len(checks):
			g.Ungraded = missing
		case len(checks) > wanted[c.ID]:
			g.Ungraded = fmt.Sprintf("graded %d times in the reply", len(checks))
		default:
			g.Reasoning, _ = checks[i]["reasoning"].(string)
			g.Ungraded = readGrade(&g, checks[i], c.HasBands())
		}
		if g.Ungraded != "" {
			d.Problems = append(d.Problems, fmt.Sprintf("criterion `%s`: %s", c.ID, g.Ungraded))
		}
		d.Grades = append(d.Grades, g)
	}
	return d
}

// readGrade reads the grade of a check into g. It returns the fault, "" if there is none.
func readGrade(g *score.Grade, check map[string]any, scored bool) string {
	if scored {
		n, ok := check["score"].(float64)
		if !ok || n != math.Trunc(n) || n < 0 || n > 10 {
			return "`score` " + wrongValue(check["score"], "a whole number from 0 to 10")
		}
		g.Score = &n
		return ""
	}
	satisfied, ok := check["satisfied"].(bool)
	if !ok {
		return "`satisfied` " + wrongValue(check["satisfied"], "true or false")
	}
	g.Satisfied = &satisfied
	return ""
}

// decodeAgentV requires checks of one form. It drops checks of unknown criteria and accepts missing
// ones.
func decodeAgentV(criteria []*rubric.Criterion, object map[string]any) DecodedReply {
	scored := score.HasRanged(criteria)
	var d DecodedReply
	d.readReasoning(object, "overall_reasoning", !scored)
	for i, item := range d.readList(object, "checks", true) {
		check, _ := item.(map[string]any)
		g, wrong := decodeCheckAgentV(check, scored)
		if wrong != "" {
			d.Problems = append(d.Problems, fmt.Sprintf("check %d: %s", i+1, wrong))
		}
		if slices.ContainsFunc(criteria, func(c *rubric.Criterion) bool { return c.ID == g.ID }) {
			d.Grades = append(d.Grades, g)
		}
	}
	if len(d.Problems) > 0 {
		return DecodedReply{Problems: d.Problems}
	}
	declined, _ := object["ungraded"].(map[string]any)
	for _, c := range criteria {
		if declined[c.ID] != nil {
			d.Grades = append(d.Grades, score.Grade{ID: c.ID, Ungraded: fmt.Sprint(declined[c.ID])})
		}
	}
	return d
}

func decodeCheckAgentV(check map[string]any, scored bool) (score.Grade, string) {
	id, ok := check["id"].(string)
	if !ok {
		return score.Grade{}, "it has no `id`"
	}
	g := score.Grade{ID: id}
	reason, given := check["reasoning"]
	if g.Reasoning, ok = reason.(string); !ok && (given || !scored) {
		return g, "`reasoning` " + wrongValue(reason, "a string")
	}
	problem := readGrade(&g, check, scored)
	return g, problem
}

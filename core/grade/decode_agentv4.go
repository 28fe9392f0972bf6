package grade

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// maxFindings is how many findings of a free-form reply the reference keeps.
const maxFindings = 8

// passedPattern matches a `passed` key whose value is not a boolean.
var passedPattern = pattern.New(`(?i)("passed"\s*:\s*)(?:"([^"]+)"|([A-Za-z_][A-Za-z0-9_-]*))`)

// fixPassed makes every `passed` true or false, as the later versions of the reference do before
// they read a reply. Everything except the word true becomes false.
func fixPassed(reply string) string {
	return passedPattern().ReplaceAllStringFunc(reply, func(match string) string {
		part := passedPattern().FindStringSubmatch(match)
		return part[1] + strconv.FormatBool(strings.EqualFold(strings.TrimSpace(part[2]+part[3]), "true"))
	})
}

// decodeFindings decodes a free-form reply of the later versions: a score, and `assertions` that
// passed or not. It also takes hits and misses, which these versions do not ask for.
func decodeFindings(object map[string]any) DecodedReply {
	var d DecodedReply
	d.readShare(object)
	d.Reasoning, _ = object["reasoning"].(string)
	d.Hits, d.Misses = nonBlankStrings(object["hits"]), nonBlankStrings(object["misses"])
	if details, given := object["details"]; given {
		if _, ok := details.(map[string]any); !ok {
			d.Problems = append(d.Problems, "`details` "+wrongValue(details, "an object"))
		}
	}
	for i, item := range d.readList(object, "assertions", false) {
		finding, _ := item.(map[string]any)
		text, isText := finding["text"].(string)
		passed, isBool := finding["passed"].(bool)
		evidence, isString := finding["evidence"].(string)
		if _, given := finding["evidence"]; !isText || !isBool || given && !isString {
			d.Problems = append(d.Problems, fmt.Sprintf("assertion %d needs a `text` and `passed`", i+1))
			continue
		}
		if i < maxFindings {
			d.addFinding(passed, text, evidence)
		}
	}
	return d
}

func (d *DecodedReply) addFinding(passed bool, text, reason string) {
	if reason != "" {
		text += ": " + reason
	}
	if passed {
		d.Hits = append(d.Hits, text)
	} else {
		d.Misses = append(d.Misses, text)
	}
}

// hasOwnVerdict reports whether a reply gives its own verdict: it has `pass` or `reason`, or has
// `checks` and no keys of another form.
func hasOwnVerdict(object map[string]any) bool {
	has := func(key string) bool { _, ok := object[key]; return ok }
	return has("pass") || has("reason") || has("checks") && !has("overall_reasoning") && !has("assertions")
}

// decodeOwnVerdict decodes a reply with its own verdict. The verdict is a pass unless the reply
// says otherwise. Missing parts follow from its checks, which have equal weights.
func decodeOwnVerdict(criteria []*rubric.Criterion, object map[string]any) DecodedReply {
	var d DecodedReply
	d.readReasoning(object, "reason", false)
	d.Reasoning = strings.TrimSpace(d.Reasoning)
	checks := d.readList(object, "checks", false)
	pass, sum := true, 0.0
	for i, item := range checks {
		check, ok := item.(map[string]any)
		if !ok || hasUnknownType(check, "pass", "passed", "satisfied", "score") || hasNonText(check, "id", "text", "reason", "evidence", "reasoning") {
			d.Problems = append(d.Problems, fmt.Sprintf("check %d is not an object with a verdict", i+1))
			continue
		}
		held := isCheckPassed(check)
		pass = pass && held
		sum += readScore(check["score"], held)
		d.addFinding(held, checkText(criteria, check), firstText(check, "reason", "evidence", "reasoning"))
	}
	if hasUnknownType(object, "pass", "score") {
		d.Problems = append(d.Problems, "`pass` or `score` is neither a text, a number nor a truth value")
	}
	if len(d.Problems) > 0 {
		return DecodedReply{Problems: d.Problems}
	}
	value := sum / float64(max(1, len(checks)))
	if verdict := object["pass"]; verdict != nil {
		pass = IsYes(verdict)
	}
	if verdict := object["score"]; verdict != nil || len(checks) == 0 {
		value = readScore(verdict, pass)
	}
	if len(checks) == 0 {
		d.addFinding(pass, "the judge's own verdict", d.Reasoning)
		d.isBare = true
	}
	d.Score, d.Pass = &value, &pass
	return d
}

func hasUnknownType(object map[string]any, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		value, given := object[key]
		switch value.(type) {
		case bool, string, float64:
			return false
		}
		return given
	})
}

func hasNonText(object map[string]any, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		value, given := object[key]
		_, isText := value.(string)
		return given && !isText
	})
}

// isCheckPassed reports whether a check passes by its verdict, or else by its score.
func isCheckPassed(check map[string]any) bool {
	for _, key := range []string{"pass", "passed", "satisfied"} {
		if value, ok := check[key]; ok {
			return IsYes(value)
		}
	}
	return readScore(check["score"], false) >= score.PassAt
}

func checkText(criteria []*rubric.Criterion, check map[string]any) string {
	id, _ := check["id"].(string)
	for _, c := range criteria {
		if id != "" && c.ID == id {
			return "[" + id + "] " + c.Text
		}
	}
	if text := firstText(check, "text"); text != "" {
		return text
	}
	return "[" + id + "]"
}

func firstText(object map[string]any, keys ...string) string {
	for _, key := range keys {
		if text, _ := object[key].(string); strings.TrimSpace(text) != "" {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// IsYes reads a verdict, as AgentV's newest version and promptfoo do. Numbers are never a yes.
func IsYes(value any) bool {
	switch v := value.(type) {
	case bool:
		return v
	case string:
		switch strings.ToLower(v) {
		case "true", "yes", "pass", "y":
			return true
		}
	}
	return false
}

// readScore reads a score of 0 to 1 from a number or numeric string. Any other value is 1 for a
// pass, else 0.
func readScore(value any, pass bool) float64 {
	switch v := value.(type) {
	case float64:
		return score.Clamp(v)
	case bool:
		pass = v
	case string:
		if n, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			return score.Clamp(n)
		}
	}
	if pass {
		return 1
	}
	return 0
}

package grade

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// skillCall is one use of a skill, as a tool call shows it.
type skillCall struct {
	name, path string // path is "" for a call of the skill's own tool
}

var (
	skillFile  = pattern.New(`(?:^|[/"'\s])((?:\.agents/)?skills/([A-Za-z0-9._:-]+)/SKILL\.md)(?:$|[)"'\s,;:])`)
	skillToken = pattern.New(`(?:^|/)(?:\.agents/)?skills/([A-Za-z0-9._:-]+)/SKILL\.md$`)
)

// skillCalls returns the skills that the tool calls use: those that the tool `skill` names, and
// those whose file is read or mentioned, each file once. Failed calls use none.
func skillCalls(calls []ToolCall) (all []skillCall) {
	for _, call := range calls {
		if call.Status != "" && call.Status != "ok" && call.Status != "unknown" {
			continue
		}
		input, _ := call.Input.(map[string]any)
		var found []skillCall
		tool := strings.ToLower(call.Tool)
		switch tool {
		case "skill":
			if name := firstText(input, "skill", "name"); name != "" {
				all = append(all, skillCall{name: name})
			}
		case "read":
			path := firstText(input, "file_path", "path", "filePath")
			if m := skillToken().FindStringSubmatch(strings.ReplaceAll(path, `\`, "/")); m != nil {
				found = append(found, skillCall{m[1], path})
			}
		case "bash":
			found = skillFiles(firstText(input, "command"))
		}
		if tool != "skill" && tool != "read" {
			found = append(found, skillFiles(call.outputText())...)
		}
		for _, use := range found {
			if !slices.Contains(all, use) {
				all = append(all, use)
			}
		}
	}
	return all
}

// skillFiles returns the files of skills that a text mentions. A file may count twice, by a whole
// word and by the end of its path, as it does in the reference.
func skillFiles(text string) (all []skillCall) {
	text = strings.ReplaceAll(text, `\`, "/")
	for token := range strings.FieldsSeq(text) {
		token = strings.TrimRight(strings.TrimLeft(token, "`\"'([{<"), "`\"',;:)]}>")
		if m := skillToken().FindStringSubmatch(token); m != nil {
			all = append(all, skillCall{m[1], token})
		}
	}
	for _, m := range skillFile().FindAllStringSubmatch(text, -1) {
		all = append(all, skillCall{m[2], m[1]})
	}
	return all
}

func (t task) gradeSkill() Outcome {
	a, calls := *t.grader.Assert, t.submission.toolCalls()
	if a.Type == rubric.SkillTrigger {
		pass, line := checkSkillTrigger(a, calls)
		return Outcome{Result: findingResult(pass, line)}
	}
	// The newest version of the reference inverts the check and then its result.
	inverse := a.Type == rubric.NotSkillUsed || t.isReference() && t.grader.Negate
	pass, line, err := checkSkillUsed(a.Value, inverse, skillCalls(calls))
	if err != nil {
		return t.unusable(err.Error())
	}
	return Outcome{Result: findingResult(pass, line)}
}

// checkSkillUsed requires uses of all skills in a list, or a number of uses of one skill. If it is
// inverse, it requires that none of them is used.
func checkSkillUsed(value any, inverse bool, calls []skillCall) (pass bool, line string, err error) {
	names, isList := value.([]any)
	if text, isText := value.(string); isText {
		names, isList = []any{text}, true
	}
	if isList {
		if !slices.ContainsFunc(names, func(name any) bool { return trimText(name) == "" }) && len(names) > 0 {
			used, missing := []string(nil), []string(nil)
			for _, name := range names {
				if skill := trimText(name); slices.ContainsFunc(calls, func(c skillCall) bool { return c.name == skill }) {
					used = append(used, skill)
				} else {
					missing = append(missing, skill)
				}
			}
			return inverse && len(used) == 0 || !inverse && len(missing) == 0, fmt.Sprintf("skills used: %s; not used: %s", listOrNone(used), listOrNone(missing)), nil
		}
		return false, "", errors.New("its `value` needs a skill, a list of skills, or an object")
	}
	object, isObject := value.(map[string]any)
	name, pattern := trimText(object["name"]), trimText(object["pattern"])
	least, hasLeast := object["min"].(float64)
	most, hasMost := object["max"].(float64)
	switch {
	case !isObject:
		return false, "", errors.New("its `value` needs a skill, a list of skills, or an object")
	case name == "" && pattern == "":
		return false, "", errors.New("it needs the `name` or `pattern` of a skill")
	case !isCount(object, "min") || !isCount(object, "max") || hasLeast && hasMost && most < least:
		return false, "", errors.New("its `min` and `max` are not numbers of uses")
	case inverse && (hasLeast || hasMost && most != 0):
		return false, "", errors.New("with `not-` it has no `min`, and no `max` but 0")
	case !hasLeast && !hasMost:
		least = 1
	}
	uses := 0.0
	for _, call := range calls {
		if (name == "" || call.name == name) && (pattern == "" || matchesWildcard(call.name, pattern)) {
			uses++
		}
	}
	line = fmt.Sprintf("skill `%s` used %v times", cmp.Or(pattern, name), uses)
	if inverse {
		return uses == 0, line, nil
	}
	return uses >= least && (!hasMost || uses <= most), line, nil
}

func trimText(value any) string {
	text, _ := value.(string)
	return javascript.TrimSpace(text)
}

// isCount reports whether a key is absent or a whole number from 0 on.
func isCount(object map[string]any, key string) bool {
	value, there := object[key]
	n, isNumber := value.(float64)
	return !there || isNumber && n >= 0 && n == math.Trunc(n) && !math.IsInf(n, 0)
}

// checkSkillTrigger is the check of release 4: a call of the tool `skill` names the skill, a file in its
// folder is read, or the output of another tool mentions the folder.
func checkSkillTrigger(a rubric.Assertion, calls []ToolCall) (pass bool, line string) {
	skill, _ := a.Value.(string)
	folder := "skills/" + skill + "/"
	used := slices.ContainsFunc(calls, func(call ToolCall) bool {
		input, _ := call.Input.(map[string]any)
		switch tool := strings.ToLower(call.Tool); {
		case tool == "skill" && input["skill"] != nil && strings.Contains(javascript.String(input["skill"]), skill):
			return true
		case tool == "read" && strings.Contains(firstText(input, "file_path", "path"), folder):
			return true
		}
		return strings.Contains(call.outputText(), folder)
	})
	line = fmt.Sprintf("skill `%s` is not used", skill)
	if used {
		line = fmt.Sprintf("skill `%s` is used", skill)
	}
	return used == (a.Config["should_trigger"] != false), line
}

// outputText returns the output as a text, as JSON if it is none.
func (c ToolCall) outputText() string {
	if c.Output == nil {
		return ""
	}
	return javascript.Encode(c.Output)
}

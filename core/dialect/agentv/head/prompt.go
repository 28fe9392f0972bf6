package head

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// promptTemplate is one prompt with variables to fill in.
type promptTemplate struct {
	id       string // part of the case ids if there are several prompts
	input    any    // a string or messages
	isUnread bool   // its file is not read: input is a message that refers to it
}

// readPrompts returns a suite's prompts, or nil.
func readPrompts(l *v4.Loader, n *yaml.Node) []promptTemplate {
	if n.IsNull() {
		return nil
	}
	entries := n.List()
	if !n.IsSeq() || isMessageList(n) {
		entries = []*yaml.Node{n}
	}
	var all []promptTemplate
	for _, entry := range entries {
		if p, ok := readPrompt(l, entry); ok {
			all = append(all, p)
		}
	}
	return all
}

func readPrompt(l *v4.Loader, n *yaml.Node) (p promptTemplate, ok bool) {
	if text, isText := n.Str(); isText {
		if path, isFile := strings.CutPrefix(text, "file://"); isFile {
			return readPromptFile(l, n, path, path), true
		}
		return promptTemplate{id: "prompt-" + nodeDigest(n), input: text}, true
	}
	if isMessageList(n) {
		return promptTemplate{id: "chat-" + nodeDigest(n), input: n.Any()}, true
	}
	id := n.Get("id").Text()
	id = strings.TrimSpace(id)
	for _, key := range []string{"function_file", "function", "command"} {
		if program := n.Get(key); program != nil {
			l.AddLoss(v4.PromptUnread, rubric.Silent, program, key)
			return promptTemplate{id: cmp.Or(id, "function-"+nodeDigest(program)), input: ""}, true
		}
	}
	if path, isText := n.Get("file").Str(); isText {
		path = strings.TrimPrefix(path, "file://")
		return readPromptFile(l, n.Get("file"), cmp.Or(id, path), path), true
	}
	for _, key := range []string{"messages", "prompt", "raw"} {
		value := n.Get(key)
		if _, isText := value.Str(); isText && key != "messages" {
			return promptTemplate{id: cmp.Or(id, "string-"+nodeDigest(value)), input: value.Any()}, true
		}
		if isMessageList(value) && key != "raw" {
			return promptTemplate{id: cmp.Or(id, "chat-"+nodeDigest(value)), input: value.Any()}, true
		}
	}
	if _, isMessage := v4.ReadMessage(n.Any()); isMessage {
		return promptTemplate{id: cmp.Or(id, "chat-"+nodeDigest(n)), input: []any{n.Any()}}, true
	}
	l.FailFile(v4.PromptInvalid, n, "")
	return p, false
}

// readPromptFile returns the prompt in a file, or a user message that refers to it.
func readPromptFile(l *v4.Loader, n *yaml.Node, id, path string) promptTemplate {
	if l.ReadFile != nil {
		body, found := l.ReadFile(path)
		if body != "" {
			return promptTemplate{id: id, input: strings.ReplaceAll(body, "\r\n", "\n")}
		}
		if !found {
			l.FailFile(v4.FileMissing, n, path)
		}
	}
	message := map[string]any{"role": "user", "content": []any{map[string]any{"type": "file", "value": path}}}
	return promptTemplate{id: id, input: []any{message}, isUnread: true}
}

// readChat returns the messages of a text that is a JSON list of messages, or the text.
func readChat(text string) any {
	var items []any
	if !strings.HasPrefix(strings.TrimSpace(text), "[") || json.Unmarshal([]byte(text), &items) != nil {
		return text
	}
	if _, ok := v4.ReadMessages(items); !ok || len(items) == 0 {
		return text
	}
	return items
}

// isMessageList reports whether n is a non-empty list of valid messages.
func isMessageList(n *yaml.Node) bool {
	_, ok := v4.ReadMessages(n.Any())
	return ok && len(n.List()) > 0
}

// nodeDigest identifies a prompt without an id.
func nodeDigest(n *yaml.Node) string { return shortHash(yaml.EncodeJSON(n, "")) }

func shortHash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12] }

var unsafeIDChars = pattern.New(`[^A-Za-z0-9_.-]+`)

// maxPromptID is the number of bytes of a prompt's id that a case's id may contain.
const maxPromptID = 48

// caseIDSuffix returns the suffix that the prompt adds to a test's id.
func (p promptTemplate) caseIDSuffix() string {
	id := cmp.Or(strings.Trim(unsafeIDChars().ReplaceAllString(strings.TrimSpace(p.id), "-"), "-"), shortHash(strconv.Quote(p.id)))
	return "__prompt_" + id[:min(len(id), maxPromptID)]
}

// variableCombinations returns the variables of each case that one test expands to. A list of
// strings contributes each of its values in turn, and an empty list leaves no case. The order
// follows the test's keys.
func variableCombinations(vars map[string]any, order []string) []map[string]any {
	all := []map[string]any{{}}
	for _, name := range order {
		values := choices(vars[name])
		if len(all)*len(values) > v4.MaxCases {
			return []map[string]any{vars}
		}
		all = agentv.Combine(all, name, values)
	}
	return all
}

func choices(value any) []any {
	list, isList := value.([]any)
	if isList && len(list) > 0 {
		_, isList = list[0].(string)
	}
	if !isList {
		return []any{value}
	}
	return list
}

// variablePattern matches a variable in a text: a name, or names joined by periods.
var variablePattern = pattern.New(`\{\{-?\s*([\w.-]+?)\s*-?\}\}`)

// fillVariables replaces variables in all strings of a value. A string that is one variable and
// nothing else becomes the variable's value of any type. Unknown variables, conditions, loops
// and filters stay as they are, so that a reader sees which were not filled; the runner's
// templates leave them empty.
func fillVariables(value any, vars map[string]any) any {
	return agentv.MapTexts(value, func(text string) any { return fillText(text, vars) })
}

func fillText(text string, vars map[string]any) any {
	if at := variablePattern().FindStringSubmatch(text); at != nil && at[0] == strings.TrimSpace(text) {
		if value, ok := lookupVariable(vars, at[1]); ok {
			return value
		}
	}
	return variablePattern().ReplaceAllStringFunc(text, func(found string) string {
		value, ok := lookupVariable(vars, variablePattern().FindStringSubmatch(found)[1])
		if !ok {
			return found
		}
		return v4.FormatValue(value)
	})
}

// lookupVariable returns the variable at a path, which may begin with `vars`.
func lookupVariable(vars map[string]any, path string) (value any, ok bool) {
	if value, ok = grade.LookupKeys(vars, path); ok {
		return value, true
	}
	if rest, prefixed := strings.CutPrefix(path, "vars."); prefixed {
		return grade.LookupKeys(vars, rest)
	}
	return nil, false
}

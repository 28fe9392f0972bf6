package newer

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// prompt is one way of asking, with slots for variables.
type prompt struct {
	id    string // by which a test's cases are told apart when there are several prompts
	input any    // a text or messages
}

// prompts reads a suite's, nil if it has none.
func (l *lowering) prompts(n *yaml.Node) []prompt {
	if n.IsNull() {
		return nil
	}
	entries := n.List()
	if !n.IsSeq() || isChat(n) {
		entries = []*yaml.Node{n}
	}
	var all []prompt
	for _, entry := range entries {
		if p, ok := l.prompt(entry); ok {
			all = append(all, p)
		}
	}
	return all
}

func (l *lowering) prompt(n *yaml.Node) (p prompt, ok bool) {
	if text, isText := n.Str(); isText {
		if path, isFile := strings.CutPrefix(text, "file://"); isFile {
			return prompt{path, file(path)}, true
		}
		return prompt{"prompt-" + digest(n), text}, true
	}
	if isChat(n) {
		return prompt{"chat-" + digest(n), n.Any()}, true
	}
	id, _ := n.Get("id").Str()
	for _, key := range []string{"function_file", "function", "command"} {
		if program := n.Get(key); program != nil {
			l.lose(PromptUnread, rubric.Silent, program, key)
			return prompt{either(id, "function-"+digest(program)), ""}, true
		}
	}
	if path, isText := n.Get("file").Str(); isText {
		path = strings.TrimPrefix(path, "file://")
		return prompt{either(id, path), file(path)}, true
	}
	for _, key := range []string{"messages", "prompt", "raw"} {
		value := n.Get(key)
		if _, isText := value.Str(); isText && key != "messages" {
			return prompt{either(id, "string-"+digest(value)), value.Any()}, true
		}
		if isChat(value) && key != "raw" {
			return prompt{either(id, "chat-"+digest(value)), value.Any()}, true
		}
	}
	if _, isMessage := message(n.Any()); isMessage {
		return prompt{either(id, "chat-"+digest(n)), []any{n.Any()}}, true
	}
	l.lose(PromptInvalid, rubric.Refuses, n, "").Fatal = true
	return p, false
}

// file is a message that is in a file, as messages refer to files.
func file(path string) any {
	return []any{map[string]any{"role": "user", "content": []any{map[string]any{"type": "file", "value": path}}}}
}

// isChat reports whether n is a list of messages and nothing else.
func isChat(n *yaml.Node) bool {
	if len(n.List()) == 0 {
		return false
	}
	_, ok := messages(n.Any())
	return ok
}

func either(id, otherwise string) string {
	if id = strings.TrimSpace(id); id != "" {
		return id
	}
	return otherwise
}

// digest tells prompts without an id apart.
func digest(n *yaml.Node) string { return hashed(yaml.JSON(n, "")) }

func hashed(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12] }

var unsafe = pattern.Of(`[^A-Za-z0-9_.-]+`)

// longest is how much of a prompt's id goes into a case's.
const longest = 48

// suffix is what a prompt adds to the id of a test.
func (p prompt) suffix() string {
	id := strings.Trim(unsafe().ReplaceAllString(strings.TrimSpace(p.id), "-"), "-")
	if id == "" {
		id = hashed(strconv.Quote(p.id))
	}
	return "__prompt_" + id[:min(len(id), longest)]
}

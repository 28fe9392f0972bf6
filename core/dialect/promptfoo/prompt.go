package promptfoo

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/yaml"
)

// fileScheme begins a reference to a file.
const fileScheme = "file://"

// Prompt is a prompt of a configuration.
type Prompt struct {
	Label  string
	ID     string // "" if none is written
	Text   string // a template
	Unread bool   // a program writes it, or it could not be read

	node *yaml.Node // in the configuration
}

func trimScheme(reference string) string {
	return strings.TrimPrefix(strings.TrimPrefix(reference, fileScheme), "./")
}

// textEndings are the endings of files that have prompts, programEndings those of programs.
var (
	textEndings    = []string{".txt", ".json", ".yaml", ".yml", ".jsonl", ".csv", ".md", ".j2"}
	programEndings = []string{".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".sh", ".rb", ".pl", ".go", ".ps1", ".bat", ".cmd", ".php"}
)

// ending returns the ending of the path in a reference, without the name of a function after it.
func ending(reference string) (name, ending string) {
	name = trimScheme(reference)
	if at := strings.LastIndex(name, ":"); at > 1 && path.Ext(name[:at]) != "" {
		name = name[:at]
	}
	return name, strings.ToLower(path.Ext(name))
}

func isGlob(name string) bool { return strings.ContainsAny(name, "*?[") }

// isPath reports whether promptfoo takes a prompt for the path of a file.
func isPath(prompt string) bool {
	if strings.HasPrefix(prompt, fileScheme) {
		return true
	}
	_, end := ending(prompt)
	return !strings.Contains(prompt, "\n") && !strings.Contains(prompt, "{{") && (slices.Contains(textEndings, end) || slices.Contains(programEndings, end))
}

// loadPrompts reads the prompts of a configuration.
func (l *loader) loadPrompts(n *yaml.Node) (prompts []Prompt) {
	switch list := n.Follow(); {
	case n.IsNull():
		return []Prompt{{Label: "{{prompt}}", Text: "{{prompt}}"}}
	case list.Kind == yaml.Mapping:
		for _, p := range n.Entries() {
			label, _ := p.Value.Str()
			prompts = append(prompts, l.loadPrompt(p.Key.Value, Prompt{Label: label, node: p.Key})...)
		}
	case list.Kind == yaml.Sequence:
		for _, item := range list.Items {
			prompts = append(prompts, l.promptOf(item)...)
		}
	default:
		prompts = l.promptOf(n)
	}
	return prompts
}

func (l *loader) promptOf(n *yaml.Node) []Prompt {
	if source, ok := n.Str(); ok {
		return l.loadPrompt(source, Prompt{node: n})
	}
	if !n.IsMap() {
		return nil
	}
	p := Prompt{node: n}
	p.Label, _ = n.Get("label").Str()
	p.ID, _ = n.Get("id").Str()
	source, _ := n.Get("raw").Str()
	if source == "" {
		source, p.node = p.ID, n.Get("id")
	}
	if source == "" {
		return []Prompt{{Label: p.Label, ID: p.ID, Unread: true, node: n}}
	}
	return l.loadPrompt(source, p)
}

// loadPrompt reads the prompts that a text or a path stands for.
func (l *loader) loadPrompt(source string, p Prompt) []Prompt {
	one := func(body string) []Prompt {
		if p.Text = body; p.Label == "" {
			p.Label = source
		}
		return []Prompt{p}
	}
	name, end := ending(source)
	switch {
	case strings.HasPrefix(source, "exec:"), strings.Contains(source, "://") && !strings.HasPrefix(source, fileScheme), isPath(source) && slices.Contains(programEndings, end):
		p.Unread = true
		return one(source)
	case isGlob(name) && (strings.HasPrefix(source, fileScheme) || isPath(source)):
		if l.ListFiles == nil {
			p.Unread = true
			return one(source)
		}
		var prompts []Prompt
		for _, file := range l.ListFiles(name) {
			prompts = append(prompts, l.loadPrompt(fileScheme+file, p)...)
		}
		if prompts == nil {
			l.lose(PromptsUnmatched, p.node, name)
			return one(source)
		}
		return prompts
	case !isPath(source):
		return one(source)
	case l.ReadFile == nil:
		p.Unread = true
		return one(source)
	}
	body, found := l.ReadFile(name)
	if !found {
		l.refuse(PromptMissing, p.node, name)
		p.Unread = true
		return one(source)
	}
	parts := splitPrompts(end, body)
	var prompts []Prompt
	for _, part := range parts {
		own := p
		if own.Text = part; own.Label == "" {
			own.Label = name + ": " + part
		}
		prompts = append(prompts, own)
	}
	return prompts
}

// splitPrompts returns the prompts in a file.
func splitPrompts(end, body string) (parts []string) {
	body = strings.ReplaceAll(strings.TrimPrefix(body, "\ufeff"), "\r\n", "\n")
	switch end {
	case ".txt":
		for part := range strings.SplitSeq("\n"+body+"\n", "\n---\n") {
			if part = strings.TrimSpace(part); part != "" {
				parts = append(parts, part)
			}
		}
	case ".jsonl":
		for line := range strings.Lines(body) {
			if line = strings.TrimSpace(line); line != "" {
				parts = append(parts, line)
			}
		}
	case ".yaml", ".yml":
		parts = []string{nunjucks.JSON(toValue(parseYAML(body).Root()), "")}
	case ".csv":
		rows, _ := readTable(body)
		for _, row := range rows {
			if prompt := row["prompt"]; strings.TrimSpace(prompt) != "" {
				parts = append(parts, prompt)
			}
		}
	default:
		parts = []string{body}
	}
	return parts
}

// selects reports whether a filter such as `label`, `group` of group:x, or `x*` selects a name.
func selects(filter, name string) bool {
	if start, ok := strings.CutSuffix(filter, "*"); ok && strings.HasPrefix(name, start) {
		return true
	}
	return name == filter || strings.HasPrefix(name, filter+":")
}

// messagesOf returns a prompt's chat messages, or nil if it is a text.
func messagesOf(prompt string) (messages []map[string]any) {
	if !strings.HasPrefix(strings.TrimSpace(prompt), "[") || json.Unmarshal([]byte(prompt), &messages) != nil {
		return nil
	}
	for _, m := range messages {
		if role, _ := m["role"].(string); role == "" {
			return nil
		}
	}
	return messages
}

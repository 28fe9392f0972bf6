package promptfoo

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Prompt is a prompt of a configuration.
type Prompt struct {
	Label string

	id     string // "" if none is written
	text   string // a template
	unread bool   // a program writes it, or it could not be read
	node   *yaml.Node
}

func (p Prompt) matches(filter string) bool {
	return selects(filter, p.Label) || p.id != "" && selects(filter, p.id)
}

// anyPrompt is the prompt of a configuration that has none.
var anyPrompt = Prompt{Label: "{{prompt}}", text: "{{prompt}}"}

// loadPrompts reads the prompts of a configuration.
func (l *loader) loadPrompts(n *yaml.Node) (prompts []Prompt) {
	if n.IsNull() {
		return []Prompt{anyPrompt}
	}
	if n.IsMap() {
		for _, p := range n.Entries() {
			label, _ := p.Value.Str()
			prompts = append(prompts, l.loadPrompt(p.Key.Value, Prompt{Label: label, node: p.Key})...)
		}
		return prompts
	}
	for _, item := range asList(n) {
		source, isText := item.Str()
		p := Prompt{node: item}
		p.Label, _ = item.Get("label").Str()
		p.id, _ = item.Get("id").Str()
		if raw, _ := item.Get("raw").Str(); raw != "" {
			source = raw
		} else if p.id != "" {
			source, p.node = p.id, item.Get("id")
		}
		switch {
		case source != "" || isText:
			prompts = append(prompts, l.loadPrompt(source, p)...)
		case item.IsMap():
			p.unread = true
			prompts = append(prompts, p)
		}
	}
	return prompts
}

// isPath reports whether promptfoo takes a prompt for the path of a file.
func isPath(prompt string) bool {
	if strings.HasPrefix(prompt, fileScheme) {
		return true
	}
	_, end := ending(prompt)
	return !strings.Contains(prompt, "\n") && !strings.Contains(prompt, "{{") && (slices.Contains(promptEndings, end) || slices.Contains(programEndings, end))
}

// loadPrompt reads the prompts that a text or a path stands for.
func (l *loader) loadPrompt(source string, p Prompt) (prompts []Prompt) {
	literal := p
	literal.text, literal.Label = source, cmp.Or(p.Label, source)
	name, end := ending(source)
	files, known := l.files(name)
	switch isFile := isPath(source); {
	case !isFile && !strings.HasPrefix(source, "exec:") && !strings.Contains(source, "://"):
		return []Prompt{literal}
	case !isFile, slices.Contains(programEndings, end), !known:
		literal.unread = true
		return []Prompt{literal}
	case isGlob(name):
		for _, file := range files {
			prompts = append(prompts, l.loadPrompt(fileScheme+file, p)...)
		}
		if prompts == nil {
			l.lose(promptsUnmatched, p.node, name)
			return []Prompt{literal}
		}
		return prompts
	}
	body, found := l.ReadFile(name)
	if !found {
		l.lose(promptMissing, p.node, name)
		literal.unread = true
		return []Prompt{literal}
	}
	for _, part := range splitPrompts(end, body) {
		own := p
		own.text, own.Label = part, cmp.Or(p.Label, name+": "+part)
		prompts = append(prompts, own)
	}
	return prompts
}

// splitPrompts returns the prompts in a file.
func splitPrompts(end, body string) (parts []string) {
	body = strings.ReplaceAll(strings.TrimPrefix(body, "\ufeff"), "\r\n", "\n")
	switch end {
	case ".txt", ".jsonl":
		separator := map[string]string{".txt": "\n---\n", ".jsonl": "\n"}[end]
		for part := range strings.SplitSeq("\n"+body+"\n", separator) {
			parts = append(parts, strings.TrimSpace(part))
		}
	case ".yaml", ".yml":
		return []string{javascript.JSON(toValue(parseYAML(body).Root()))}
	case ".csv":
		rows, _ := readTable(body)
		for _, row := range rows {
			parts = append(parts, row["prompt"])
		}
	default:
		return []string{body}
	}
	return slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" })
}

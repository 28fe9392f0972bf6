package promptfoo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

// named is what filters select.
type named struct {
	Label string
	id    string // "" if none is written
}

// matches reports whether a filter such as `label`, `group` of group:x, or `x*` selects it.
func (n named) matches(filter string) bool {
	start, isOpen := strings.CutSuffix(filter, "*")
	return slices.ContainsFunc([]string{n.Label, n.id}, func(name string) bool {
		return name != "" && (name == filter || strings.HasPrefix(name, filter+":") || isOpen && strings.HasPrefix(name, start))
	})
}

// Prompt is a prompt of a configuration.
type Prompt struct {
	named
	text   string // a template
	unread bool   // a program writes it, or it could not be read
	node   *yaml.Node
}

// anyPrompt is the prompt of a configuration that has none.
var anyPrompt = Prompt{named: named{Label: "{{prompt}}"}, text: "{{prompt}}"}

// loadPrompts reads the prompts of a configuration.
func (l *loader) loadPrompts(n *yaml.Node) (prompts []Prompt) {
	if n.IsNull() {
		return []Prompt{anyPrompt}
	}
	for _, p := range n.Entries() {
		prompts = append(prompts, l.loadPrompt(p.Key.Value, Prompt{named: named{Label: p.Value.Text()}, node: p.Key})...)
	}
	if n.IsMap() {
		return prompts
	}
	for _, item := range asList(n) {
		text, isText := item.Str()
		p := Prompt{named: named{item.Get("label").Text(), item.Get("id").Text()}, node: item}
		raw := item.Get("raw").Text()
		if raw == "" && p.id != "" {
			p.node = item.Get("id")
		}
		switch source := cmp.Or(raw, p.id, text); {
		case source != "" || isText:
			prompts = append(prompts, l.loadPrompt(source, p)...)
		case item.IsMap():
			p.unread = true
			prompts = append(prompts, p)
		}
	}
	return prompts
}

// isHosted reports whether a service has a prompt.
func isHosted(prompt string) bool {
	scheme, _, isReference := strings.Cut(prompt, "://")
	return isReference && slices.Contains([]string{"langfuse", "portkey", "helicone", "pf"}, scheme)
}

// isPath reports whether promptfoo takes a prompt for the path of a file.
func isPath(prompt string) bool {
	_, end := ending(prompt)
	isName := !strings.Contains(prompt, "\n") && !strings.Contains(prompt, "{{")
	isFolder := strings.Contains(prompt, "/") && !strings.ContainsAny(prompt, " *?[") && !isHosted(prompt)
	return strings.HasPrefix(prompt, fileScheme) || isName && (isFolder || slices.Contains(promptEndings, end) || slices.Contains(programEndings, end))
}

// loadPrompt reads the prompts that a text or a path stands for.
func (l *loader) loadPrompt(source string, p Prompt) (prompts []Prompt) {
	literal := p
	literal.text, literal.Label, literal.unread = source, cmp.Or(p.Label, source), true
	name, end := ending(source)
	files, known := l.files(name)
	switch isFile := isPath(source); {
	case !isFile:
		literal.unread = strings.HasPrefix(source, "exec:") || isHosted(source)
	case slices.Contains(programEndings, end), !known:
	case isGlob(name) && len(files) == 0:
		literal.unread = false
		l.lose(promptsUnmatched, p.node, name)
	case isGlob(name):
		for _, file := range files {
			prompts = append(prompts, l.loadPrompt(fileScheme+file, p)...)
		}
		return prompts
	default:
		body, found := l.ReadFile(name)
		if !found {
			l.lose(promptMissing, p.node, name)
		}
		if !found || !slices.Contains(promptEndings, end) {
			break
		}
		for _, part := range splitPrompts(end, body) {
			own := p
			own.text, own.Label = part.text, cmp.Or(part.Label, p.Label, name+": "+part.text)
			prompts = append(prompts, own)
		}
		return prompts
	}
	return []Prompt{literal}
}

// separators are between the prompts in a file.
var separators = map[string]pattern.Lazy{".txt": pattern.New(`(?m)^\s*---[^\S\n]*$`), ".jsonl": pattern.New(`\n`), ".csv": pattern.New(`^(?i:prompt *\n)|\n`)}

// splitPrompts returns the texts of the prompts in a file, and the labels that a table has.
func splitPrompts(end, body string) (parts []Prompt) {
	body = strings.ReplaceAll(strings.TrimPrefix(body, "\ufeff"), "\r\n", "\n")
	header, rows, err := readTable(body)
	switch isTable := end == ".csv" && err == nil && strings.Contains(body, ","); {
	case isTable:
		text, label := slices.Index(header, "prompt"), slices.Index(header, "label")
		for _, cells := range rows {
			cells = append([]string{""}, generic.Map(cells, strings.TrimSpace)...) // for a missing column
			parts = append(parts, Prompt{text: cells[text+1], named: named{Label: cells[label+1]}})
		}
	case separators[end] != nil:
		for _, part := range separators[end]().Split(body, -1) {
			parts = append(parts, Prompt{text: strings.TrimSpace(part)})
		}
	case end == ".yaml", end == ".yml":
		return []Prompt{{text: javascript.JSON(toValue(parseYAML(body).Root()))}}
	default:
		return []Prompt{{text: body}}
	}
	return slices.DeleteFunc(parts, func(part Prompt) bool { return part.text == "" })
}

// provider is what answers.
type provider struct {
	named
	prompts  any // a list of filters: the only prompts that it is asked
	config   map[string]any
	settings *yaml.Node
}

// Providers returns the list of a configuration's providers, and its entries.
func Providers(root *yaml.Node) (list *yaml.Node, entries []*yaml.Node) {
	if list = root.Get("providers"); list.IsNull() {
		list = root.Get("targets")
	}
	return list, asList(list)
}

func (l *loader) loadProviders(root *yaml.Node) {
	list, entries := Providers(root)
	seen := map[string]bool{}
	for _, item := range entries {
		p := readProvider(item)
		key := javascript.JSON(toValue(item))
		if seen[key] {
			l.lose(providerTwice, item, p.Label)
			continue
		}
		seen[key] = true
		if slices.ContainsFunc(l.providers, func(other provider) bool { return other.Label == p.Label }) {
			l.lose(nameTwice, item, p.Label)
		}
		if !isSelected(p.prompts, l.isPrompt) {
			l.lose(providerIdle, p.settings.Get("prompts"), p.Label)
		}
		unread := slices.DeleteFunc(slices.Sorted(maps.Keys(p.config)), func(key string) bool { return key == "tools" || key == "functions" })
		if len(unread) > 0 {
			l.lose(providerConfig, item, strings.Join(unread, ", "))
		}
		if p.id != "" {
			l.providers = append(l.providers, p)
		}
	}
	if len(l.providers) == 0 {
		l.lose(noProviders, cmp.Or(list, root), "")
	}
}

// ProviderID returns the id of a provider and its node. The node is nil if an id is missing or in another file.
func ProviderID(n *yaml.Node) (id string, at *yaml.Node) {
	if p := readProvider(n); p.id != "" && !isReference(n) {
		return p.id, cmp.Or(n.Get("id"), n)
	}
	return "", nil
}

// readProvider reads an id, a mapping with an `id`, or one with the id as the only key.
func readProvider(n *yaml.Node) provider {
	p := provider{settings: n, named: named{id: n.Text()}}
	if entries := n.Entries(); len(entries) > 0 && n.Get("id") == nil {
		p.id, p.settings = entries[0].Key.Value, entries[0].Value
	}
	p.id = cmp.Or(p.settings.Get("id").Text(), p.id)
	p.Label = cmp.Or(p.settings.Get("label").Text(), p.id)
	p.config, p.prompts = javascript.As[map[string]any](toValue(p.settings.Get("config"))), toValue(p.settings.Get("prompts"))
	return p
}

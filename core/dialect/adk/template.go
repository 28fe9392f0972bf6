package adk

import (
	"fmt"
	"maps"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/pattern"
)

// template is a text in the part of Jinja that instructions for simulated users need: values with
// attributes, `for`, `if`, `else` and comments. Any other tag or filter is an error.
type template struct {
	body []templateNode
	uses map[string]bool // the variables
}

// templateNode is a text, a value, or a block with the condition or the list in path.
type templateNode struct {
	kind       string // text, value, render, for, if or not
	text       string
	path       []string
	variable   string // of a loop
	body, rest []templateNode
}

var (
	templateTag   = pattern.New(`(?s)\{\{-?(.*?)-?\}\}|\{%-?(.*?)-?%\}|\{#.*?#\}`)
	templateValue = pattern.New(`^([A-Za-z_][A-Za-z0-9_.]*)(?:\(\))?(?:\s*\|\s*([a-z_]+))?$`)
	templateBlock = pattern.New(`^(?:for\s+([A-Za-z_]\w*)\s+in\s+|if\s+(not\s+)?)([A-Za-z_][A-Za-z0-9_.]*)$`)
)

func parseTemplate(text string) (t template, err error) {
	t.uses = map[string]bool{}
	text = strings.TrimSuffix(text, "\n") // as Jinja does
	t.body, _, err = t.parse(&text, false)
	return t, err
}

// parse parses the rest of a text, or of a block up to the tag that ends it.
func (t *template) parse(rest *string, inBlock bool) (nodes []templateNode, end string, err error) {
	for {
		at := templateTag().FindStringSubmatchIndex(*rest)
		if at == nil {
			if nodes = append(nodes, templateNode{kind: "text", text: *rest}); inBlock {
				err = fmt.Errorf("a block has no `{%% endfor %%}` or `{%% endif %%}`")
			}
			*rest = ""
			return nodes, "", err
		}
		before, tag, after := (*rest)[:at[0]], (*rest)[at[0]:at[1]], (*rest)[at[1]:]
		if strings.HasPrefix(tag[2:], "-") {
			before = strings.TrimRight(before, " \t\r\n")
		}
		if strings.HasSuffix(tag[:len(tag)-2], "-") {
			after = strings.TrimLeft(after, " \t\r\n")
		}
		nodes, *rest = append(nodes, templateNode{kind: "text", text: before}), after
		switch {
		case at[2] >= 0:
			n, err := t.parseValue(tag)
			if err != nil {
				return nil, "", err
			}
			nodes = append(nodes, n)
		case at[4] >= 0:
			name := strings.TrimSpace(strings.Trim(tag, "{}%-"))
			if name == "endfor" || name == "endif" || name == "else" {
				if !inBlock {
					err = fmt.Errorf("`%s` ends no block", tag)
				}
				return nodes, name, err
			}
			n, err := t.parseBlock(tag, name, rest)
			if err != nil {
				return nil, "", err
			}
			nodes = append(nodes, n)
		}
	}
}

func (t *template) parseValue(tag string) (n templateNode, err error) {
	m := templateValue().FindStringSubmatch(strings.TrimSpace(strings.Trim(tag, "{}-")))
	if m == nil || m[2] != "" && m[2] != "render_string_filter" {
		return n, fmt.Errorf("`%s` is not supported here", tag)
	}
	if n = (templateNode{kind: "value", path: t.use(m[1])}); m[2] != "" {
		n.kind = "render"
	}
	return n, nil
}

func (t *template) parseBlock(tag, text string, rest *string) (n templateNode, err error) {
	m := templateBlock().FindStringSubmatch(text)
	if m == nil {
		return n, fmt.Errorf("`%s` is not supported here", tag)
	}
	switch n.path = t.use(m[3]); {
	case m[1] != "":
		n.kind, n.variable = "for", m[1]
	case m[2] != "":
		n.kind = "not"
	default:
		n.kind = "if"
	}
	end := ""
	if n.body, end, err = t.parse(rest, true); end == "else" && err == nil {
		n.rest, _, err = t.parse(rest, true)
	}
	return n, err
}

func (t *template) use(path string) []string {
	names := strings.Split(path, ".")
	t.uses[names[0]] = true
	return names
}

func (t template) render(values map[string]any) string {
	var out strings.Builder
	renderNodes(&out, t.body, values)
	return out.String()
}

func renderNodes(out *strings.Builder, nodes []templateNode, values map[string]any) {
	for _, n := range nodes {
		value := lookupPath(n.path, values)
		switch n.kind {
		case "text":
			out.WriteString(n.text)
		case "value":
			out.WriteString(templateText(value))
		case "render":
			out.WriteString(fillIn(templateText(value), values))
		case "for":
			items := templateItems(value)
			for _, item := range items {
				inner := maps.Clone(values)
				inner[n.variable] = item
				renderNodes(out, n.body, inner)
			}
			if len(items) == 0 {
				renderNodes(out, n.rest, values)
			}
		default:
			if isTrue := templateText(value) != "" || len(templateItems(value)) > 0; isTrue == (n.kind == "if") {
				renderNodes(out, n.body, values)
			} else {
				renderNodes(out, n.rest, values)
			}
		}
	}
}

// fillIn fills in a text that may not be a template.
func fillIn(text string, values map[string]any) string {
	t, err := parseTemplate(text)
	if err != nil {
		return text
	}
	return t.render(values)
}

// lookupPath returns a variable or an attribute, or nil, which Jinja shows as nothing.
func lookupPath(path []string, values map[string]any) any {
	if len(path) == 0 {
		return nil
	}
	value := values[path[0]]
	for _, name := range path[1:] {
		switch v := value.(type) {
		case *metric.Persona:
			value = map[string]any{"id": v.ID, "description": v.Description, "behaviors": v.Behaviors}[name]
		case metric.Behavior:
			value = map[string]any{
				"name": v.Name, "description": v.Description, "behavior_instructions": v.Instructions, "violation_rubrics": v.Violations,
				"get_behavior_instructions_str": metric.Bullets(v.Instructions), "get_violation_rubrics_str": metric.Bullets(v.Violations),
			}[name]
		default:
			return nil
		}
	}
	return value
}

func templateText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []string:
		return strings.Join(v, "\n")
	case *metric.Persona:
		return v.Describe(false)
	}
	return ""
}

func templateItems(value any) (items []any) {
	switch v := value.(type) {
	case []metric.Behavior:
		for _, b := range v {
			items = append(items, b)
		}
	case []string:
		for _, s := range v {
			items = append(items, s)
		}
	}
	return items
}

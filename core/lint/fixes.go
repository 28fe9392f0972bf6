package lint

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// replaceFix is the safe fix that replaces the text of a node.
func replaceFix(n *yaml.Node, with, title string) []diag.Fix {
	return []diag.Fix{{Title: title, Safe: true, Edits: []text.Edit{{Span: n.Span, New: with}}}}
}

// quoteFix is the safe fix that quotes a span.
func quoteFix(src *text.Source, span text.Span) []diag.Fix {
	return []diag.Fix{{Title: "quote it", Safe: true, Edits: []text.Edit{{Span: span, New: strconv.Quote(src.Slice(span))}}}}
}

// retypeFix is the fix that gives a scalar the expected type, if its meaning is clear.
func retypeFix(m conform.Mismatch) []diag.Fix {
	n := m.Node
	if n.Kind != yaml.Scalar || n.Tagged {
		return nil
	}
	value, isText := n.Str()
	switch {
	case m.Type.Kind == schema.Text && !isText && n.Style == yaml.Plain:
		return replaceFix(n, strconv.Quote(n.Value), "quote it, so that it is a text")
	case m.Type.Kind == schema.Bool && isText:
		switch strings.ToLower(value) {
		case "yes", "on", "true":
			return replaceFix(n, "true", "change to `true`")
		case "no", "off", "false":
			return replaceFix(n, "false", "change to `false`")
		}
	case m.Type.Kind == schema.Number && isText && n.Style != yaml.Plain:
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			return replaceFix(n, value, "remove the quotes, so that it is a number")
		}
	}
	return nil
}

// wrapFix is the fix that turns a text into the expected mapping, if that has one text field.
func wrapFix(m conform.Mismatch) []diag.Fix {
	value, isText := m.Node.Str()
	if !isText || m.Type.Kind != schema.Map || len(m.Type.Fields) != 1 || m.Type.Fields[0].Type.Kind != schema.Text {
		return nil
	}
	key := m.Type.Fields[0].Key
	return replaceFix(m.Node, `{ "`+key+`": `+scalar.Quote(value)+" }", "put it under `"+key+"`")
}

// mappingEntries index the entries of a mapping.
type mappingEntries struct {
	mapping *yaml.Node
	names   map[string]bool
	keys    map[text.Span]*yaml.Node
}

// renameKeyFix is the fix that changes a key of mapping n. There is none if the mapping
// already has the new key.
func (p *Pass) renameKeyFix(n *yaml.Node, span text.Span, name string, safe bool) []diag.Fix {
	if name == "" {
		return nil
	}
	if p.entries.mapping != n {
		p.entries = mappingEntries{mapping: n, names: map[string]bool{}, keys: map[text.Span]*yaml.Node{}}
		for _, pair := range n.Entries() {
			p.entries.keys[pair.Key.Span] = pair.Key
			if key := pair.Key.Follow(); key != nil && key.Kind == yaml.Scalar {
				p.entries.names[key.Value] = true
			}
		}
	}
	if p.entries.names[name] {
		return nil
	}
	written := name
	if key := p.entries.keys[span]; key != nil {
		written = scalar.FormatLike(key, name)
	}
	return []diag.Fix{{Title: "change to `" + name + "`", Safe: safe, Edits: []text.Edit{{Span: span, New: written}}}}
}

// addEntryFix is the fix that adds an entry to a mapping, on its own line if the last entry
// has one. There is none for an empty mapping.
func (p *Pass) addEntryFix(title string, n *yaml.Node, key, value string) []diag.Fix {
	pairs := n.Entries()
	if len(pairs) == 0 {
		return nil
	}
	last := pairs[len(pairs)-1]
	start := p.Source.LineSpan(p.Source.OffsetLine(last.Key.Span.Start)).Start
	indent, entry := p.Source.Body[start:last.Key.Span.Start], key+": "+value
	switch {
	case n.Style != yaml.Flow:
		entry = "\n" + strings.Repeat(" ", len(indent)) + entry
	case strings.TrimSpace(indent) == "":
		entry = ",\n" + indent + `"` + key + `": ` + value
	default:
		entry = `, "` + key + `": ` + value
	}
	end := last.Value.Span.End
	return []diag.Fix{{Title: title, Edits: []text.Edit{{Span: text.Span{Start: end, End: end}, New: entry}}}}
}

// removeItemFix is the unsafe fix that removes an item from its flow list.
func removeItemFix(item *yaml.Node, title string) []diag.Fix {
	if item.Parent == nil {
		return nil
	}
	var spans []text.Span
	for _, n := range item.Parent.Items {
		spans = append(spans, n.Span)
	}
	return removeFix(item.Parent, spans, item.Index, title)
}

// removeEntryFix is the unsafe fix that removes an entry from a flow mapping.
func removeEntryFix(n *yaml.Node, entry *yaml.Pair, title string) []diag.Fix {
	var spans []text.Span
	index := len(n.Pairs)
	for i, p := range n.Pairs {
		if spans = append(spans, p.Span()); p == entry {
			index = i
		}
	}
	return removeFix(n, spans, index, title)
}

// removeFix removes spans[i] and the comma next to it from a flow collection with at least
// two members.
func removeFix(n *yaml.Node, spans []text.Span, i int, title string) []diag.Fix {
	if n.Style != yaml.Flow || len(spans) < 2 || i >= len(spans) {
		return nil
	}
	removed := text.Span{Start: spans[i].Start}
	if i > 0 {
		removed = text.Span{Start: spans[i-1].End, End: spans[i].End}
	} else {
		removed.End = spans[1].Start
	}
	return []diag.Fix{{Title: title, Edits: []text.Edit{{Span: removed}}}}
}

// lineValue matches a line and captures the part before the value and the value, without a
// comment after it.
var lineValue = pattern.New(`^([ \t]*(?:- +)*(?:[A-Za-z_][\w-]*: +)?)(.*?)[ \t]*(?:[ \t]#.*)?$`)

// unquotedStarts match texts that YAML misreads because of their first characters.
var unquotedStarts = []struct {
	text    pattern.Lazy
	misread string // a message with backticks; "" to use the parser's message
}{
	{pattern.New(`^\*\S*(?:\*| .)`), "a text that starts with `*` is taken for an alias"},
	{pattern.New(`^\{\{`), "a template's braces are brackets to YAML"},
	{pattern.New(`^\[[^\[\]]*\][^ ,]`), "a text that starts with `[` is taken for a list"},
	{pattern.New("^[`@%]|^& |^[|>] *[^ \t+0-9#-]"), ""},
	{pattern.New(`^"[^"\\]*".`), "a text that starts with a quote ends at the next one"},
	{pattern.New(`^'[^']*'[^']`), "a text that starts with a quote ends at the next one"},
}

// findUnquoted returns the value on the line of span if it is a text that only lacks
// quotes, and how YAML misreads it.
func findUnquoted(src *text.Source, span text.Span) (value text.Span, misread string, ok bool) {
	line := src.LineSpan(src.OffsetLine(span.Start))
	if span.End > line.End {
		return value, "", false
	}
	m := lineValue().FindStringSubmatchIndex(src.Slice(line))
	if m == nil {
		return value, "", false
	}
	value = text.Span{Start: line.Start + m[4], End: line.Start + m[5]}
	for _, start := range unquotedStarts {
		if start.text().MatchString(src.Slice(value)) {
			return value, start.misread, true
		}
	}
	return value, "", false
}

// isUnquotedPart reports whether a node is the start of a text that lacks quotes. Quoting
// the text, as yaml-syntax offers, fixes the node too.
func (p *Pass) isUnquotedPart(n *yaml.Node) bool {
	if len(p.Tree.Problems) == 0 {
		return false
	}
	if p.unquotedValues == nil {
		p.unquotedValues = map[int]text.Span{}
		for _, problem := range p.Tree.Problems {
			if problem.Kind != yaml.SyntaxProblem {
				continue
			}
			if value, _, ok := findUnquoted(p.Source, problem.Span); ok {
				p.unquotedValues[p.Source.OffsetLine(value.Start)] = value
			}
		}
	}
	value, ok := p.unquotedValues[p.Source.OffsetLine(n.Span.Start)]
	return ok && value.Contains(n.Span)
}

// reportTemplate reports a mapping that was meant as a template, such as
// `input: {{ question }}`, and whether n is one.
func (p *Pass) reportTemplate(n *yaml.Node, loss string) bool {
	written := p.Source.Slice(n.Span)
	if !n.IsMap() || !strings.HasPrefix(written, "{{") || !strings.HasSuffix(written, "}}") || strings.Contains(written, "\n") {
		return false
	}
	p.Report(n.Span, "the braces make this template a mapping%s; quote it", loss).Fixes = quoteFix(p.Source, n.Span)
	return true
}

package lint

import (
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// mismatches visits what does not fit the field table in one way. What the runner
// refuses is an error, whichever rule reports it.
func (p *Pass) mismatches(kind conform.Kind, visit func(conform.Mismatch)) {
	for _, m := range p.Shape {
		if m.Kind != kind {
			continue
		}
		before := len(p.found)
		visit(m)
		for i := before; m.Refused && i < len(p.found); i++ {
			p.found[i].Severity = diag.Error
		}
	}
}

// lost is what becomes of a file that is left so: "; the runner skips the case".
func lost(what string) string {
	if what == "" {
		return ""
	}
	return "; the runner " + what
}

// cost is what becomes of a file whose value is left so.
func cost(m conform.Mismatch) string {
	if m.Field == nil && m.Refused {
		return lost("refuses the file")
	}
	return lostField(m.Field)
}

func lostField(f *schema.Field) string {
	if f == nil {
		return ""
	}
	return lost(f.Lost)
}

// noun is what a mapping of a type is called.
func noun(t *schema.Type) string {
	if t == nil || t.Name == "" {
		return "mapping"
	}
	return t.Title()
}

// subject names the value that a mismatch is about.
func subject(m conform.Mismatch) string {
	switch {
	case m.Key != "":
		return "`" + m.Key + "`"
	case m.Field != nil:
		return "an item of `" + m.Field.Key + "`"
	}
	return "the " + noun(m.Type)
}

// wanted words a type: "a whole number from 0 to 10", "a text or a list".
func wanted(t *schema.Type) string {
	switch t.Kind {
	case schema.Text:
		if len(t.Values) == 1 {
			return "`" + t.Values[0].Text + "`"
		}
		return "a text"
	case schema.Number:
		return "a " + t.Bounds()
	case schema.Bool:
		return "`true` or `false`"
	case schema.List:
		return "a list"
	case schema.Map:
		return "a mapping"
	case schema.Union:
		var all []string
		for _, c := range t.Choices {
			all = append(all, wanted(c))
		}
		return diag.Listed(all, "or")
	}
	return "a value"
}

// found words a value that is not what is wanted.
func found(n *yaml.Node) string {
	target := n.Follow()
	switch {
	case n.IsSeq():
		return "a list"
	case n.IsMap():
		return "a mapping"
	case target == nil || target.IsNull():
		return "nothing"
	}
	if _, ok := target.Str(); ok {
		return "the text `" + shortened(target.Value) + "`"
	}
	return "`" + shortened(target.Value) + "`"
}

// shortened keeps a message to one short line.
func shortened(value string) string { return excerpt.Shorten(value, 40) }

// rename is the fix that writes another key. It is left out where the mapping
// has that key already.
func (p *Pass) rename(n *yaml.Node, at text.Span, to string, safe bool) []diag.Fix {
	if to == "" {
		return nil
	}
	if p.entries.of != n {
		p.entries = entriesOf(n)
	}
	if p.entries.named[to] {
		return nil
	}
	written := to
	if key := p.entries.keys[at]; key != nil {
		written = scalar.Like(key, to)
	}
	return []diag.Fix{{
		Title: "change to `" + to + "`", Safe: safe, Edits: []text.Edit{{Span: at, New: written}},
	}}
}

// entries are a mapping's entries by name and by place.
type entries struct {
	of    *yaml.Node
	named map[string]bool
	keys  map[text.Span]*yaml.Node
}

func entriesOf(n *yaml.Node) entries {
	e := entries{of: n, named: map[string]bool{}, keys: map[text.Span]*yaml.Node{}}
	for _, p := range n.Entries() {
		e.keys[p.Key.Span] = p.Key
		if key := p.Key.Follow(); key != nil && key.Kind == yaml.Scalar {
			e.named[key.Value] = true
		}
	}
	return e
}

// addition is the fix that adds an entry to a mapping, on a line of its own if its
// last one has that; none where there is no entry to add it to.
func (p *Pass) addition(title string, n *yaml.Node, key, value string) []diag.Fix {
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

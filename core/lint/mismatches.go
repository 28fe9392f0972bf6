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

// eachMismatch visits what does not fit the field table in one way. What the runner
// refuses is an error, whichever rule reports it.
func (p *Pass) eachMismatch(kind conform.Kind, visit func(conform.Mismatch)) {
	for _, m := range p.Mismatches {
		if m.Kind != kind {
			continue
		}
		before := len(p.diagnostics)
		visit(m)
		for i := before; m.IsRefused && i < len(p.diagnostics); i++ {
			p.diagnostics[i].Severity = diag.Error
		}
	}
}

// runnerLoss is what becomes of a file that is left so: "; the runner skips the case".
func runnerLoss(what string) string {
	if what == "" {
		return ""
	}
	return "; the runner " + what
}

// mismatchLoss is what becomes of a file whose value is left so.
func mismatchLoss(m conform.Mismatch) string {
	if m.Field == nil && m.IsRefused {
		return runnerLoss("refuses the file")
	}
	return fieldLoss(m.Field)
}

func fieldLoss(f *schema.Field) string {
	if f == nil {
		return ""
	}
	return runnerLoss(f.OnInvalid)
}

// typeNoun is what a mapping of a type is called.
func typeNoun(t *schema.Type) string {
	if t == nil || t.Name == "" {
		return "mapping"
	}
	return t.Title()
}

// mismatchSubject names the value that a mismatch is about.
func mismatchSubject(m conform.Mismatch) string {
	switch {
	case m.Key != "":
		return "`" + m.Key + "`"
	case m.Field != nil:
		return "an item of `" + m.Field.Key + "`"
	}
	return "the " + typeNoun(m.Type)
}

// describeType words a type: "a whole number from 0 to 10", "a text or a list".
func describeType(t *schema.Type) string {
	switch t.Kind {
	case schema.Text:
		if len(t.Values) == 1 {
			return "`" + t.Values[0].Text + "`"
		}
		return "a text"
	case schema.Number:
		return "a " + t.DescribeNumber()
	case schema.Bool:
		return "`true` or `false`"
	case schema.List:
		return "a list"
	case schema.Map:
		return "a mapping"
	case schema.Union:
		var all []string
		for _, c := range t.Choices {
			all = append(all, describeType(c))
		}
		return diag.JoinList(all, "or")
	}
	return "a value"
}

// describeValue words a value that is not what is wanted.
func describeValue(n *yaml.Node) string {
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
		return "the text `" + abbreviate(target.Value) + "`"
	}
	return "`" + abbreviate(target.Value) + "`"
}

// abbreviate keeps a message to one short line.
func abbreviate(value string) string { return excerpt.Shorten(value, 40) }

// renameKeyFix is the fix that writes another key. It is left out where the mapping
// has that key already.
func (p *Pass) renameKeyFix(n *yaml.Node, at text.Span, to string, safe bool) []diag.Fix {
	if to == "" {
		return nil
	}
	if p.entries.mapping != n {
		p.entries = indexEntries(n)
	}
	if p.entries.names[to] {
		return nil
	}
	written := to
	if key := p.entries.keys[at]; key != nil {
		written = scalar.FormatLike(key, to)
	}
	return []diag.Fix{{
		Title: "change to `" + to + "`", Safe: safe, Edits: []text.Edit{{Span: at, New: written}},
	}}
}

// mappingEntries are a mapping's entries by name and by place.
type mappingEntries struct {
	mapping *yaml.Node
	names   map[string]bool
	keys    map[text.Span]*yaml.Node
}

func indexEntries(n *yaml.Node) mappingEntries {
	e := mappingEntries{mapping: n, names: map[string]bool{}, keys: map[text.Span]*yaml.Node{}}
	for _, p := range n.Entries() {
		e.keys[p.Key.Span] = p.Key
		if key := p.Key.Follow(); key != nil && key.Kind == yaml.Scalar {
			e.names[key.Value] = true
		}
	}
	return e
}

// addEntryFix is the fix that adds an entry to a mapping, on a line of its own if its
// last one has that; none where there is no entry to add it to.
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

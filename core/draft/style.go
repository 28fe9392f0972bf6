package draft

import (
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entry is a key and what is written under it: a name, a text in words, a number
// or a truth value, or a list of mappings.
type entry struct {
	key   string
	name  string
	text  string
	value any
	list  [][]entry
}

// style is how a file writes what is to be inserted.
type style struct {
	listIndent
	newline   string     // the file's own line break
	json      bool       // keys and texts in double quotes
	idStyle   yaml.Style // how an id is quoted where it need not be; Plain if it is not
	textStyle yaml.Style // and a text
}

// styleFor looks at the case first and at the rest of the file next.
func styleFor(a *analysis.Analysis, ip insertionPoint) style {
	s := style{listIndent: listIndent{dash: 2, step: 2}, newline: "\n", json: ip.caseNode.Pairs[0].Key.Style == yaml.DoubleQuoted}
	if strings.Contains(ip.part.Source.Body, "\r\n") {
		s.newline = "\r\n"
	}
	s.idStyle, s.textStyle = quoteStyle(ip.caseNode.Get("id")), yaml.Plain
	for _, key := range []string{"expected_outcome", "outcome", "criteria", "description"} {
		if goal := ip.caseNode.Get(key); goal != nil {
			s.textStyle = quoteStyle(goal)
			break
		}
	}
	if own := measureListIndent(ip.part.Source, ip.caseNode); own.found {
		s.listIndent = own
		return s
	}
	for _, other := range listIndentCache.Each(a) {
		if other.found {
			s.listIndent = other
			return s
		}
	}
	if list := ip.part.Tree.Root(); ip.part.Header != nil && list.Kind == yaml.Sequence && list.Style == yaml.Block {
		s.dash = min(ip.columnOf(list), 4) // as the case itself stands in its file
	}
	return s
}

// quoteStyle is the quotes of a text that needs none.
func quoteStyle(n *yaml.Node) yaml.Style {
	if n == nil || n.Kind != yaml.Scalar || n.Style != yaml.SingleQuoted && n.Style != yaml.DoubleQuoted || !scalar.CanBePlain(n.Value, scalar.ContextOf(n)) {
		return yaml.Plain
	}
	return n.Style
}

// listIndent is how lists are indented.
type listIndent struct {
	dash  int // columns from a key to the dashes of its list
	step  int // columns from a dash to what follows
	found bool
}

// listIndentCache are a part's, measured once.
var listIndentCache = analysis.NewChunkCache(func(p *analysis.Chunk) (l listIndent) {
	for _, doc := range p.Tree.Docs {
		if l = measureListIndent(p.Source, doc.Root); l.found {
			break
		}
	}
	return l
})

// measureListIndent measures the first block list that is a block mapping's value.
func measureListIndent(src *text.Source, root *yaml.Node) (l listIndent) {
	column := func(n *yaml.Node) int { return src.OffsetPosition(n.Span.Start, text.UTF8).Character }
	yaml.Walk(root, func(n *yaml.Node) bool {
		for _, p := range n.Pairs {
			v := p.Value
			if l.found || v.Kind != yaml.Sequence || v.Style != yaml.Block || len(v.Items) == 0 || n.Style != yaml.Block {
				continue
			}
			l.dash, l.step = column(v)-column(p.Key), column(v.Items[0])-column(v)
			l.found = l.dash >= 0 && l.step > 0 && v.Items[0].Props.Empty() && v.Items[0].Kind != yaml.Alias
		}
		return !l.found
	})
	return l
}

// blockLines is an entry on lines of its own, from a column on.
func (s style) blockLines(e entry, column int) []string {
	margin := strings.Repeat(" ", column)
	if e.list == nil {
		return []string{margin + s.keyText(e) + ": " + s.scalarText(e, scalar.Value)}
	}
	lines := []string{margin + s.keyText(e) + ":"}
	for _, item := range e.list {
		lines = append(lines, s.itemLines(item, column+s.dash)...)
	}
	return lines
}

// itemLines is an item of a block list whose dashes are in a column.
func (s style) itemLines(entries []entry, column int) (lines []string) {
	for _, e := range entries {
		lines = append(lines, s.blockLines(e, column+s.step)...)
	}
	dash := strings.Repeat(" ", column) + "-" + strings.Repeat(" ", s.step-1)
	lines[0] = dash + lines[0][column+s.step:]
	return lines
}

// margin is where a bracket's entries stand that have lines of their own: what the line
// begins with, and how much more what is inside of one. Without a break all is one line.
type margin struct{ line, unit, newline string }

func (m margin) nested() margin { return margin{m.line + m.unit, m.unit, m.newline} }

// separator is what stands between two entries.
func (m margin) separator() string {
	if m.newline == "" {
		return " "
	}
	return m.newline + m.line
}

// flowEntry is an entry between brackets.
func (s style) flowEntry(e entry, m margin) string {
	if e.list == nil {
		return s.keyText(e) + ": " + s.scalarText(e, scalar.FlowValue)
	}
	items := make([]string, len(e.list))
	for i, item := range e.list {
		items[i] = s.flowMapping(item, m.nested())
	}
	first, last := "", ""
	if m.newline != "" {
		first, last = m.nested().separator(), m.separator()
	}
	return s.keyText(e) + ": [" + first + strings.Join(items, ","+m.nested().separator()) + last + "]"
}

func (s style) flowMapping(entries []entry, m margin) string {
	parts := make([]string, len(entries))
	for i, e := range entries {
		parts[i] = s.flowEntry(e, m)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (s style) keyText(e entry) string {
	if s.json {
		return `"` + e.key + `"`
	}
	return e.key
}

// scalarText is an entry's value: plain where YAML reads the same from that and the
// file does not quote such texts, else in quotes.
func (s style) scalarText(e entry, place scalar.Context) string {
	quoting, text := s.idStyle, e.name
	switch {
	case e.value != nil:
		text, _ := json.Marshal(e.value) // a number or a truth value
		return string(text)
	case e.text != "":
		quoting, text = s.textStyle, e.text
	}
	switch {
	case s.json || quoting == yaml.DoubleQuoted:
		return scalar.Quote(text)
	case quoting == yaml.SingleQuoted:
		return scalar.FormatLike(&yaml.Node{Kind: yaml.Scalar, Style: quoting}, text)
	}
	return scalar.Format(text, place)
}

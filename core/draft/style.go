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
	words string
	value any
	list  [][]entry
}

// style is how a file writes what is to be inserted.
type style struct {
	lists
	newline string     // the file's own line break
	json    bool       // keys and texts in double quotes
	names   yaml.Style // how an id is quoted where it need not be; Plain if it is not
	words   yaml.Style // and a text
}

// styleIn looks at the case first and at the rest of the file next.
func styleIn(a *analysis.Analysis, s spot) style {
	st := style{lists: lists{dash: 2, step: 2}, newline: "\n", json: s.node.Pairs[0].Key.Style == yaml.DoubleQuoted}
	if strings.Contains(s.part.Source.Body, "\r\n") {
		st.newline = "\r\n"
	}
	st.names, st.words = taste(s.node.Get("id")), yaml.Plain
	for _, key := range []string{"expected_outcome", "outcome", "criteria", "description"} {
		if goal := s.node.Get(key); goal != nil {
			st.words = taste(goal)
			break
		}
	}
	if own := listsIn(s.part.Source, s.node); own.found {
		st.lists = own
		return st
	}
	for _, other := range listsOf.Each(a) {
		if other.found {
			st.lists = other
			return st
		}
	}
	if list := s.part.Tree.Root(); s.part.Frame != nil && list.Kind == yaml.Sequence && list.Style == yaml.Block {
		st.dash = min(s.column(list), 4) // as the case itself stands in its file
	}
	return st
}

// taste is the quotes of a text that needs none.
func taste(n *yaml.Node) yaml.Style {
	if n == nil || n.Kind != yaml.Scalar || n.Style != yaml.SingleQuoted && n.Style != yaml.DoubleQuoted || !scalar.Plain(n.Value, scalar.PlaceOf(n)) {
		return yaml.Plain
	}
	return n.Style
}

// lists is how lists are indented.
type lists struct {
	dash  int // columns from a key to the dashes of its list
	step  int // columns from a dash to what follows
	found bool
}

// listsOf are a part's, measured once.
var listsOf = analysis.NewMemo(func(p *analysis.Part) (l lists) {
	for _, doc := range p.Tree.Docs {
		if l = listsIn(p.Source, doc.Root); l.found {
			break
		}
	}
	return l
})

// listsIn measures the first block list that is a block mapping's value.
func listsIn(src *text.Source, root *yaml.Node) (l lists) {
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

// block is an entry on lines of its own, from a column on.
func (st style) block(e entry, column int) []string {
	margin := strings.Repeat(" ", column)
	if e.list == nil {
		return []string{margin + st.key(e) + ": " + st.scalar(e, scalar.Value)}
	}
	lines := []string{margin + st.key(e) + ":"}
	for _, item := range e.list {
		lines = append(lines, st.item(item, column+st.dash)...)
	}
	return lines
}

// item is an item of a block list whose dashes are in a column.
func (st style) item(entries []entry, column int) (lines []string) {
	for _, e := range entries {
		lines = append(lines, st.block(e, column+st.step)...)
	}
	dash := strings.Repeat(" ", column) + "-" + strings.Repeat(" ", st.step-1)
	lines[0] = dash + lines[0][column+st.step:]
	return lines
}

// margin is where a bracket's entries stand that have lines of their own: what the line
// begins with, and how much more what is inside of one. Without a break all is one line.
type margin struct{ line, unit, newline string }

func (m margin) inside() margin { return margin{m.line + m.unit, m.unit, m.newline} }

// apart is what stands between two entries.
func (m margin) apart() string {
	if m.newline == "" {
		return " "
	}
	return m.newline + m.line
}

// flow is an entry between brackets.
func (st style) flow(e entry, m margin) string {
	if e.list == nil {
		return st.key(e) + ": " + st.scalar(e, scalar.FlowValue)
	}
	items := make([]string, len(e.list))
	for i, item := range e.list {
		items[i] = st.braced(item, m.inside())
	}
	first, last := "", ""
	if m.newline != "" {
		first, last = m.inside().apart(), m.apart()
	}
	return st.key(e) + ": [" + first + strings.Join(items, ","+m.inside().apart()) + last + "]"
}

func (st style) braced(entries []entry, m margin) string {
	parts := make([]string, len(entries))
	for i, e := range entries {
		parts[i] = st.flow(e, m)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (st style) key(e entry) string {
	if st.json {
		return `"` + e.key + `"`
	}
	return e.key
}

// scalar is an entry's value: plain where YAML reads the same from that and the
// file does not quote such texts, else in quotes.
func (st style) scalar(e entry, place scalar.Place) string {
	like, said := st.names, e.name
	switch {
	case e.value != nil:
		said, _ := json.Marshal(e.value) // a number or a truth value
		return string(said)
	case e.words != "":
		like, said = st.words, e.words
	}
	switch {
	case st.json || like == yaml.DoubleQuoted:
		return scalar.Quoted(said)
	case like == yaml.SingleQuoted:
		return scalar.Like(&yaml.Node{Kind: yaml.Scalar, Style: like}, said)
	}
	return scalar.Word(said, place)
}

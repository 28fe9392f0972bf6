package draft

import (
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/yaml"
)

// entry is a key with its value. Exactly one of the other fields is set.
type entry struct {
	key    string
	name   string    // an identifier
	text   string    // free text
	value  any       // a number or boolean
	list   [][]entry // a list of mappings
	fields []entry   // a mapping
}

type style struct {
	yaml.ListIndent
	newline   string     // line break of the file
	json      bool       // keys and texts are in double quotes
	idStyle   yaml.Style // quotes of ids that need none
	textStyle yaml.Style // quotes of texts that need none
}

// styleFor derives the style from the case first, then from the rest of the file.
func styleFor(a *analysis.Analysis, ip insertionPoint) style {
	s := style{ListIndent: yaml.ListIndent{Dash: 2, Step: 2}, newline: ip.chunk.Source.Newline(), json: ip.caseNode.Pairs[0].Key.Style == yaml.DoubleQuoted}
	s.idStyle, s.textStyle = quoteStyle(ip.caseNode.Get("id")), yaml.Plain
	for _, key := range []string{"expected_outcome", "outcome", "criteria", "description"} {
		if goal := ip.caseNode.Get(key); goal != nil {
			s.textStyle = quoteStyle(goal)
			break
		}
	}
	if own := yaml.MeasureListIndent(ip.chunk.Source, ip.caseNode); own.Step > 0 {
		s.ListIndent = own
		return s
	}
	for _, other := range listIndentCache.Each(a) {
		if other.Step > 0 {
			s.ListIndent = other
			return s
		}
	}
	if list := ip.chunk.Tree.Root(); ip.chunk.Header != nil && list.Kind == yaml.Sequence && list.Style == yaml.Block {
		s.Dash = min(yaml.ColumnOf(ip.chunk.Source, list), 4) // as the file indents the case itself
	}
	return s
}

// quoteStyle returns the quotes of a text that needs none.
func quoteStyle(n *yaml.Node) yaml.Style {
	if n == nil || n.Kind != yaml.Scalar || n.Style != yaml.SingleQuoted && n.Style != yaml.DoubleQuoted || !scalar.CanBePlain(n.Value, scalar.ContextOf(n)) {
		return yaml.Plain
	}
	return n.Style
}

// listIndentCache measures each chunk once.
var listIndentCache = analysis.NewChunkCache(func(p *analysis.Chunk) (l yaml.ListIndent) {
	for _, doc := range p.Tree.Docs {
		if l = yaml.MeasureListIndent(p.Source, doc.Root); l.Step > 0 {
			break
		}
	}
	return l
})

// blockLines returns an entry as lines, starting at a column.
func (s style) blockLines(e entry, column int) []string {
	key := strings.Repeat(" ", column) + s.keyText(e) + ":"
	if e.fields == nil && e.list == nil {
		return []string{key + " " + s.scalarText(e, scalar.Value)}
	}
	lines := []string{key}
	for _, f := range e.fields {
		lines = append(lines, s.blockLines(f, column+s.Step)...)
	}
	for _, item := range e.list {
		lines = append(lines, s.itemLines(item, column+s.Dash)...)
	}
	return lines
}

// itemLines returns an item of a block list whose dashes are at a column.
func (s style) itemLines(entries []entry, column int) (lines []string) {
	for _, e := range entries {
		lines = append(lines, s.blockLines(e, column+s.Step)...)
	}
	dash := strings.Repeat(" ", column) + "-" + strings.Repeat(" ", s.Step-1)
	lines[0] = dash + lines[0][column+s.Step:]
	return lines
}

// margin is the indentation of bracket entries that have their own lines: the line's indentation and
// one more level. An empty newline means that everything is on one line.
type margin struct{ line, unit, newline string }

func (m margin) nested() margin { return margin{m.line + m.unit, m.unit, m.newline} }

// separator returns the white space between two entries.
func (m margin) separator() string {
	if m.newline == "" {
		return " "
	}
	return m.newline + m.line
}

func (s style) flowEntry(e entry, m margin) string {
	if e.fields != nil {
		return s.keyText(e) + ": " + s.flowMapping(e.fields, m)
	}
	if e.list == nil {
		return s.keyText(e) + ": " + s.scalarText(e, scalar.FlowValue)
	}
	items := generic.Map(e.list, func(item []entry) string { return s.flowMapping(item, m.nested()) })
	first, last := "", ""
	if m.newline != "" {
		first, last = m.nested().separator(), m.separator()
	}
	return s.keyText(e) + ": [" + first + strings.Join(items, ","+m.nested().separator()) + last + "]"
}

func (s style) flowMapping(entries []entry, m margin) string {
	parts := generic.Map(entries, func(e entry) string { return s.flowEntry(e, m) })
	return "{" + strings.Join(parts, ", ") + "}"
}

func (s style) keyText(e entry) string {
	if s.json {
		return `"` + e.key + `"`
	}
	return e.key
}

// scalarText returns an entry's value. It is plain where YAML reads that back unchanged and the file
// does not quote such values; otherwise quoted.
func (s style) scalarText(e entry, context scalar.Context) string {
	quoting, text := s.idStyle, e.name
	switch {
	case e.value != nil:
		text, _ := json.Marshal(e.value) // a number or boolean
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
	return scalar.Format(text, context)
}

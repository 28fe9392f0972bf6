package draft

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// style is how a file writes what is to be inserted.
type style struct {
	newline string // the file's own line break
	dash    int    // columns from a key to the dashes of its list
	step    int    // columns from a dash to what follows
	json    bool   // keys and texts in double quotes
}

// styleOf looks at the case first and at the rest of the file next.
func styleOf(tree *yaml.Tree, entry *yaml.Node) style {
	s := style{newline: "\n", dash: 2, step: 2}
	if strings.Contains(tree.Source.Body, "\r\n") {
		s.newline = "\r\n"
	}
	if len(entry.Pairs) > 0 {
		s.json = entry.Pairs[0].Key.Style == yaml.DoubleQuoted
	}
	for _, root := range []*yaml.Node{entry, documentOf(entry)} {
		if dash, step, ok := listStyle(tree.Source, root); ok {
			s.dash, s.step = dash, step
			break
		}
	}
	return s
}

func documentOf(n *yaml.Node) *yaml.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// listStyle measures the first block list that is a block mapping's value.
func listStyle(src *text.Source, root *yaml.Node) (dash, step int, found bool) {
	yaml.Walk(root, func(n *yaml.Node) bool {
		for _, p := range n.Pairs {
			v := p.Value
			if found || v.Kind != yaml.Sequence || v.Style != yaml.Block || len(v.Items) == 0 || n.Style != yaml.Block {
				continue
			}
			dash = column(src, v.Span.Start) - column(src, p.Key.Span.Start)
			step = column(src, v.Items[0].Span.Start) - column(src, v.Span.Start)
			found = dash >= 0 && step > 0 && v.Items[0].Props.Empty() && v.Items[0].Kind != yaml.Alias
		}
		return !found
	})
	return dash, step, found
}

func column(src *text.Source, offset int) int {
	return src.OffsetPosition(offset, text.UTF8).Character
}

// word writes a text as a scalar: plain where YAML reads the same text back,
// else in double quotes.
func (s style) word(value string, flow bool) string {
	switch {
	case s.json:
		return scalar.Quoted(value)
	case flow:
		return scalar.Word(value, scalar.FlowValue)
	}
	return scalar.Word(value, scalar.Value)
}

// fields are a criterion's keys and values in the order in which they are written.
func (s style) fields(c Criterion, flow bool) [][2]string {
	return [][2]string{
		{s.key("id"), s.word(c.ID, flow)},
		{s.key("expected_outcome"), s.word(c.ExpectedOutcome, flow)},
		{s.key("weight"), strconv.FormatFloat(c.Weight, 'f', -1, 64)},
		{s.key("required"), strconv.FormatBool(c.Required)},
	}
}

func (s style) key(name string) string {
	if s.json {
		return `"` + name + `"`
	}
	return name
}

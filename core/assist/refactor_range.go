package assist

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// rangesKey is what ranges of scores are under, in every version.
const rangesKey = "score_ranges"

func rangeRefactorings() []refactoring {
	return []refactoring{
		{
			Refactoring: Refactoring{ID: "ranges-to-list", Title: "write the score ranges as a list"}, keeps: true,
			applies: func(s spot) (string, bool) { return s.rangesAre(yaml.Mapping) },
			edits:   func(s spot) ([]text.Edit, error) { return s.rangesToList(), nil },
		},
		{
			Refactoring: Refactoring{ID: "ranges-to-mapping", Title: "write the score ranges as a mapping"}, keeps: true,
			applies: func(s spot) (string, bool) { return s.rangesAre(yaml.Sequence) },
			edits:   func(s spot) ([]text.Edit, error) { return s.rangesToMapping(), nil },
		},
	}
}

// ranges are the score ranges of the criterion that the spot is in, as they are
// written there; nil if there are none.
func (s spot) ranges() (n *yaml.Node, bands []rubric.Band) {
	v, ok := s.criterion()
	if !ok || v.node.Kind != yaml.Mapping {
		return nil, nil
	}
	for _, p := range v.node.Pairs {
		if p.Key.Value == rangesKey && p.Value.Kind != yaml.Alias {
			n = p.Value
		}
	}
	if c := s.read(v.node); c != nil {
		bands = c.Bands
	}
	return n, bands
}

func (s spot) rangesAre(kind yaml.Kind) (reason string, ok bool) {
	n, bands := s.ranges()
	if n == nil || n.Kind != kind {
		return "", false
	}
	if reason := anchorReason(n); reason != "" {
		return reason, true
	}
	if len(bands) == 0 || len(bands) != len(n.Pairs)+len(n.Items) {
		return "not all of the ranges can be read", true
	}
	next := float64(rubric.Lowest)
	for _, b := range bands {
		if b.Lo != next || b.Fault() != "" {
			return fmt.Sprintf("the ranges do not follow one another from %d to %d", rubric.Lowest, rubric.Highest), true
		}
		next = b.Hi + 1
	}
	if next != rubric.Highest+1 {
		return fmt.Sprintf("the ranges end before %d", rubric.Highest), true
	}
	return "", true
}

// band is a range as it is to be written.
type band struct {
	rubric.Band
	text     string   // as a scalar
	comments []string // in it, the one behind it last
	behind   bool     // the last comment stands behind it
}

// bands are the ranges of a node as they are written there, in order of scores.
func (s spot) bands() (all []band) {
	n, read := s.ranges()
	last := n.Span.Start
	for _, b := range read {
		one := band{Band: b}
		for _, p := range n.Pairs {
			if p.Span() == b.Span {
				one.text = s.raw(p.Value)
			}
		}
		for _, item := range n.Items {
			if words := first(item, textKeys[agentv.InRange]...); item.Span == b.Span && words != nil {
				one.text = s.raw(words)
			}
		}
		end := s.part.Source.LineSpan(s.part.Source.OffsetLine(b.Span.End)).End
		for _, c := range s.part.Tree.Comments {
			if c.Span.Start >= last && c.Span.End <= min(end, n.Span.End) {
				one.comments = append(one.comments, s.part.Source.Slice(c.Span))
				one.behind = c.Span.Start >= b.Span.End
			}
		}
		last = max(last, end)
		all = append(all, one)
	}
	return all
}

// around writes a range with its comments: those in it above it, each on its
// line, and the one behind it there.
func (b band) around(written string) string {
	above := b.comments
	if b.behind {
		written += " " + above[len(above)-1]
		above = above[:len(above)-1]
	}
	return strings.Join(append(above[:len(above):len(above)], written), "\n")
}

func (s spot) rangesToList() []text.Edit {
	n, _ := s.ranges()
	key := s.term(agentv.InRange, "expected_outcome").Text
	var written []string
	for _, b := range s.bands() {
		pairs := []pair{{key: "score_range", value: fmt.Sprintf("[%v, %v]", b.Lo, b.Hi)}, {key: key, value: b.text}}
		if n.Style == yaml.Flow {
			written = append(written, s.braced(pairs))
			continue
		}
		written = append(written, b.around("- "+strings.Join(s.written(pairs, false), "\n  ")))
	}
	if n.Style == yaml.Flow {
		return []text.Edit{{Span: n.Span, New: "[" + strings.Join(written, ", ") + "]"}}
	}
	return []text.Edit{{Span: n.Span, New: s.indented(written, columnOf(s.part.Source, n))}}
}

func (s spot) rangesToMapping() []text.Edit {
	n, _ := s.ranges()
	var pairs []pair
	var written []string
	for _, b := range s.bands() {
		p := pair{key: fmt.Sprint(b.Lo), value: b.text}
		pairs = append(pairs, p)
		written = append(written, b.around(s.write(p, false)))
	}
	if n.Style == yaml.Flow {
		return []text.Edit{{Span: n.Span, New: s.braced(pairs)}}
	}
	// A list may stand below its key, a mapping has to be further in.
	column := columnOf(s.part.Source, n)
	deeper := max(column, columnOf(s.part.Source, n.Key.Key)+step)
	return []text.Edit{{Span: n.Span, New: strings.Repeat(" ", deeper-column) + s.indented(written, deeper)}}
}

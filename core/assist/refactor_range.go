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
			Refactoring: Refactoring{ID: "ranges-to-list", Title: "write the score ranges as a list"}, preservesMeaning: true,
			applies: func(ec editContext) (string, bool) { return ec.rangesReason(yaml.Mapping) },
			edits:   func(ec editContext) ([]text.Edit, error) { return ec.rangesToList(), nil },
		},
		{
			Refactoring: Refactoring{ID: "ranges-to-mapping", Title: "write the score ranges as a mapping"}, preservesMeaning: true,
			applies: func(ec editContext) (string, bool) { return ec.rangesReason(yaml.Sequence) },
			edits:   func(ec editContext) ([]text.Edit, error) { return ec.rangesToMapping(), nil },
		},
	}
}

// scoreRanges are the score ranges of the criterion that the spot is in, as they are
// written there; nil if there are none.
func (ec editContext) scoreRanges() (n *yaml.Node, bands []rubric.Band) {
	v, ok := ec.criterion()
	if !ok || v.node.Kind != yaml.Mapping {
		return nil, nil
	}
	for _, p := range v.node.Pairs {
		if p.Key.Value == rangesKey && p.Value.Kind != yaml.Alias {
			n = p.Value
		}
	}
	if c := ec.lookupCriterion(v.node); c != nil {
		bands = c.Bands
	}
	return n, bands
}

func (ec editContext) rangesReason(kind yaml.Kind) (reason string, ok bool) {
	n, bands := ec.scoreRanges()
	if n == nil || n.Kind != kind {
		return "", false
	}
	if reason := anchorReason(n); reason != "" {
		return reason, true
	}
	if len(bands) == 0 || len(bands) != len(n.Pairs)+len(n.Items) {
		return "not all of the ranges can be read", true
	}
	next := float64(rubric.LowestScore)
	for _, b := range bands {
		if b.Lo != next || b.Fault() != "" {
			return fmt.Sprintf("the ranges do not follow one another from %d to %d", rubric.LowestScore, rubric.HighestScore), true
		}
		next = b.Hi + 1
	}
	if next != rubric.HighestScore+1 {
		return fmt.Sprintf("the ranges end before %d", rubric.HighestScore), true
	}
	return "", true
}

// writtenBand is a range as it is to be written.
type writtenBand struct {
	rubric.Band
	text               string   // as a scalar
	comments           []string // in it, the one behind it last
	hasTrailingComment bool     // the last comment stands behind it
}

// writtenBands are the ranges of a node as they are written there, in order of scores.
func (ec editContext) writtenBands() (all []writtenBand) {
	n, read := ec.scoreRanges()
	last := n.Span.Start
	for _, b := range read {
		one := writtenBand{Band: b}
		for _, p := range n.Pairs {
			if p.Span() == b.Span {
				one.text = ec.scalarText(p.Value)
			}
		}
		for _, item := range n.Items {
			if words := firstValue(item, textKeys[agentv.InRange]...); item.Span == b.Span && words != nil {
				one.text = ec.scalarText(words)
			}
		}
		end := ec.part.Source.LineSpan(ec.part.Source.OffsetLine(b.Span.End)).End
		for _, c := range ec.part.Tree.Comments {
			if c.Span.Start >= last && c.Span.End <= min(end, n.Span.End) {
				one.comments = append(one.comments, ec.part.Source.Slice(c.Span))
				one.hasTrailingComment = c.Span.Start >= b.Span.End
			}
		}
		last = max(last, end)
		all = append(all, one)
	}
	return all
}

// withComments writes a range with its comments: those in it above it, each on its
// line, and the one behind it there.
func (wb writtenBand) withComments(written string) string {
	above := wb.comments
	if wb.hasTrailingComment {
		written += " " + above[len(above)-1]
		above = above[:len(above)-1]
	}
	return strings.Join(append(above[:len(above):len(above)], written), "\n")
}

func (ec editContext) rangesToList() []text.Edit {
	n, _ := ec.scoreRanges()
	key := ec.termFor(agentv.InRange, "expected_outcome").Text
	var written []string
	for _, b := range ec.writtenBands() {
		pairs := []newPair{{key: "score_range", value: fmt.Sprintf("[%v, %v]", b.Lo, b.Hi)}, {key: key, value: b.text}}
		if n.Style == yaml.Flow {
			written = append(written, ec.flowMapping(pairs))
			continue
		}
		written = append(written, b.withComments("- "+strings.Join(ec.formatPairs(pairs, false), "\n  ")))
	}
	if n.Style == yaml.Flow {
		return []text.Edit{{Span: n.Span, New: "[" + strings.Join(written, ", ") + "]"}}
	}
	return []text.Edit{{Span: n.Span, New: ec.indentLines(written, columnOf(ec.part.Source, n))}}
}

func (ec editContext) rangesToMapping() []text.Edit {
	n, _ := ec.scoreRanges()
	var pairs []newPair
	var written []string
	for _, b := range ec.writtenBands() {
		p := newPair{key: fmt.Sprint(b.Lo), value: b.text}
		pairs = append(pairs, p)
		written = append(written, b.withComments(ec.formatPair(p, false)))
	}
	if n.Style == yaml.Flow {
		return []text.Edit{{Span: n.Span, New: ec.flowMapping(pairs)}}
	}
	// A list may stand below its key, a mapping has to be further in.
	column := columnOf(ec.part.Source, n)
	deeper := max(column, columnOf(ec.part.Source, n.Key.Key)+indentStep)
	return []text.Edit{{Span: n.Span, New: strings.Repeat(" ", deeper-column) + ec.indentLines(written, deeper)}}
}

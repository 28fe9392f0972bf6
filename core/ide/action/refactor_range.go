package action

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// rangesKey is the key of score ranges in every version.
const rangesKey = "score_ranges"

var rangeRefactorings = []refactoring{
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

// scoreRanges returns the node and bands of the criterion's score ranges; nil without any.
func (ec editContext) scoreRanges() (n *yaml.Node, bands []rubric.Band) {
	v, ok := ec.criterion()
	if !ok || v.Node.Kind != yaml.Mapping {
		return nil, nil
	}
	for _, p := range v.Node.Pairs {
		if p.Key.Value == rangesKey && p.Value.Kind != yaml.Alias {
			n = p.Value
		}
	}
	if c := ec.lookupCriterion(v.Node); c != nil {
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
		return "not all of the ranges are valid", true
	}
	next := float64(rubric.LowestScore)
	for _, b := range bands {
		if b.Lo != next || b.Fault() != "" {
			return fmt.Sprintf("the ranges do not cover %d to %d in order", rubric.LowestScore, rubric.HighestScore), true
		}
		next = b.Hi + 1
	}
	if next != rubric.HighestScore+1 {
		return fmt.Sprintf("the ranges end before %d", rubric.HighestScore), true
	}
	return "", true
}

// writtenBand is a band with its source text.
type writtenBand struct {
	rubric.Band
	text               string   // a formatted scalar
	comments           []string // a trailing one comes last
	hasTrailingComment bool     // the last comment follows the band
}

// writtenBands returns the bands in order of scores.
func (ec editContext) writtenBands() (all []writtenBand) {
	n, bands := ec.scoreRanges()
	last := n.Span.Start
	for _, b := range bands {
		written := writtenBand{Band: b}
		for _, p := range n.Pairs {
			if p.Span() == b.Span {
				written.text = ec.scalarText(p.Value)
			}
		}
		for _, item := range n.Items {
			if value := agentv.FirstValue(item, syntax.TextKeys[agentv.InRange]...); item.Span == b.Span && value != nil {
				written.text = ec.scalarText(value)
			}
		}
		end := ec.chunk.Source.LineSpan(ec.chunk.Source.OffsetLine(b.Span.End)).End
		for _, c := range ec.chunk.Tree.Comments {
			if c.Span.Start >= last && c.Span.End <= min(end, n.Span.End) {
				written.comments = append(written.comments, ec.chunk.Source.Slice(c.Span))
				written.hasTrailingComment = c.Span.Start >= b.Span.End
			}
		}
		last = max(last, end)
		all = append(all, written)
	}
	return all
}

// withComments returns the formatted band with its comments: a trailing one at the end, the others
// on lines above.
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
	return []text.Edit{{Span: n.Span, New: ec.indentLines(written, yaml.ColumnOf(ec.chunk.Source, n))}}
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
	// A list may be at the column of its key, a mapping must be indented further.
	column := yaml.ColumnOf(ec.chunk.Source, n)
	deeper := max(column, yaml.ColumnOf(ec.chunk.Source, n.Key.Key)+syntax.IndentStep)
	return []text.Edit{{Span: n.Span, New: strings.Repeat(" ", deeper-column) + ec.indentLines(written, deeper)}}
}

// draftBands are the bands that scaling writes, for the author to edit.
var draftBands = []rubric.Band{{Lo: 0, Text: "Not met"}, {Lo: 4, Text: "Met in part"}, {Lo: 8, Text: "Met in full"}}

const draftMinimum = 8

var scaleRefactorings = []refactoring{
	{
		Refactoring: Refactoring{ID: "scale-criterion", Title: "grade the criterion 0 to 10, with score ranges"},
		applies: func(ec editContext) (string, bool) {
			v, ok := ec.criterion()
			if !ok || !ec.isYesNo(v.Node) || !v.IsCriterion() {
				return "", false
			}
			return anchorReason(v.Node), true
		},
		edits: func(ec editContext) ([]text.Edit, error) {
			v, _ := ec.criterion()
			return ec.scaleEdits(v.Node), nil
		},
	},
	{
		Refactoring: Refactoring{ID: "scale-rubric", Title: "grade all criteria of the rubric 0 to 10, with score ranges"},
		applies: func(ec editContext) (reason string, ok bool) {
			checked := ec.yesNoCriteria()
			for _, n := range checked {
				if reason := anchorReason(n); reason != "" {
					return reason, true
				}
			}
			return "", len(checked) > 1
		},
		edits: func(ec editContext) (edits []text.Edit, err error) {
			for _, n := range ec.yesNoCriteria() {
				edits = append(edits, ec.scaleEdits(n)...)
			}
			return edits, nil
		},
	},
}

// isYesNo reports whether a criterion is judged yes or no.
func (ec editContext) isYesNo(n *yaml.Node) bool {
	c := ec.lookupCriterion(n)
	return c != nil && !c.HasBands() && c.BandsSpan.Empty() && n.Kind != yaml.Alias
}

// yesNoCriteria returns the rubric's criteria that are judged yes or no.
func (ec editContext) yesNoCriteria() (all []*yaml.Node) {
	list := ec.criteriaList()
	if list == nil {
		return nil
	}
	for _, n := range list.Items {
		if ec.isYesNo(n) {
			all = append(all, n)
		}
	}
	return all
}

// scaleEdits returns edits that add score ranges to a criterion. A gate becomes a minimum score.
func (ec editContext) scaleEdits(n *yaml.Node) []text.Edit {
	c := ec.lookupCriterion(n)
	var more []newPair
	if c.IsRequired() && c.MinScore == nil {
		name := ec.termFor(agentv.InCriterion, "required_min_score")
		least := strconv.Itoa(draftMinimum)
		if name.IsShare() {
			least = strconv.FormatFloat(draftMinimum/10.0, 'f', -1, 64)
		}
		more = append(more, newPair{key: name.Text, value: least})
	}
	ranges := newPair{key: rangesKey}
	for _, b := range draftBands {
		ranges.children = append(ranges.children, newPair{key: strconv.Itoa(int(b.Lo)), value: ec.formatText(b.Text)})
	}
	return ec.appendEntries(n, append(more, ranges)...)
}

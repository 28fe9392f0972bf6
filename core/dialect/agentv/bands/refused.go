package bands

import (
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// What is refused, in the order in which loaders look. With [MapStart] and
// [WrongType] these are all.
const (
	NotObject  = "range_not_object"
	NotPair    = "range_not_pair"
	Fractional = "range_not_integer"
	Outside    = "range_out_of_bounds"
	Reversed   = "range_reversed"
	NoText     = "range_missing_outcome"
	Overlap    = "ranges_overlap"
	Gap        = "ranges_incomplete_coverage"
)

var faultKinds = map[rubric.BandFault]string{
	rubric.FractionalBound: Fractional, rubric.BoundOutOfRange: Outside, rubric.ReversedBounds: Reversed,
}

// Validate is the kind of what loaders refuse in score_ranges that are not a
// case's own, "" if nothing. The text of a list's entry is under the first of
// keys that holds one.
func Validate(n *yaml.Node, keys ...string) string {
	switch {
	case n.IsSeq():
		return validateList(n, keys)
	case n.IsMap():
		bounds, ok := readBounds(n)
		if ok && bounds[0].score != rubric.LowestScore {
			return MapStart
		}
		if ok {
			return ""
		}
	}
	return WrongType
}

func validateList(n *yaml.Node, keys []string) string {
	var bands []rubric.Band
	for _, item := range n.List() {
		if !item.IsMap() {
			return NotObject
		}
		lo, hi, ok := readPair(item.Get("score_range"))
		if !ok {
			return NotPair
		}
		b := rubric.Band{Lo: lo, Hi: hi}
		if fault := b.Fault(); fault != "" {
			return faultKinds[fault]
		}
		if strings.TrimSpace(firstString(item, keys)) == "" {
			return NoText
		}
		bands = append(bands, b)
	}
	switch {
	case len(rubric.OverlappingBands(bands)) > 0:
		return Overlap
	case len(rubric.UncoveredScores(bands)) > 0:
		return Gap
	}
	return ""
}

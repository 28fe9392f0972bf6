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

var faults = map[rubric.BandFault]string{
	rubric.Fractional: Fractional, rubric.Outside: Outside, rubric.Reversed: Reversed,
}

// Refused is the kind of what loaders refuse in score_ranges that are not a
// case's own, "" if nothing. The text of a list's entry is under the first of
// keys that holds one.
func Refused(n *yaml.Node, keys ...string) string {
	switch {
	case n.IsSeq():
		return refusedList(n, keys)
	case n.IsMap():
		bounds, ok := bounds(n)
		if ok && bounds[0].at != rubric.Lowest {
			return MapStart
		}
		if ok {
			return ""
		}
	}
	return WrongType
}

func refusedList(n *yaml.Node, keys []string) string {
	var bands []rubric.Band
	for _, item := range n.List() {
		if !item.IsMap() {
			return NotObject
		}
		lo, hi, ok := pair(item.Get("score_range"))
		if !ok {
			return NotPair
		}
		b := rubric.Band{Lo: lo, Hi: hi}
		if fault := b.Fault(); fault != "" {
			return faults[fault]
		}
		if strings.TrimSpace(textOf(item, keys)) == "" {
			return NoText
		}
		bands = append(bands, b)
	}
	switch {
	case len(rubric.Overlaps(bands)) > 0:
		return Overlap
	case len(rubric.Uncovered(bands)) > 0:
		return Gap
	}
	return ""
}

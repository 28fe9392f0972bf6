package agentv

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// What the loader refuses in an evaluator's score ranges, in the order in which
// it looks. With [MapStart] and [RangesWrongType] these are all.
const (
	RangeNotObject = "range_not_object"
	RangeNotPair   = "range_not_pair"
	RangeNotWhole  = "range_not_integer"
	RangeOutside   = "range_out_of_bounds"
	RangeReversed  = "range_reversed"
	RangeNoOutcome = "range_missing_outcome"
	RangesOverlap  = "ranges_overlap"
	RangesGap      = "ranges_incomplete_coverage"
)

// bands reads score_ranges as the loader does for an inline rubric: a list is
// taken as it is, a map that is none is nothing, and one that does not start at
// 0 brings the whole file down, which is what fatal says.
func (l *losses) bands(n *yaml.Node) (bands []rubric.Band, fatal bool) {
	switch {
	case n.IsSeq():
		return l.bandList(n), false
	case n.IsMap():
		bounds, ok := bounds(n)
		if !ok {
			break
		}
		if bounds[0].at != rubric.Lowest {
			l.add(MapStart, rubric.Refuses, n, "")
			return nil, true
		}
		return l.bandMap(n, bounds), false
	}
	if !n.IsNull() {
		l.add(RangesWrongType, rubric.Silent, n, "")
	}
	return nil, false
}

func (l *losses) bandList(n *yaml.Node) []rubric.Band {
	var bands []rubric.Band
	for _, item := range n.List() {
		label := firstText(item, "expected_outcome", "description")
		text, _ := label.Str()
		if text == "" {
			l.add(RangeDropped, rubric.Silent, item, "")
			continue
		}
		b := rubric.Band{Lo: rubric.Lowest, Hi: rubric.Highest, Text: text, Span: item.Span}
		if lo, hi, ok := pair(item.Get("score_range")); ok {
			b.Lo, b.Hi = lo, hi
		} else {
			l.add(RangeDefaulted, rubric.Silent, item, "")
		}
		bands = append(bands, b)
	}
	return bands
}

func pair(n *yaml.Node) (lo, hi float64, ok bool) {
	ends := n.List()
	if len(ends) != 2 {
		return 0, 0, false
	}
	lo, okLo := ends[0].Number()
	hi, okHi := ends[1].Number()
	return lo, hi, okLo && okHi
}

// bound is where a band of the map shorthand begins.
type bound struct {
	at   float64
	pair *yaml.Pair
}

// bounds are the map's keys in numeric order; ok is false when it is not a map
// from whole scores to texts.
func bounds(n *yaml.Node) (all []bound, ok bool) {
	for _, p := range n.Entries() {
		at, isNumber := scoreKey(p.Key)
		_, isText := p.Value.Str()
		if !isNumber || !isText || at != math.Trunc(at) || at < rubric.Lowest || at > rubric.Highest {
			return nil, false
		}
		all = append(all, bound{at, p})
	}
	slices.SortStableFunc(all, func(a, b bound) int { return int(a.at - b.at) })
	return all, len(all) > 0
}

// scoreKey is a key as a number; keys of the reference's maps are texts, so "5"
// is as good as 5, and an empty one is 0.
func scoreKey(key *yaml.Node) (float64, bool) {
	if n, ok := key.Number(); ok {
		return n, true
	}
	text, ok := key.Str()
	if ok && strings.TrimSpace(text) == "" {
		return 0, true
	}
	n, isNumber := numberIn(text)
	return n, ok && isNumber
}

// numberIn is the number that a text holds and nothing else.
func numberIn(text string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return n, err == nil
}

// bandMap turns each key into a band up to the next. The loader looks a band's
// text up by its number again, so a key that is written in another way, like
// "05", loses it.
func (l *losses) bandMap(n *yaml.Node, bounds []bound) []rubric.Band {
	var bands []rubric.Band
	for i, b := range bounds {
		upper := float64(rubric.Highest)
		if i+1 < len(bounds) {
			upper = bounds[i+1].at - 1
		}
		text, _ := n.Get(strconv.Itoa(int(b.at))).Str()
		if text == "" {
			l.add(RangeDropped, rubric.Silent, b.pair.Key, b.pair.Key.Value)
			continue
		}
		span := b.pair.Span()
		bands = append(bands, rubric.Band{Lo: b.at, Hi: upper, Text: text, Span: span})
	}
	return bands
}

// RefusedRanges is what the loader refuses in an evaluator's score_ranges, ""
// if nothing. Unlike an inline rubric's they are looked at closely.
func RefusedRanges(n *yaml.Node) string {
	switch {
	case n.IsSeq():
		return refusedList(n)
	case n.IsMap():
		bounds, ok := bounds(n)
		if ok && bounds[0].at != rubric.Lowest {
			return MapStart
		}
		if ok {
			return ""
		}
	}
	return RangesWrongType
}

func refusedList(n *yaml.Node) string {
	faults := map[rubric.BandFault]string{
		rubric.Fractional: RangeNotWhole, rubric.Outside: RangeOutside, rubric.Reversed: RangeReversed,
	}
	var bands []rubric.Band
	for _, item := range n.List() {
		if !item.IsMap() {
			return RangeNotObject
		}
		lo, hi, ok := pair(item.Get("score_range"))
		if !ok {
			return RangeNotPair
		}
		b := rubric.Band{Lo: lo, Hi: hi}
		if fault := b.Fault(); fault != "" {
			return faults[fault]
		}
		if text, _ := firstText(item, "expected_outcome", "description").Str(); strings.TrimSpace(text) == "" {
			return RangeNoOutcome
		}
		bands = append(bands, b)
	}
	switch {
	case len(rubric.Overlaps(bands)) > 0:
		return RangesOverlap
	case len(rubric.Uncovered(bands)) > 0:
		return RangesGap
	}
	return ""
}

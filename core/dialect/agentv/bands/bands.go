// Package bands reads the score ranges of a criterion, in every version of AgentV. Ranges
// are a list, or a map from each range's lowest score to its text. Versions differ in the
// key for the text of a list entry.
//
// [Read] accepts whatever it can, as loaders do for a case's own rubric. [Validate] returns
// the fault for which loaders refuse score ranges anywhere else.
package bands

import (
	"math"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses of [Read].
const (
	WrongType = "score_ranges_wrong_type"       // neither a list nor a map of scores
	Defaulted = "range_defaulted"               // a range without two ends becomes 0–10
	Dropped   = "range_missing_outcome_dropped" // a range without a text
	MapStart  = "map_must_start_at_0"           // the map's first score is not 0
)

// Read reads score_ranges leniently. It takes a list as it is and ignores an invalid map. If a
// map does not start at 0, Read returns no bands and the last loss is MapStart. The text of a
// list entry is the first string under keys.
func Read(n *yaml.Node, keys ...string) (bands []rubric.Band, losses []rubric.Loss) {
	switch {
	case n.IsSeq():
		return readList(n, keys)
	case n.IsMap():
		bounds, ok := readBounds(n)
		if !ok {
			break
		}
		if bounds[0].score != rubric.LowestScore {
			return nil, []rubric.Loss{agentv.NewLoss(MapStart, rubric.Refuses, n, "")}
		}
		return readShorthand(n, bounds)
	}
	if !n.IsNull() {
		losses = append(losses, agentv.NewLoss(WrongType, rubric.Silent, n, ""))
	}
	return nil, losses
}

func readList(n *yaml.Node, keys []string) (bands []rubric.Band, losses []rubric.Loss) {
	for _, item := range n.List() {
		text := agentv.FirstString(item, keys...).Text()
		if text == "" {
			losses = append(losses, agentv.NewLoss(Dropped, rubric.Silent, item, ""))
			continue
		}
		b := rubric.Band{Lo: rubric.LowestScore, Hi: rubric.HighestScore, Text: text, Span: item.Span}
		if lo, hi, ok := readPair(item.Get("score_range")); ok {
			b.Lo, b.Hi = lo, hi
		} else {
			losses = append(losses, agentv.NewLoss(Defaulted, rubric.Silent, item, ""))
		}
		bands = append(bands, b)
	}
	return bands, losses
}

func readPair(n *yaml.Node) (lo, hi float64, ok bool) {
	ends := n.List()
	if len(ends) != 2 {
		return 0, 0, false
	}
	lo, okLo := ends[0].Number()
	hi, okHi := ends[1].Number()
	return lo, hi, okLo && okHi
}

// readShorthand converts each key to a band that ends before the next key. The loader looks up
// a band's text by its number, so a key in another notation, such as "05", loses its text.
func readShorthand(n *yaml.Node, bounds []lowerBound) (bands []rubric.Band, losses []rubric.Loss) {
	for i, b := range bounds {
		upper := float64(rubric.HighestScore)
		if i+1 < len(bounds) {
			upper = bounds[i+1].score - 1
		}
		text := n.Get(strconv.Itoa(int(b.score))).Text()
		if text == "" {
			losses = append(losses, agentv.NewLoss(Dropped, rubric.Silent, b.pair.Key, b.pair.Key.Value))
			continue
		}
		bands = append(bands, rubric.Band{Lo: b.score, Hi: upper, Text: text, Span: b.pair.Span()})
	}
	return bands, losses
}

// lowerBound is the start of a band in the map shorthand.
type lowerBound struct {
	score float64
	pair  *yaml.Pair
}

// readBounds returns the map's keys in numeric order. ok is false unless n maps whole scores to
// texts.
func readBounds(n *yaml.Node) (all []lowerBound, ok bool) {
	for _, p := range n.Entries() {
		score, isNumber := parseScoreKey(p.Key)
		if !isNumber || p.Value.Text() == "" || score != math.Trunc(score) || score < rubric.LowestScore || score > rubric.HighestScore {
			return nil, false
		}
		all = append(all, lowerBound{score, p})
	}
	generic.SortStable(all, func(a, b lowerBound) int { return int(a.score - b.score) })
	return all, len(all) > 0
}

// parseScoreKey returns a key as a number. The reference's keys are strings, so "5" equals 5
// and the empty key is 0.
func parseScoreKey(key *yaml.Node) (float64, bool) {
	if n, ok := key.Number(); ok {
		return n, true
	}
	text, ok := key.Str()
	if ok && strings.TrimSpace(text) == "" {
		return 0, true
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return n, ok && err == nil
}

// Kinds of faults that [Validate] returns besides [MapStart] and [WrongType], in the order in
// which loaders check.
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

// Validate returns the kind of the first fault that makes loaders refuse score_ranges, or "".
// It applies to ranges outside a case's own rubric. The text of a list entry is the first
// string under keys.
func Validate(n *yaml.Node, keys ...string) string {
	switch {
	case n.IsSeq():
		return validateList(n, keys)
	case n.IsMap():
		bounds, ok := readBounds(n)
		if !ok {
			break
		}
		if bounds[0].score != rubric.LowestScore {
			return MapStart
		}
		if _, lost := readShorthand(n, bounds); len(lost) > 0 {
			return NoText
		}
		return ""
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
		if text := agentv.FirstString(item, keys...).Text(); text == "" {
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

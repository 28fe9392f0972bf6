package bands

import (
	"slices"
	"strconv"

	"github.com/rubric-ls/rubric/core/dialect/agentv/loss"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses of [Read].
const (
	WrongType = "score_ranges_wrong_type"       // neither list nor map of scores
	Defaulted = "range_defaulted"               // a range without two ends is 0–10
	Dropped   = "range_missing_outcome_dropped" // a range without a text
	MapStart  = "map_must_start_at_0"           // the map's first score is not 0
)

// Read reads score_ranges forgivingly: a list is taken as it is, a map that is
// none is nothing. A map that does not start at 0 is nothing either, and the
// last loss then is MapStart. The text of a list's entry is under the first of
// keys that holds one.
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
			return nil, []rubric.Loss{loss.New(MapStart, rubric.Refuses, n, "")}
		}
		return readShorthand(n, bounds)
	}
	if !n.IsNull() {
		losses = append(losses, loss.New(WrongType, rubric.Silent, n, ""))
	}
	return nil, losses
}

func readList(n *yaml.Node, keys []string) (bands []rubric.Band, losses []rubric.Loss) {
	for _, item := range n.List() {
		text := firstString(item, keys)
		if text == "" {
			losses = append(losses, loss.New(Dropped, rubric.Silent, item, ""))
			continue
		}
		b := rubric.Band{Lo: rubric.LowestScore, Hi: rubric.HighestScore, Text: text, Span: item.Span}
		if lo, hi, ok := readPair(item.Get("score_range")); ok {
			b.Lo, b.Hi = lo, hi
		} else {
			losses = append(losses, loss.New(Defaulted, rubric.Silent, item, ""))
		}
		bands = append(bands, b)
	}
	return bands, losses
}

// firstString is the first string under keys.
func firstString(n *yaml.Node, keys []string) string {
	for _, key := range keys {
		if text, ok := n.Get(key).Str(); ok {
			return text
		}
	}
	return ""
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

// readShorthand turns each key into a band up to the next. The loader looks a band's
// text up by its number again, so a key that is written in another way, like
// "05", loses it.
func readShorthand(n *yaml.Node, bounds []lowerBound) (bands []rubric.Band, losses []rubric.Loss) {
	for i, b := range bounds {
		upper := float64(rubric.HighestScore)
		if i+1 < len(bounds) {
			upper = bounds[i+1].score - 1
		}
		text, _ := n.Get(strconv.Itoa(int(b.score))).Str()
		if text == "" {
			losses = append(losses, loss.New(Dropped, rubric.Silent, b.pair.Key, b.pair.Key.Value))
			continue
		}
		bands = append(slices.Grow(bands, len(bounds)-i), rubric.Band{Lo: b.score, Hi: upper, Text: text, Span: b.pair.Span()})
	}
	return bands, losses
}

package bands

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// lowerBound is where a band of the map shorthand begins.
type lowerBound struct {
	score float64
	pair  *yaml.Pair
}

// readBounds are the map's keys in numeric order; ok is false when it is not a map
// from whole scores to texts.
func readBounds(n *yaml.Node) (all []lowerBound, ok bool) {
	entries := n.Entries()
	all = make([]lowerBound, 0, len(entries))
	for _, p := range entries {
		score, isNumber := parseScoreKey(p.Key)
		_, isText := p.Value.Str()
		if !isNumber || !isText || score != math.Trunc(score) || score < rubric.LowestScore || score > rubric.HighestScore {
			return nil, false
		}
		all = append(all, lowerBound{score, p})
	}
	slices.SortStableFunc(all, func(a, b lowerBound) int { return int(a.score - b.score) })
	return all, len(all) > 0
}

// parseScoreKey is a key as a number; keys of the reference's maps are texts, so "5"
// is as good as 5, and an empty one is 0.
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

package bands

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// bound is where a band of the map shorthand begins.
type bound struct {
	at   float64
	pair *yaml.Pair
}

// bounds are the map's keys in numeric order; ok is false when it is not a map
// from whole scores to texts.
func bounds(n *yaml.Node) (all []bound, ok bool) {
	entries := n.Entries()
	all = make([]bound, 0, len(entries))
	for _, p := range entries {
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
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return n, ok && err == nil
}

package metric

import (
	"fmt"
	"math"
	"strings"
)

// Match is a way of comparing tool calls with the expected ones.
type Match int

const (
	Exact    Match = iota // the same calls and no others
	InOrder               // the expected ones in order, others between
	AnyOrder              // the expected ones anywhere
)

var matchNames = []string{"EXACT", "IN_ORDER", "ANY_ORDER"}

// String is the name as files write it.
func (m Match) String() string { return matchNames[m] }

// ParseMatch reads a match type as ADK does: its number, or its name in any case
// with spaces or hyphens for the underscore. All else is an error.
func ParseMatch(value any) (Match, error) {
	switch v := value.(type) {
	case int:
		return ParseMatch(float64(v))
	case int64:
		return ParseMatch(float64(v))
	case float64:
		if v == math.Trunc(v) && v >= 0 && v < float64(len(matchNames)) {
			return Match(v), nil
		}
	case string:
		name := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToUpper(strings.TrimSpace(v)))
		for i, m := range matchNames {
			if name == m {
				return Match(i), nil
			}
		}
	}
	return 0, fmt.Errorf("`%v` is no match type; there are `EXACT`, `IN_ORDER` and `ANY_ORDER`", value)
}

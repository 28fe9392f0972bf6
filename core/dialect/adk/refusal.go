package adk

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Refusal is a mismatch for which ADK refuses a value with all that it is in.
type Refusal = conform.Mismatch

// Refusals returns the mismatches for which ADK refuses n. Version 2.0 also refuses
// what later versions brought.
func Refusals(p metric.Profile, t *schema.Type, n *yaml.Node) []Refusal {
	found := slices.DeleteFunc(mismatches(p, t, n), func(m conform.Mismatch) bool { return !m.IsRefused })
	if p == metric.V2 {
		found = append(found, findTooNew(t, n)...)
	}
	return found
}

// mismatches checks n against a table and marks what ADK refuses. Lowering and the
// lint rules both read that mark, so that they agree.
func mismatches(p metric.Profile, t *schema.Type, n *yaml.Node) []conform.Mismatch {
	found := conform.Check(t, n)
	for i, m := range found {
		found[i].IsRefused = !isAccepted(p, m)
	}
	return found
}

// isAccepted reports whether ADK accepts a mismatch. It converts numbers and booleans that
// are written as strings, and takes any number where the table only advises a range. A
// null is good for a nullable field, and never for an item of a list.
func isAccepted(p metric.Profile, m conform.Mismatch) bool {
	switch m.Kind {
	case conform.UnknownKey:
		return m.Owner.OnUnknownKey == "" || m.Owner.OnUnknownKey == lostFileIn2 && p != metric.V2
	case conform.TwoNames:
		// ADK validates a criterion as a Python object, where pydantic takes the second
		// name for an unknown key. Of a file, which is JSON, it reads the camelCase one.
		return m.Owner.OnUnknownKey != lostMetric
	case conform.NoValue:
		return m.Field != nil && m.Key != "" && m.Field.Nullable
	case conform.WrongType:
		return isConvertible(m.Type, m.Node)
	case conform.UnknownValue:
		return m.Type == matchTypeNames && isMatch(m.Node) || m.Type == simulatorKinds && p == metric.V2
	case conform.OutOfBounds:
		// ADK holds only counts to bounds, and 2.0 not even those.
		return !m.Type.IsInteger || p == metric.V2
	}
	return m.IsHarmless() || m.Kind == conform.BlankText
}

// isConvertible reports whether ADK makes a value of the type from another one.
func isConvertible(t *schema.Type, n *yaml.Node) bool {
	switch t.Kind {
	case schema.Union:
		return slices.ContainsFunc(t.Choices, func(c *schema.Type) bool { return isConvertible(c, n) })
	case schema.Number:
		v, ok := readNumber(n)
		return ok && (!t.IsInteger || v == math.Trunc(v))
	case schema.Bool:
		_, ok := readBool(n)
		return ok
	}
	return t == matchTypeNames && isMatch(n)
}

// readNumber is a number, or a text or truth that ADK takes for one.
func readNumber(n *yaml.Node) (float64, bool) {
	if v, ok := n.Number(); ok {
		return v, true
	}
	if v, ok := n.Bool(); ok {
		if v {
			return 1, true
		}
		return 0, true
	}
	if s, ok := n.Str(); ok {
		// JSON has no word for these, but Python's reader does.
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		return v, err == nil
	}
	return 0, false
}

// readThreshold is a number, or NaN for what is none: nothing passes by a threshold that
// cannot be read.
func readThreshold(n *yaml.Node) float64 {
	if v, ok := readNumber(n); ok {
		return v
	}
	return math.NaN()
}

// readBool is a truth, or a text or number that ADK takes for one.
func readBool(n *yaml.Node) (value, ok bool) {
	if v, ok := n.Bool(); ok {
		return v, true
	}
	word := ""
	if s, ok := n.Str(); ok {
		word = strings.ToLower(strings.TrimSpace(s))
	} else if v, ok := n.Number(); ok {
		word = strconv.FormatFloat(v, 'g', -1, 64)
	}
	switch word {
	case "1", "true", "t", "yes", "y", "on":
		return true, true
	case "0", "false", "f", "no", "n", "off":
		return false, true
	}
	return false, false
}

// readMatch reads a match type.
func readMatch(n *yaml.Node) (metric.Match, error) {
	if v, ok := n.Number(); ok {
		return metric.ParseMatch(v)
	}
	word, _ := n.Str()
	return metric.ParseMatch(word)
}

func isMatch(n *yaml.Node) bool {
	_, err := readMatch(n)
	return err == nil
}

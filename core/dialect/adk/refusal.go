package adk

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Refusal is a mismatch for which ADK refuses the enclosing value.
type Refusal = conform.Mismatch

// Refusals returns the mismatches for which ADK refuses n. Version 2.0 also refuses additions of
// later versions.
func Refusals(p metric.Profile, t *schema.Type, n *yaml.Node) []Refusal {
	found := slices.DeleteFunc(mismatches(p, t, n), func(m conform.Mismatch) bool { return !m.IsRefused })
	if p == metric.V2 {
		found = append(found, findTooNew(t, n)...)
	}
	return found
}

// isRefused reports whether ADK refuses the whole file for a mismatch of n. It checks some keys of a
// criterion only during a run; those cost the metric.
func isRefused(p metric.Profile, t *schema.Type, n *yaml.Node) bool {
	return slices.ContainsFunc(Refusals(p, t, n), func(r Refusal) bool {
		if r.Field != nil {
			return r.Field.OnInvalid != skipsMetric
		}
		return r.Owner == nil || !strings.HasPrefix(r.Owner.OnUnknownKey, skipsMetric)
	})
}

// mismatches checks n against a table and marks what ADK refuses. Lowering and the lint rules both
// use that mark, so that they agree.
func mismatches(p metric.Profile, t *schema.Type, n *yaml.Node) []conform.Mismatch {
	found := slices.DeleteFunc(conform.Check(t, n), func(m conform.Mismatch) bool {
		return m.Kind == conform.UnknownKey && (isGenAI(m.Owner) && m.Node.Get(m.Key).IsNull() || // written by a newer client
			m.Owner == simulatorConfigType && m.Suggestion == "" && lookup(m.Node, "type").Text() == "llm_audio")
	})
	for i, m := range found {
		found[i].IsRefused = !isAccepted(p, m)
	}
	return withoutUnread(found)
}

// withoutUnread removes mismatches in values that ADK does not read, because the mapping has the
// key in camelCase too.
func withoutUnread(found []conform.Mismatch) []conform.Mismatch {
	var unread []text.Span
	for _, m := range found {
		if m.Kind == conform.TwoNames && !m.IsRefused {
			unread = append(unread, m.Node.Get(m.Key).Span)
		}
	}
	return slices.DeleteFunc(found, func(m conform.Mismatch) bool {
		return slices.ContainsFunc(unread, func(s text.Span) bool { return s.Contains(m.Span) })
	})
}

// isAccepted reports whether ADK accepts a mismatch. It converts numbers and booleans in strings,
// and accepts any number where the table only advises a range. Null is valid for a nullable
// field and never for an item of a list.
func isAccepted(p metric.Profile, m conform.Mismatch) bool {
	switch m.Kind {
	case conform.UnknownKey:
		return m.Owner.OnUnknownKey == "" || m.Owner.OnUnknownKey == refusesFileIn2 && p != metric.V2 || isGenAI(m.Owner) && m.Suggestion == ""
	case conform.TwoNames:
		// ADK validates a criterion and the Gen AI client's values as Python objects, in which
		// pydantic treats the second name as an unknown key. In JSON it reads the camelCase name.
		return !strings.HasPrefix(m.Owner.OnUnknownKey, skipsMetric) && !isGenAI(m.Owner)
	case conform.NoValue:
		return m.Field != nil && m.Key != "" && m.Field.Nullable
	case conform.WrongType:
		return isConvertible(m.Type, m.Node)
	case conform.UnknownValue:
		return m.Type == matchTypeNames && isMatch(m.Node) || m.Type == simulatorKinds && p == metric.V2
	case conform.OutOfBounds:
		// ADK checks bounds only for counts; 2.0 checks none.
		return !m.Type.IsInteger || p == metric.V2
	}
	return m.IsHarmless() || m.Kind == conform.BlankText
}

// isConvertible reports whether ADK converts n to the type.
func isConvertible(t *schema.Type, n *yaml.Node) bool {
	switch t.Kind {
	case schema.Union:
		return slices.ContainsFunc(t.Choices, func(c *schema.Type) bool { return isConvertible(c, n) })
	case schema.Number:
		v, ok := readNumber(n)
		_, isText := n.Str()
		if t.IsInteger {
			return ok && v == math.Trunc(v) && (t.Min == nil || v >= *t.Min) && !(isText && strings.ContainsAny(n.Text(), "eEnNxX"))
		}
		return ok
	case schema.Bool:
		_, ok := readBool(n)
		return ok
	}
	return t == matchTypeNames && isMatch(n)
}

// readNumber returns a number, or a string or boolean that ADK converts to one.
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
		// Python also reads NaN and infinities, which JSON lacks.
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		return v, err == nil
	}
	return 0, false
}

// readThreshold returns a number, or NaN if the value is not one. Nothing passes against NaN.
func readThreshold(n *yaml.Node) float64 {
	if v, ok := readNumber(n); ok {
		return v
	}
	return math.NaN()
}

// readBool returns a boolean, or a string or number that ADK converts to one.
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

// readMatch returns a match type.
func readMatch(n *yaml.Node) (metric.Match, error) {
	if word, isText := n.Str(); isText {
		return metric.ParseMatch(word)
	}
	v, isNumber := readNumber(n)
	if !isNumber {
		v = math.NaN()
	}
	return metric.ParseMatch(v)
}

func isMatch(n *yaml.Node) bool {
	_, err := readMatch(n)
	return err == nil
}

// Mismatches returns the places where a file does not match its table, marked with whether ADK
// refuses them. It leaves out values that ADK accepts as meant: numbers and booleans as
// strings, other spellings of a match type, and null for optional values.
func (f File) Mismatches() []conform.Mismatch {
	t, root := TypeForRole(f.Role), f.Tree.Root()
	switch {
	case f.IsChunk && f.Role == Results:
		t = caseResultsType
	case f.IsChunk:
		t = casesType
	}
	if _, encoded := root.Str(); t == nil || f.Fragment() != nil || f.Tree.HasUnboundedAliases() || f.Role == Results && encoded {
		return nil
	}
	found := mismatches(metric.Latest, t, root)
	if list := misnamedCases(root); list != nil && f.Role == EvalSet {
		found = append(found, mismatches(metric.Latest, casesType, list)...)
	}
	return slices.DeleteFunc(found, func(m conform.Mismatch) bool { return !m.IsRefused && isAsMeant(m) })
}

// isAsMeant reports whether ADK converts a value to what it means, or the value is an explicit null.
func isAsMeant(m conform.Mismatch) bool {
	switch m.Kind {
	case conform.NoValue:
		return !m.Node.Span.Empty()
	case conform.WrongType, conform.UnknownValue:
		return true
	}
	return false
}

// findTooNew returns the keys that ADK 2.0 refuses because a later version added them. It also
// returns events without content, which only 2.0 requires.
func findTooNew(t *schema.Type, n *yaml.Node) (found []Refusal) {
	switch {
	case t.Kind == schema.List:
		for _, item := range n.List() {
			found = append(found, findTooNew(t.Items, item)...)
		}
		return found
	case !n.IsMap():
		return nil
	case t.Kind == schema.Union:
		for _, choice := range t.Choices {
			found = append(found, findTooNew(choice, n)...)
		}
		return found
	case t.HasVariants():
		t = t.VariantByKey(func(key string) bool { return n.Get(key) != nil })
	}
	if t == invocationEventType && n.Get("content") == nil {
		found = append(found, Refusal{Kind: conform.MissingKey, Span: n.Span, Node: n, Owner: t, Field: t.Field("content"), Key: "content"})
	}
	for _, p := range n.Entries() {
		f := t.Field(p.Key.Value)
		switch {
		case f == nil && t.OtherValues != nil:
			found = append(found, findTooNew(t.OtherValues, p.Value)...)
		case f == nil:
		case f.AddedIn != "" && t.OnUnknownKey != "":
			found = append(found, Refusal{Kind: conform.UnknownKey, Span: p.Key.Span, Node: n, Owner: t, Key: p.Key.Value})
		default:
			found = append(found, findTooNew(f.Type, p.Value)...)
		}
	}
	return found
}

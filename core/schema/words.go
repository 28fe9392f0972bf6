package schema

import (
	"fmt"
	"slices"
	"strings"
)

// Describe returns a type in words, such as "list of text". name returns the words for a type that
// has its own, or "". Of more than most listed values it names only that many; 0 means all.
func (t *Type) Describe(name func(*Type) string, most int) string {
	if words := name(t); words != "" {
		return words
	}
	describe := func(t *Type) string { return t.Describe(name, most) }
	switch t.Kind {
	case Text:
		var values []string
		for _, v := range slices.Concat(t.Values, t.KnownValues) {
			values = append(values, "`"+v.Text+"`")
		}
		if n := len(values) - most; most > 0 && n > 1 {
			values = append(values[:most:most], fmt.Sprintf("%d more", n))
		}
		if values == nil {
			return "text"
		}
		return joinChoices(values)
	case Number:
		return t.describeNumber()
	case Bool:
		return boolWords
	case List:
		if t.MinLength == t.MaxLength && t.MinLength > 0 {
			return fmt.Sprintf("list of %d, each %s", t.MinLength, describe(t.Items))
		}
		if t.Items.Kind == Union && name(t.Items) == "" {
			return "list, each " + describe(t.Items)
		}
		return "list of " + describe(t.Items)
	case Map:
		if t.OtherValues != nil && t.OtherValues.Kind != Any {
			return "mapping to " + describe(t.OtherValues)
		}
		return "mapping"
	case Union:
		return joinChoices(mapTypes(t.Choices, describe))
	}
	return "anything"
}

// Expectation returns in words what a message expects of a value, without what is inside: "a whole
// number from 0 to 10", "a text or a list".
func (t *Type) Expectation() string {
	switch t.Kind {
	case Text:
		if len(t.Values) == 1 {
			return "`" + t.Values[0].Text + "`"
		}
		return "a text"
	case Number:
		return "a " + t.describeNumber()
	case Bool:
		return boolWords
	case List:
		return "a list"
	case Map:
		return "a mapping"
	case Union:
		return joinChoices(mapTypes(t.Choices, (*Type).Expectation))
	}
	return "a value"
}

const boolWords = "`true` or `false`"

func mapTypes(types []*Type, words func(*Type) string) (all []string) {
	for _, t := range types {
		all = append(all, words(t))
	}
	return all
}

// joinChoices returns "a, b or c".
func joinChoices(all []string) string {
	last := len(all) - 1
	if last < 1 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// describeNumber returns the numbers that a type allows in words: "whole number from 0 to 10".
func (t *Type) describeNumber() string {
	noun := "number"
	if t.IsInteger {
		noun = "whole number"
	}
	switch {
	case t.ExcludesMin && t.Max != nil:
		return fmt.Sprintf("%s above %v and up to %v", noun, *t.Min, *t.Max)
	case t.ExcludesMin:
		return fmt.Sprintf("%s above %v", noun, *t.Min)
	case t.Min != nil && t.Max != nil:
		return fmt.Sprintf("%s from %v to %v", noun, *t.Min, *t.Max)
	case t.Min != nil:
		return fmt.Sprintf("%s of at least %v", noun, *t.Min)
	}
	return noun
}

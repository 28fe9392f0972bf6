// Package scalar writes YAML scalars: plain where they read back as the same text, quoted
// otherwise. Every edit and every generated file uses it.
package scalar

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Context is the syntactic position of a scalar, which decides whether it needs quotes.
type Context uint8

// The contexts.
const (
	Value     Context = iota // a mapping value or an item of a block list
	FlowValue                // a value inside brackets
	Key                      // a key of a block mapping
	FlowKey                  // a key inside brackets
)

// ContextOf returns the context of a node.
func ContextOf(n *yaml.Node) Context {
	where := Value
	if up := n.Parent; up != nil && up.Kind == yaml.Mapping && up.Pairs[n.Index].Key == n {
		where = Key
	}
	for up := n.Parent; up != nil; up = up.Parent {
		if up.Style == yaml.Flow {
			return where + 1
		}
	}
	return where
}

// Format writes a text: plain if it reads back as the same text, in double quotes otherwise.
func Format(value string, where Context) string {
	if CanBePlain(value, where) {
		return value
	}
	return Quote(value)
}

// escapeNoncharacters escapes the characters that JSON takes as they are and YAML does not.
var escapeNoncharacters = strings.NewReplacer("\uFFFE", `\ufffe`, "\uFFFF", `\uffff`)

// Quote writes a text in double quotes, with JSON's escapes.
func Quote(value string) string {
	encoded, _ := text.JSON(value) // a string always encodes
	return escapeNoncharacters.Replace(string(encoded))
}

// FormatLike writes a text in the style of n: with the same quotes, or plain if n is plain
// and the text allows it.
func FormatLike(n *yaml.Node, value string) string {
	switch n.Style {
	case yaml.DoubleQuoted:
		return Quote(value)
	case yaml.SingleQuoted:
		if single := "'" + strings.ReplaceAll(value, "'", "''") + "'"; readsAs(single, value, Value) {
			return single
		}
		return Quote(value)
	}
	return Format(value, ContextOf(n))
}

// CanBePlain reports whether a text can stand without quotes.
func CanBePlain(value string, where Context) bool {
	if value == "" || strings.ContainsAny(value, "\n\r\t") || strings.TrimSpace(value) != value {
		return false
	}
	return readsAs(value, value, where)
}

// surroundings is a small document around a scalar, for each context.
var surroundings = [...][2]string{
	Value: {"k: ", "\nl: x\n"}, FlowValue: {"{k: ", ", l: x}\n"}, Key: {"", ": x\nl: x\n"}, FlowKey: {"{", ": x, l: x}\n"},
}

// readsAs reports whether written, placed in a context, parses as the string value and as
// nothing else.
func readsAs(written, value string, where Context) bool {
	tree := yaml.Parse(text.New("", surroundings[where][0]+written+surroundings[where][1]))
	pairs := tree.Root().Pairs
	if len(tree.Problems)+len(tree.Comments) > 0 || len(tree.Docs) > 1 || len(pairs) != 2 {
		return false
	}
	n := pairs[0].Value
	if where == Key || where == FlowKey {
		n = pairs[0].Key
	}
	got, ok := n.Str()
	return ok && n.Kind == yaml.Scalar && n.Span.Len() == len(written) && got == value
}

package scalar

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Place is where a scalar is going to stand.
type Place uint8

// The places in which different texts need quotes.
const (
	Value     Place = iota // an item of a block list too
	FlowValue              // between brackets
	Key                    // a block mapping's
	FlowKey                // between brackets
)

// PlaceOf is where a node stands.
func PlaceOf(n *yaml.Node) Place {
	place := Value
	if up := n.Parent; up != nil && up.Kind == yaml.Mapping && up.Pairs[n.Index].Key == n {
		place = Key
	}
	for up := n.Parent; up != nil; up = up.Parent {
		if up.Style == yaml.Flow {
			return place + 1
		}
	}
	return place
}

// Word writes a text: plain where the same text is read from that, else in double
// quotes.
func Word(value string, place Place) string {
	if Plain(value, place) {
		return value
	}
	return Quoted(value)
}

// Quoted writes a text in double quotes, as JSON does.
func Quoted(value string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil { // no text is such that it fails
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Like writes a text in the way that a node is written, where it can be: quoted
// where that is, plain where it is.
func Like(n *yaml.Node, value string) string {
	switch n.Style {
	case yaml.DoubleQuoted:
		return Quoted(value)
	case yaml.SingleQuoted:
		if single := "'" + strings.ReplaceAll(value, "'", "''") + "'"; reads(single, value, Value) {
			return single
		}
		return Quoted(value)
	}
	return Word(value, PlaceOf(n))
}

// Plain reports whether a text can stand without quotes.
func Plain(value string, place Place) bool {
	if value == "" || strings.ContainsAny(value, "\n\r\t") || strings.TrimSpace(value) != value {
		return false
	}
	return prose(value) || reads(value, value, place)
}

// prose reports whether a text is words with nothing among them that YAML reads
// otherwise than as a text: most that are written are, and to read each back is
// what writing a large file would cost.
func prose(value string) bool {
	for i := range len(value) {
		switch c := value[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && (c == ' ' || c == '.' || c == '_' || '0' <= c && c <= '9'):
		default:
			return false
		}
	}
	const longest = 1000 // of keys, nearly
	switch strings.ToLower(value) {
	case "true", "false", "null":
		return false
	}
	return len(value) < longest
}

// around is a small document with a scalar in each place.
var around = [...][2]string{
	Value: {"k: ", "\nl: x\n"}, FlowValue: {"{k: ", ", l: x}\n"}, Key: {"", ": x\nl: x\n"}, FlowKey: {"{", ": x, l: x}\n"},
}

// reads reports whether a text is read from what is written in a place, and
// nothing else is.
func reads(written, value string, place Place) bool {
	tree := yaml.Parse(text.New("", around[place][0]+written+around[place][1]))
	pairs := tree.Root().Pairs
	if len(tree.Problems)+len(tree.Comments) > 0 || len(tree.Docs) > 1 || len(pairs) != 2 {
		return false
	}
	n := pairs[0].Value
	if place == Key || place == FlowKey {
		n = pairs[0].Key
	}
	got, ok := n.Str()
	return ok && n.Kind == yaml.Scalar && n.Span.Len() == len(written) && got == value
}

package yaml

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

// Any returns the node as plain Go values: map[string]any, []any, string, bool, nil, and float64
// for every number. These are the types of encoding/json, so that a value of a YAML file equals the
// same value in a reply. Aliases and merge keys are expanded up to MaxExpandedNodes nodes; the rest
// is nil, which [Parse] reports. Keys are their text; a key that is a collection is left out.
func (n *Node) Any() any {
	return (&expander{scalar: (*Node).scalarValue}).expand(n, false)
}

// Exact is Any with every number as a [json.Number], as written if JSON allows it. Numbers that
// JSON lacks, such as .inf, are their text.
func (n *Node) Exact() any {
	return n.AnyWith(func(n *Node) any {
		value := n.scalarValue()
		if number, ok := value.(float64); ok {
			return n.jsonNumber(number)
		}
		return value
	})
}

// AnyWith is Any for a reader that takes scalars otherwise.
func (n *Node) AnyWith(scalar func(*Node) any) any {
	return (&expander{scalar: scalar}).expand(n, false)
}

// An expander counts the nodes that it reaches through aliases. Files without aliases may be of any
// size.
type expander struct {
	expanded int
	scalar   func(*Node) any // returns the value of a scalar
}

// exceedsLimit counts one node and reports whether the limit is exceeded.
func (e *expander) exceedsLimit() bool {
	e.expanded++
	return e.expanded > MaxExpandedNodes
}

func (e *expander) expand(n *Node, aliased bool) any {
	if n != nil && n.Kind == Alias {
		n, aliased = n.Follow(), true
	}
	if n == nil || aliased && e.exceedsLimit() {
		return nil
	}
	switch n.Kind {
	case Mapping:
		out := make(map[string]any, len(n.Pairs))
		for _, p := range n.Entries() {
			name, _ := p.keyText()
			out[name] = e.expand(p.Value, aliased || p.Key.Parent != n)
		}
		return out
	case Sequence:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = e.expand(item, aliased)
		}
		return out
	}
	return e.scalar(n)
}

// jsonNumber returns number in JSON's notation, as written if that is JSON.
func (n *Node) jsonNumber(number float64) any {
	switch {
	case json.Valid([]byte(n.Value)):
		return json.Number(n.Value)
	case math.IsInf(number, 0) || math.IsNaN(number):
		return n.Value
	}
	return json.Number(strconv.FormatFloat(number, 'g', -1, 64))
}

func (n *Node) scalarValue() any {
	switch n.Tag {
	case TagNull:
		return nil
	case TagBool:
		value, _ := n.Bool()
		return value
	case TagInt, TagFloat:
		if number, ok := n.Number(); ok {
			return number
		}
	}
	return n.Value
}

// EncodeJSON encodes n as JSON with its keys in source order. A non-empty indent puts values on
// lines of their own, unless n is nested deeper than MaxDepth. Aliases are expanded within the
// limit of [Node.Any].
func EncodeJSON(n *Node, indent string) string {
	w := &jsonWriter{}
	w.writeValue(n, 0, false)
	if indent == "" || w.deepest > MaxDepth {
		return w.String()
	}
	var out bytes.Buffer
	_ = json.Indent(&out, []byte(w.String()), "", indent) // w holds valid JSON
	return out.String()
}

type jsonWriter struct {
	strings.Builder
	expander
	deepest int
}

func (w *jsonWriter) writeValue(n *Node, depth int, aliased bool) {
	w.deepest = max(w.deepest, depth)
	if n != nil && n.Kind == Alias {
		n, aliased = n.Follow(), true
	}
	if n == nil || aliased && w.exceedsLimit() {
		w.WriteString("null")
		return
	}
	switch n.Kind {
	case Mapping:
		w.WriteByte('{')
		for i, p := range n.Entries() {
			if i > 0 {
				w.WriteByte(',')
			}
			name, _ := p.keyText()
			w.write(name)
			w.WriteByte(':')
			w.writeValue(p.Value, depth+1, aliased || p.Key.Parent != n)
		}
		w.WriteByte('}')
	case Sequence:
		w.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				w.WriteByte(',')
			}
			w.writeValue(item, depth+1, aliased)
		}
		w.WriteByte(']')
	default:
		w.write(n.scalarValue())
	}
}

// write writes a scalar value, null for an infinity or NaN.
func (w *jsonWriter) write(value any) {
	encoded, err := text.JSON(value)
	if err != nil {
		encoded = []byte("null")
	}
	w.Write(encoded)
}

// Plain scalars by the core schema of YAML 1.2 (§10.3.2).
var (
	intScalar   = pattern.New(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	floatScalar = pattern.New(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

const decimalDigits = "0123456789"

// scalarTag returns the tag of a plain scalar by the core schema. The library's own answer is
// closer to YAML 1.1 and is not used.
func scalarTag(value string) string {
	switch value {
	case "", "~", "null", "Null", "NULL":
		return TagNull
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return TagBool
	}
	switch {
	case strings.IndexByte("+-."+decimalDigits, value[0]) < 0: // fast path for text
	case intScalar().MatchString(value):
		return TagInt
	case floatScalar().MatchString(value):
		return TagFloat
	}
	return TagStr
}

// parseNumber returns the value of a scalar that the core schema calls a number; false for any
// other text. Values beyond a float's range are infinite.
func parseNumber(value string) (float64, bool) {
	switch scalarTag(value) {
	case TagInt:
		if len(value) > 2 && value[0] == '0' && (value[1] == 'o' || value[1] == 'x') {
			base := map[byte]float64{'o': 8, 'x': 16}[value[1]]
			total := 0.0
			for _, digit := range value[2:] {
				n, _ := strconv.ParseUint(string(digit), 16, 8)
				total = total*base + float64(n)
			}
			return total, true
		}
	case TagFloat:
		switch lower := strings.ToLower(value); {
		case lower == ".nan":
			return math.NaN(), true
		case strings.HasSuffix(lower, ".inf"):
			sign := 1
			if lower[0] == '-' {
				sign = -1
			}
			return math.Inf(sign), true
		}
	default:
		return 0, false
	}
	number, _ := strconv.ParseFloat(value, 64) // a range error still returns an infinity
	return number, true
}

// keyText returns the key as text, and false for a key that is a collection.
func (p *Pair) keyText() (string, bool) {
	key := p.Key.Follow()
	if key == nil || key.Kind != Scalar {
		return "", false
	}
	return key.Value, true
}

// IsMerge reports whether the pair is a merge key, `<<`.
func (p *Pair) IsMerge() bool {
	k := p.Key
	return k.Kind == Scalar && (k.Style == Plain && k.Value == "<<" && !k.Tagged || k.Tag == "!!merge")
}

// mergeSources returns the values that a merge key includes, which may be of any kind. It is false
// if the value is neither a mapping nor a sequence.
func (p *Pair) mergeSources() ([]*Node, bool) {
	switch {
	case p.Value.IsMap():
		return []*Node{p.Value}, true
	case p.Value.IsSeq():
		return p.Value.List(), true
	}
	return nil, false
}

// Pair returns the entry for key in a mapping, aliases followed, or nil. The last of duplicate keys
// wins. An own entry wins over a merged one, and the first merged one over later ones.
func (n *Node) Pair(key string) *Pair {
	if !n.IsMap() {
		return nil
	}
	own := n.Follow().Pairs
	for _, p := range slices.Backward(own) {
		if name, ok := p.keyText(); ok && name == key && !p.IsMerge() {
			return p
		}
	}
	if !slices.ContainsFunc(own, (*Pair).IsMerge) {
		return nil
	}
	for _, p := range n.Entries() {
		if name, _ := p.keyText(); name == key {
			return p
		}
	}
	return nil
}

// Entries returns the effective entries of a mapping, aliases followed. First come its own pairs in
// order, only the last of duplicates; then the merged pairs. Pairs whose key is a collection are
// left out. Merged pairs beyond MaxExpandedNodes are left out too; [Parse] reports them.
func (n *Node) Entries() []*Pair {
	mapping := n.Follow()
	isSpecial := func(p *Pair) bool { return p.Key.Kind != Scalar || p.IsMerge() }
	if mapping == nil {
		return nil
	}
	if !slices.ContainsFunc(mapping.Pairs, isSpecial) && !mayHaveDuplicates(mapping) {
		return slices.Clip(mapping.Pairs)
	}
	c := entryCollector{index: map[string]int{}, seen: map[*Node]bool{}}
	c.add(mapping, false)
	return c.pairs
}

type entryCollector struct {
	pairs       []*Pair
	index       map[string]int // position in pairs by key
	seen        map[*Node]bool
	mergedCount int
}

func (c *entryCollector) add(n *Node, merged bool) {
	if n == nil || n.Kind != Mapping || c.seen[n] || c.mergedCount > MaxExpandedNodes {
		return
	}
	c.seen[n] = true // a second time adds nothing
	before := len(c.pairs)
	for _, p := range n.Pairs {
		name, ok := p.keyText()
		if !ok || p.IsMerge() {
			continue
		}
		if merged {
			c.mergedCount++
		}
		i, known := c.index[name]
		switch {
		case !known:
			c.index[name] = len(c.pairs)
			c.pairs = append(c.pairs, p)
		case i >= before:
			c.pairs[i] = p
		}
	}
	for _, p := range n.Pairs {
		if p.IsMerge() {
			sources, _ := p.mergeSources()
			for _, source := range sources {
				c.add(source.Follow(), true)
			}
		}
	}
}

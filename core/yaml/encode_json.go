package yaml

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// EncodeJSON writes the node as JSON with its keys in the order in which they stand,
// which Go's maps forget. With an indent it is on lines of their own, unless it
// is nested beyond MaxDepth. Aliases are expanded within the same budget as in
// [Node.Any].
func EncodeJSON(n *Node, indent string) string {
	w := &jsonWriter{}
	w.writeValue(n, 0, false)
	if indent == "" || w.deepest > MaxDepth {
		return w.String()
	}
	var out bytes.Buffer
	_ = json.Indent(&out, []byte(w.String()), "", indent) // what is written here is JSON
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
			w.writeText(name)
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
		w.writeScalar(n)
	}
}

func (w *jsonWriter) writeScalar(n *Node) {
	switch v := n.scalarValue().(type) {
	case nil:
		w.WriteString("null")
	case bool:
		w.WriteString(strconv.FormatBool(v))
	case float64:
		raw, err := json.Marshal(v)
		if err != nil { // an infinity or NaN, which JSON has not
			raw = []byte("null")
		}
		w.Write(raw)
	case string:
		w.writeText(v)
	}
}

func (w *jsonWriter) writeText(s string) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	w.WriteString(strings.TrimSuffix(b.String(), "\n"))
}

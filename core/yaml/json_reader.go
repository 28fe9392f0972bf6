package yaml

import (
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// ParseJSON reads src if it is JSON in brackets. The tree equals that of [Parse]. ParseJSON returns
// nil for any other text, and for text that Parse reports: a tab outside the root, an invisible
// character.
func ParseJSON(src *text.Source) *Tree {
	root := readJSON(src.Body, 0)
	if root == nil {
		return nil
	}
	t := &Tree{Source: src, Docs: []*Document{{Root: root, Span: src.Whole()}}}
	t.checkDocuments(nil)
	return t
}

// readJSON reads the text of body from pos on with the standard library, into the same nodes as
// library and aligner. It returns nil where [ParseJSON] does.
func readJSON(body string, pos int) *Node {
	if len(body) > MaxBytes {
		return nil
	}
	if pos == 0 {
		pos = len(body) - len(strings.TrimPrefix(body, lines.ByteOrderMark))
	}
	content := strings.TrimLeft(body[pos:], " \r\n")
	if content == "" || content[0] != '{' && content[0] != '[' || hasUnsafeRunes(content) {
		return nil
	}
	r := jsonReader{body: body, start: len(body) - len(content), decoder: json.NewDecoder(strings.NewReader(content))}
	r.pos = r.start
	r.decoder.UseNumber()
	root := r.readNode(0)
	if root == nil || strings.Trim(body[r.pos:], " \r\n") != "" {
		return nil
	}
	return root
}

// A jsonReader reads one JSON value. Its methods return nil for text that is not JSON.
type jsonReader struct {
	body    string
	start   int // of the value
	pos     int // everything before pos is read
	decoder *json.Decoder
}

// readToken returns the next token and its span.
func (r *jsonReader) readToken() (token json.Token, span text.Span, err error) {
	token, err = r.decoder.Token()
	for r.pos < len(r.body) && strings.IndexByte(" \t\r\n,:", r.body[r.pos]) >= 0 {
		r.pos++
	}
	span.Start = r.pos
	r.pos = r.start + int(r.decoder.InputOffset())
	span.End = r.pos
	return token, span, err
}

func (r *jsonReader) readNode(depth int) *Node {
	token, span, err := r.readToken()
	if err != nil {
		return nil
	}
	n := &Node{Span: span, Value: r.body[span.Start:span.End]}
	switch value := token.(type) {
	case json.Delim:
		n.Style, n.Value = Flow, ""
		if depth == MaxDepth || !r.readChildren(n, value, depth+1) {
			return nil
		}
	case string:
		n.Style, n.Tag, n.Value = DoubleQuoted, TagStr, n.Value[1:len(n.Value)-1]
		if strings.IndexByte(n.Value, '\\') >= 0 {
			n.Value = value // else the value is a part of the text, to save memory
		}
	case bool:
		n.Tag = TagBool
	case nil:
		n.Tag = TagNull
	case json.Number:
		n.Tag = TagInt
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = TagFloat
		}
	}
	return n
}

// readChildren reads the rest of the collection n that begins with a bracket.
func (r *jsonReader) readChildren(n *Node, bracket json.Delim, depth int) bool {
	n.Kind, n.Tag = Sequence, TagSeq
	if bracket == '{' {
		n.Kind, n.Tag = Mapping, TagMap
	}
	for r.decoder.More() {
		child := r.readNode(depth)
		if child == nil {
			return false
		}
		if n.Kind == Sequence {
			n.addItem(child)
			continue
		}
		value := r.readNode(depth)
		if value == nil {
			return false
		}
		n.addPair(&Pair{Key: child, Value: value})
	}
	_, end, err := r.readToken()
	n.Span.End = end.End
	return err == nil
}

// Package yaml parses any text into a tree with an exact span for every key, value, item and
// comment.
//
// [Parse] never fails. Text that no parser accepts still gives a tree, and each [Problem] says what
// is wrong and what was left out. The library go.yaml.in/yaml/v4 does the parsing. This package
// adds what an editor needs: the end of every node and the targets of aliases. Package recover makes
// text with syntax errors readable for the library.
//
// JSON is a subset of YAML. [ParseJSON] builds the same nodes with encoding/json in a fraction of the
// time, because large eval files are JSON. [ParseJSONL] reads JSONL, one document a line.
//
// Plain scalars get their types from the core schema of YAML 1.2, as in the runners of eval files:
// `yes`, `1:30` and `2026-01-01` are strings, `0777` is 777.
//
// The package never writes YAML, never reads files, and knows nothing about evals.
package yaml

import (
	"encoding/json"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
	"github.com/rubric-ls/rubric/core/yaml/recover"
)

// ParseJSONL reads src as JSONL: one document on every line that is not blank. A line with a syntax
// error is a problem and gives no document. A line that is YAML but not JSON is a problem and gives
// a document. The span of a document is its line.
func ParseJSONL(src *text.Source) *Tree {
	t := &Tree{Source: src}
	if t.rejectUnreadable() {
		return t
	}
	for n := range src.Lines() {
		t.addLine(src.LineSpan(n))
	}
	if len(t.Docs) == 0 {
		t.Docs = []*Document{emptyDocument(src.Whole())}
	}
	t.checkDocuments(nil)
	return t
}

// addLine adds the document on a line of JSONL.
func (t *Tree) addLine(line text.Span) {
	body := t.Source.Body[:line.End]
	if lines.SkipSpace(body, line.Start) == line.End {
		return
	}
	if root := readJSON(body, line.Start); root != nil {
		t.Docs = append(t.Docs, &Document{Root: root, Span: line})
		return
	}
	read := readYAMLLine(body[line.Start:])
	read.MapSpans(func(span text.Span) text.Span { return span.Shift(line.Start) })
	for _, doc := range read.Docs {
		doc.Span = line
	}
	t.Docs, t.Comments, t.Problems = append(t.Docs, read.Docs...), append(t.Comments, read.Comments...), append(t.Problems, read.Problems...)
}

// readYAMLLine reads a line that is not JSON. The tree has no documents if the line is not YAML
// either.
func readYAMLLine(line string) *Tree {
	t := &Tree{Source: text.New("", line)}
	body, s := sanitize(line)
	if s != nil {
		t.Problems = s.problems
	}
	docs, fail := recover.Load(body)
	if fail != nil {
		t.addLost(fail.Problem(body, t.Source.Whole()))
		return t
	}
	if !json.Valid([]byte(strings.TrimPrefix(strings.TrimSpace(body), "\ufeff"))) {
		t.Problems = append(t.Problems, Problem{
			Kind: SyntaxProblem, Span: t.Source.Whole(), Message: "this line is YAML, not JSON: put keys and texts in double quotes and remove trailing commas",
		})
	}
	a := &aligner{source: line, body: body, sanitizer: s}
	for _, doc := range docs {
		t.Docs = append(t.Docs, a.alignDocument(doc))
	}
	a.skipTrivia()
	t.Comments, t.Problems = append(t.Comments, a.comments...), append(t.Problems, a.problems...)
	return t
}

// SplitJSONL divides JSONL into its lines. Blank lines belong to the line before. It returns nil
// for text that has no lines or is unsplittable.
func SplitJSONL(body string) []text.Span {
	first := lines.ContentLine(body)
	if isUnsplittable(body) || first == len(body) {
		return nil
	}
	var spans []text.Span
	span := text.Span{}
	for line := lines.Next(body, lines.End(body, first)); line < len(body); line = lines.Next(body, lines.End(body, line)) {
		if !lines.IsBlankLine(body, line) {
			span.End = line
			spans = append(spans, span)
			span.Start = line
		}
	}
	span.End = len(body)
	return append(spans, span)
}

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

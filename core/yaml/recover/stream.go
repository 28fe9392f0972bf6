package recover

import (
	"io"
	"slices"
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// A Stream loads chunks of one file as documents of one stream. With a loader for each chunk, loading
// takes a quarter longer, and a run checks its whole file before the first request.
type Stream struct {
	texts  []string
	next   int
	loader *loader // nil after a failure, behind which the library does not continue
}

// NewStream returns a stream of texts.
func NewStream(texts []string) *Stream { return &Stream{texts: texts} }

// Next loads the next text. It returns nil if the text must be loaded by itself: it fails, or may
// not be one document with a list.
func (s *Stream) Next() *library.Node {
	if s.loader == nil {
		s.loader = newLoader(&documents{texts: s.texts[s.next:]})
	}
	isDocument := isOneDocument(s.texts[s.next])
	s.next++
	doc, err := s.loader.next()
	if err != nil {
		s.loader = nil
		return nil
	}
	if !isDocument || len(doc.Content) != 1 || doc.Content[0].Kind != library.SequenceNode {
		return nil
	}
	return doc
}

// isOneDocument reports whether a text has no mark of a document or directive. It must end with a line
// break, because that of `---` would end its last block scalar.
func isOneDocument(body string) bool {
	begins := func(mark string) bool {
		return strings.HasPrefix(body, mark) || strings.Contains(body, "\n"+mark) || strings.Contains(body, "\r"+mark)
	}
	return strings.HasSuffix(body, "\n") && lines.ContentStart(body) == 0 && !slices.ContainsFunc([]string{"---", "...", "%"}, begins)
}

// documents reads texts, each behind `---`. A text that is not one document is read as an empty one.
type documents struct {
	texts      []string
	rest, then string // of the current text
}

// Read implements io.Reader.
func (d *documents) Read(p []byte) (int, error) {
	if d.rest == "" {
		d.rest, d.then = d.then, ""
	}
	if d.rest == "" {
		if len(d.texts) == 0 {
			return 0, io.EOF
		}
		if d.rest = "---\n"; isOneDocument(d.texts[0]) {
			d.then = d.texts[0]
		}
		d.texts = d.texts[1:]
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

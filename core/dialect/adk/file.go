// Package adk reads the eval files of Google's Agent Development Kit (ADK): evalsets, the older
// lists of turns, configurations that name metrics, and result files with recorded
// conversations.
//
// [Open] reads any of these files. It accepts comments and trailing commas in JSON, which ADK
// refuses. The field tables say what ADK does with a file: it refuses the file, does not evaluate a
// metric, or ignores something silently. ADK checks criteria in two phases, the second during a run,
// and a criterion may have any key.
//
// The package reads syntax trees. It opens no files and words no diagnostics.
package adk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// File is a file of this dialect after reading.
type File struct {
	Role   Role
	Body   string
	Tree   *yaml.Tree
	JSON   bool     // the name says that the file is JSON
	Excess []Excess // parts that JSON does not allow; empty for YAML
	// Fault is the first place, apart from Excess, where a JSON file is not JSON that Python reads. It
	// is nil if there is none.
	Fault *text.Span
	wraps bool // the text is only a fragment; see [File.Whole]

	// IsChunk says that the file is one chunk of a list of cases; the root of its tree is a list.
	// MissingComma is the place where the comma before the next chunk is missing, or nil.
	IsChunk      bool
	MissingComma *text.Span
}

// Excess is a part of a text that JSON does not allow and that can be removed without loss.
type Excess struct {
	Kind ExcessKind
	Span text.Span
}

// ExcessKind is a kind of excess, in words.
type ExcessKind string

const (
	ByteOrderMark ExcessKind = "a byte order mark" // at the start
	Comment       ExcessKind = "a comment"         // from // to the end of the line, or from /* to */
	TrailingComma ExcessKind = "a comma before a closing bracket"
)

// Open reads a file. Its name decides the role and whether the file is JSON. Open accepts comments
// and trailing commas in JSON. All spans refer to the original text.
func Open(name, body string) File { return OpenSource(name, text.New(name, body)) }

// OpenSource is [Open] for a text that is already a source.
func OpenSource(name string, src *text.Source) File {
	f := File{Body: src.Body, JSON: IsJSON(name)}
	if f.JSON {
		f.Excess = findExcess(src.Body)
		f.readJSON(src, f.Excess)
	} else {
		f.Tree = yaml.Parse(src)
	}
	if !f.Tree.HasUnboundedAliases() {
		f.Role = RoleOf(name, f.Tree.Root())
	}
	return f
}

// readJSON reads the text, without parts that JSON does not allow, as JSON or at least as YAML.
func (f *File) readJSON(src *text.Source, parts []Excess) {
	f.Tree = yaml.ParseJSON(text.New(src.Name, f.asList(blank(src.Body, parts))))
	if f.Tree == nil {
		f.Fault = findFault(f.asList(blank(src.Body, parts)))
		f.Tree = yaml.Parse(text.New(src.Name, f.WithoutComments()))
	}
	f.Tree.Comments = commentsIn(src.Body, f.Excess)
	f.Tree.Source = src // has the same length and lines as the blanked text
}

// IsJSON reports whether a file name has the extension of JSON.
func IsJSON(name string) bool { return strings.EqualFold(path.Ext(name), ".json") }

// commentsIn returns the comments among the excess.
func commentsIn(body string, parts []Excess) (all []yaml.Comment) {
	for _, p := range parts {
		if p.Kind == Comment {
			comment := strings.TrimSuffix(strings.TrimLeft(body[p.Span.Start:p.Span.End], "/*"), "*/")
			all = append(all, yaml.Comment{Text: strings.TrimSpace(comment), Span: p.Span})
		}
	}
	return all
}

// findExcess returns a byte order mark, and the comments and trailing commas outside of strings, in order.
func findExcess(body string) (found []Excess) {
	if strings.HasPrefix(body, lines.ByteOrderMark) {
		found = append(found, Excess{ByteOrderMark, text.Span{End: len(lines.ByteOrderMark)}})
	}
	comma := -1 // the last comma, if only space and comments follow it
	for i := 0; i < len(body); {
		end := i + 1
		switch c := body[i]; {
		case c == '"':
			end, comma = stringEnd(body, i), -1
		case c == '/' && i+1 < len(body) && (body[i+1] == '/' || body[i+1] == '*'):
			end = commentEnd(body, i)
			found = append(found, Excess{Comment, text.Span{Start: i, End: end}})
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			found = append(found, Excess{TrailingComma, text.Span{Start: comma, End: comma + 1}})
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
		i = end
	}
	generic.SortStable(found, func(a, b Excess) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return found
}

// stringEnd returns the offset after the string that begins at start, or the end of its line if it
// is not closed.
func stringEnd(body string, start int) int {
	for i := start + 1; i < len(body); i++ {
		switch body[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(body)
}

func commentEnd(body string, start int) int {
	mark, after := "\n", 0
	if body[start+1] == '*' {
		mark, after = "*/", 2
	}
	n := strings.Index(body[start+2:], mark)
	if n < 0 {
		return len(body)
	}
	if after == 0 {
		return start + 2 + len(strings.TrimSuffix(body[start+2:start+2+n], "\r"))
	}
	return start + 2 + n + after
}

// blank returns the text with spaces in place of parts.
func blank(body string, parts []Excess) string {
	if len(parts) == 0 {
		return body
	}
	out := []byte(body)
	for _, p := range parts {
		for i := p.Span.Start; i < p.Span.End; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

// pythonNumbers maps the numbers that Python accepts in JSON and Go does not to valid ones of the
// same length.
var pythonNumbers = map[string]string{"NaN": "0  ", "Infinity": "0       "}

// WithoutComments returns the text with spaces in place of comments. The text of a chunk becomes a
// list.
func (f File) WithoutComments() string {
	isComma := func(e Excess) bool { return e.Kind == TrailingComma }
	return f.asList(blank(f.Body, slices.DeleteFunc(slices.Clone(f.Excess), isComma)))
}

// asList returns the text of a chunk as a list with one item. Brackets replace the blank at its
// start and the line break at its end. It returns other text as it is.
func (f File) asList(body string) string {
	if !f.IsChunk {
		return body
	}
	return "[" + body[1:len(body)-1] + "]"
}

// findFault returns the first place where a text is not JSON that Python reads, or nil if there is
// none.
func findFault(body string) *text.Span {
	clean := []byte(body)
	for i := 0; i < len(clean); i++ {
		if clean[i] == '"' {
			i = stringEnd(body, i) - 1
			continue
		}
		for word, digit := range pythonNumbers {
			if bytes.HasPrefix(clean[i:], []byte(word)) {
				copy(clean[i:], digit)
			}
		}
	}
	var value json.RawMessage
	err := json.Unmarshal(clean, &value)
	if err == nil {
		return nil
	}
	start := 0
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		start = max(0, int(syntax.Offset)-1)
	}
	end := min(start+1, len(body))
	return &text.Span{Start: min(start, end), End: end}
}

package adk

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// File is a file of this dialect as it was read.
type File struct {
	Role   Role
	Body   string
	Tree   *yaml.Tree
	JSON   bool     // it is to be JSON, by its name
	Excess []Excess // what JSON has not; empty for YAML
	// Fault is the first place where a JSON file is not the JSON that Python reads,
	// but for Excess; nil if there is none.
	Fault *text.Span

	// IsChunk says that the file is a stretch of a list of cases: the root of
	// its tree is a list with the one in it. Unparted is then where the comma is
	// missing that parts it from the next one; nil if none is.
	IsChunk      bool
	MissingComma *text.Span

	compact *compactCases // see Glance
}

// Excess is a part of a text that JSON does not have, and that can be taken away
// without loss.
type Excess struct {
	Kind ExcessKind
	Span text.Span
}

// ExcessKind tells parts that JSON has not apart.
type ExcessKind string

const (
	Comment       ExcessKind = "comment"        // from // to the end of the line, or from /* to */
	TrailingComma ExcessKind = "trailing-comma" // before a closing bracket
)

// Open reads a file. Its name says which it is and whether it is JSON. Comments
// and trailing commas of JSON are read past; all places are those of the text.
func Open(name, body string) File { return OpenSource(name, text.New(name, body)) }

// OpenSource is [Open] of a text that is at hand as a source.
func OpenSource(name string, src *text.Source) File {
	f := File{Body: src.Body, JSON: IsJSON(name)}
	if f.JSON {
		f.readJSON(src)
	} else {
		f.Tree = yaml.Parse(src)
	}
	if !f.Tree.HasUnboundedAliases() {
		f.Role = RoleOf(name, f.Tree.Root())
	}
	return f
}

// readJSON reads what is to be JSON.
func (f *File) readJSON(src *text.Source) {
	marked := strings.HasPrefix(src.Body, "\uFEFF") // which is a fault
	tree, commas := yaml.ParseJSON(src)
	if tree != nil && !marked {
		f.Tree, f.Excess = tree, trailingCommas(commas)
		return
	}
	f.Excess = findExcess(src.Body)
	f.Tree, _ = yaml.ParseJSON(text.New(src.Name, blankComments(src.Body, f.Excess)))
	if f.Tree == nil || marked {
		f.Fault = faultSpan(src.Body, f.Excess)
	}
	if f.Tree == nil {
		f.Tree = yaml.Parse(text.New(src.Name, blankComments(src.Body, f.Excess)))
	}
	if len(f.Excess) > 0 {
		f.Tree.Comments = commentsIn(src.Body, f.Excess)
	}
	f.Tree.Source = src // of the same length, and with the same lines
}

// trailingCommas are commas that stand before closing brackets.
func trailingCommas(commas []text.Span) (found []Excess) {
	for _, span := range commas {
		found = append(found, Excess{TrailingComma, span})
	}
	return found
}

// IsJSON reports whether a file is to be JSON, by its name.
func IsJSON(name string) bool { return strings.EqualFold(path.Ext(name), ".json") }

// commentsIn are those among what JSON has not.
func commentsIn(body string, parts []Excess) (all []yaml.Comment) {
	for _, p := range parts {
		if p.Kind == Comment {
			words := strings.TrimSuffix(strings.TrimLeft(body[p.Span.Start:p.Span.End], "/*"), "*/")
			all = append(all, yaml.Comment{Text: strings.TrimSpace(words), Span: p.Span})
		}
	}
	return all
}

// findExcess finds the comments and trailing commas of a text, outside of its
// strings, in order.
func findExcess(body string) []Excess {
	var found []Excess
	comma := -1 // the last one, if nothing but space and comments came after it
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
	slices.SortStableFunc(found, func(a, b Excess) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return found
}

// stringEnd is the place after the string that begins at start, or the end of
// its line if it is not closed.
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
	if n := strings.Index(body[start+2:], mark); n >= 0 {
		return start + 2 + n + after
	}
	return len(body)
}

// blankComments is a text with spaces for the comments. Trailing commas may stay.
func blankComments(body string, parts []Excess) string {
	if len(parts) == 0 {
		return body
	}
	out := []byte(body)
	for _, p := range parts {
		for i := p.Span.Start; p.Kind == Comment && i < p.Span.End; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	return string(out)
}

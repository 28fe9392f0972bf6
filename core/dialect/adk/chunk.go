package adk

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ReadChunk reads a case that [Split] has cut out of a file with a role; last says that
// none comes after it.
func ReadChunk(role Role, src *text.Source, last bool) File {
	f := File{Role: role, Body: src.Body, JSON: true, IsChunk: true}
	tree, commas := yaml.ParseItems(src)
	if tree == nil {
		f.readLenientChunk(src, last)
		return f
	}
	f.Tree = tree
	n, end := len(commas)-1, len(strings.TrimRight(src.Body, " \t\r\n"))
	hasComma := n >= 0 && commas[n].End == end
	switch {
	case hasComma && !last:
		commas = commas[:n]
	case !last:
		f.MissingComma = &text.Span{Start: max(end-1, 0), End: end}
	}
	f.Excess = trailingCommas(commas)
	return f
}

// readLenientChunk reads a part that is not the JSON of items as it is.
func (f *File) readLenientChunk(src *text.Source, last bool) {
	f.Excess = findExcess(src.Body)
	end, parts := f.contentEnd(), f.chunkExcess()
	if last {
		f.Excess = parts
	}
	plain := f.WithoutComments()
	f.Fault = faultSpan(plain, parts)
	switch hasComma := end > 0 && src.Body[end-1] == ','; {
	case f.Fault != nil && f.Fault.Start >= end: // what closes it does not stand there
		f.Fault = &text.Span{Start: max(end-1, 0), End: end}
	case f.Fault == nil && !hasComma && !last:
		f.MissingComma = &text.Span{Start: max(end-1, 0), End: end}
	}
	if strings.HasPrefix(plain, "[") {
		f.Tree = yaml.Parse(text.New(src.Name, plain))
	} else {
		f.Tree = yaml.Parse(text.New(src.Name, "["+plain+"]"))
		f.Tree.MapSpans(func(span text.Span) text.Span {
			return text.Span{Start: max(span.Start-1, 0), End: min(max(span.End-1, 0), len(plain))}
		})
	}
	f.Tree.Source = src // of the same length
	f.Tree.Comments = commentsIn(src.Body, f.Excess)
}

// contentEnd is where a part ends, but for blanks and comments.
func (f File) contentEnd() int {
	return len(strings.TrimRight(blankComments(f.Body, f.Excess), " \t\r\n"))
}

// chunkExcess is what a part has that JSON has not, the comma that parts it from the
// next one included.
func (f File) chunkExcess() []Excess {
	end := f.contentEnd()
	if end == 0 || f.Body[end-1] != ',' {
		return f.Excess
	}
	comma := Excess{TrailingComma, text.Span{Start: end - 1, End: end}}
	if slices.Contains(f.Excess, comma) {
		return f.Excess
	}
	return append(slices.Clip(f.Excess), comma)
}

// asList is a part's text as the list that it is one item of: the blank that it
// begins with and the line break that it ends with are brackets.
func asList(body string) string {
	if len(body) < 2 || !strings.ContainsRune(" \t\r\n", rune(body[0])) || !strings.HasSuffix(body, "\n") {
		return body // a case that stands inline
	}
	return "[" + body[1:len(body)-1] + "]"
}

// ReadHeader reads a file whose cases have been taken out at some place. The list is nil
// if that is not where they were.
func ReadHeader(name string, src *text.Source, at int) (f File, list *yaml.Pair) {
	f = OpenSource(name, src)
	switch f.Role {
	case EvalSet:
		list = f.emptiedList(CasesKey, at)
	case Results:
		list = f.emptiedList(resultsKey, at)
	}
	return f, list
}

// emptiedList is the list that was taken out of a file at some place, marked as such; nil
// if that is not where it was.
func (f File) emptiedList(key string, at int) *yaml.Pair {
	root := f.Tree.Root()
	list := LookupPair(root, key)
	if list == nil || root.Pair(key) != nil && root.Pair(key) != list || len(f.Tree.Docs) > 1 {
		return nil
	}
	empty := list.Value
	if empty.Kind != yaml.Sequence || empty.Style != yaml.Flow || len(empty.Items) > 0 || empty.Span.Start >= at || at >= empty.Span.End {
		return nil
	}
	empty.Recovered = true
	return list
}

package adk

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ReadChunk reads a case that [SplitCases] has found in a file with a role. Last says that no case
// follows.
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

// readLenientChunk reads a chunk that is not plain JSON.
func (f *File) readLenientChunk(src *text.Source, last bool) {
	f.Excess = findExcess(src.Body)
	end, parts := f.contentEnd(), f.chunkExcess()
	if last {
		f.Excess = parts
	}
	plain := f.WithoutComments()
	f.Fault = findFault(plain, parts)
	switch hasComma := end > 0 && src.Body[end-1] == ','; {
	case f.Fault != nil && f.Fault.Start >= end: // a closing bracket is missing
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
	f.Tree.Source = src // has the same length as the blanked text
	f.Tree.Comments = commentsIn(src.Body, f.Excess)
}

// contentEnd returns the end of a chunk without trailing space and comments.
func (f File) contentEnd() int {
	return len(strings.TrimRight(blankComments(f.Body, f.Excess), " \t\r\n"))
}

// chunkExcess returns the excess of a chunk, including the comma that separates it from the next.
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

// asList returns the text of a chunk as a list with one item. Brackets replace the blank at its
// start and the line break at its end.
func asList(body string) string {
	if len(body) < 2 || !strings.ContainsRune(" \t\r\n", rune(body[0])) || !strings.HasSuffix(body, "\n") {
		return body // a case without the space around it
	}
	return "[" + body[1:len(body)-1] + "]"
}

// ReadHeader reads a file from which the cases at an offset have been removed. The list is nil if
// the offset is not inside an empty list of cases.
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

// emptiedList returns the list from which the cases were removed and marks it as recovered. It
// returns nil if the offset is not inside an empty list.
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

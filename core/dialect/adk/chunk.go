package adk

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/metric"
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
		return body // an inline case
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

// compactCases holds a file's cases without their trees. A tree takes many times the memory of
// its text.
type compactCases struct {
	cases    []Case
	recorded []RecordedCase
}

// OpenCompact is like [Open] for callers that need only the meaning of the cases. If it can find
// the cases by their lines and all of the file is JSON, the tree holds only the rest of the file.
func OpenCompact(name, body string) File {
	f, spans := splitAroundCases(name, body)
	if spans == nil {
		return Open(name, body)
	}
	compact, interned := &compactCases{}, map[string]string{}
	shiftBy := func(at int) func(text.Span) text.Span {
		return func(span text.Span) text.Span { return span.Shift(at) }
	}
	ok := eachChunk(body, spans, f.Role, func(chunk *yaml.Tree, at int) {
		chunk.DetachValues(interned)
		for _, n := range chunk.Root().List() {
			if f.Role == Results {
				compact.recorded = append(compact.recorded, lowerRecordedCase(n).Compact(shiftBy(at)))
			} else {
				compact.cases = append(compact.cases, compactCase(n).Compact(shiftBy(at)))
			}
		}
	})
	if !ok {
		return Open(name, body)
	}
	f.compact, f.Body = compact, body
	return f
}

// SummarizeEvalSet returns the summary of an evalset and holds one case in memory at a time. It
// returns nil if the file is not an evalset.
func SummarizeEvalSet(name, body string) *Summary {
	summary := newSummary()
	f, spans := splitAroundCases(name, body)
	addCases := func(chunk *yaml.Tree, _ int) {
		for _, n := range chunk.Root().List() {
			summary.addCase(compactCase(n))
		}
	}
	if f.Role == EvalSet && spans != nil && eachChunk(body, spans, f.Role, addCases) {
		return &summary
	}
	if f = Open(name, body); f.Role != EvalSet && f.Role != Older && f.Role != Turns {
		return nil
	}
	summary = LowerSet(metric.Latest, f).Summary()
	return &summary
}

// splitAroundCases returns a file without its cases, and the spans of the cases. The spans are
// nil if finding them needs the whole tree.
func splitAroundCases(name, body string) (f File, cases []text.Span) {
	if !IsJSON(name) {
		return f, nil
	}
	layout := SplitCases(body)
	if layout == nil {
		return f, nil
	}
	head, last := layout.Cases[0].Start, layout.Cases[len(layout.Cases)-1].End
	f, list := ReadHeader(name, text.New(name, body[:head]+body[last:]), head)
	if list == nil || f.Fault != nil {
		return f, nil
	}
	return f, layout.Cases
}

// eachChunk calls visit with the tree of each span and the span's offset. Each tree is a list of
// one case, or of all cases that share a line. It stops and returns false if a chunk is not
// valid JSON.
func eachChunk(body string, spans []text.Span, role Role, visit func(chunk *yaml.Tree, at int)) bool {
	for i, span := range spans {
		chunk := ReadChunk(role, text.New("", body[span.Start:span.End]), i == len(spans)-1)
		if chunk.Fault != nil || chunk.MissingComma != nil || len(chunk.Tree.Root().List()) == 0 {
			return false
		}
		visit(chunk.Tree, span.Start)
	}
	return true
}

// compactCase reads a case of an evalset and ignores its losses.
func compactCase(n *yaml.Node) Case { return (&reader{}).readCase(n).withSpans() }

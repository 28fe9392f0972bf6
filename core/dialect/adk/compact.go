package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// compactCases is the cases of a file that were taken out of its tree, and have been read
// one by one: a tree takes many times the room of its text, and what that means about
// as much. The text itself is not kept.
type compactCases struct {
	cases    []Case
	recorded []RecordedCase
}

// OpenCompact is [Open] of a file of which only what its cases mean is wanted. Where its
// lines tell where they are, and all of it is JSON, its tree has what stands around
// them alone.
func OpenCompact(name, body string) File {
	f, spans := splitAroundCases(name, body)
	if spans == nil {
		return Open(name, body)
	}
	compact, interned := &compactCases{}, map[string]string{}
	shiftBy := func(at int) func(text.Span) text.Span {
		return func(span text.Span) text.Span { return span.Shift(at) }
	}
	sound := eachChunk(body, spans, f.Role, func(chunk *yaml.Tree, at int) {
		chunk.DetachValues(interned)
		for _, n := range chunk.Root().List() {
			if f.Role == Results {
				compact.recorded = append(compact.recorded, lowerRecordedCase(n).Compact(shiftBy(at)))
			} else {
				compact.cases = append(compact.cases, compactCase(n).Compact(shiftBy(at)))
			}
		}
	})
	if !sound {
		return Open(name, body)
	}
	f.compact, f.Body = compact, body
	return f
}

// SummarizeEvalSet is the stock of an evalset, of whose cases one is held at a time; nil
// where a file is none.
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

// splitAroundCases is what stands around the cases of a file, and where they are; nil where
// that cannot be told without all of it.
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

// eachChunk visits the trees of what stands at some spans of a file with a role, and says
// where their spans count from: each is a list with a case, or with the several that share
// a line in a file that is laid out otherwise. It is false, and visits no more, where
// something is not the JSON of such.
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

// compactCase is a case of an evalset; what it loses is told by who looks at the file.
func compactCase(n *yaml.Node) Case { return (&reader{}).readCase(n).withSpans() }

package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FormatRange returns edits, in spans of the file, that tidy the lines of a stretch:
// no blanks at their ends, one space between a key and its value on the same line.
// Comments and values stay as they are: each part is parsed again with its edits, and
// a file that is not valid YAML as a whole, because an edit can change how the rest of
// it is recovered. Where a value would change there are no edits.
func FormatRange(a *analysis.Analysis, span text.Span) (all []text.Edit) {
	valid := true
	a.ChunksIn(span, func(p *analysis.Chunk) bool {
		local := text.Span{Start: p.FromFile(span.Start), End: p.FromFile(span.End)}
		if reach, ok := reachOf(a, p); ok {
			local = text.Span{Start: max(span.Start, reach.Start), End: min(span.End, reach.End)}.Shift(-reach.Start)
		}
		all = append(all, checkedTidyEdits(a, p, local)...)
		valid = valid && len(p.Tree.Problems) == 0
		return true
	})
	if !valid && len(all) > 0 && !sameValues(a.Tree(), applyEdits(a, all).Tree()) {
		return nil
	}
	return all
}

// checkedTidyEdits are the edits of a part for a stretch of it, none where they would change
// more than they may.
func checkedTidyEdits(a *analysis.Analysis, p *analysis.Chunk, span text.Span) []text.Edit {
	edits := tidyEdits(p, span)
	if _, q, err := tryEdits(a, p, edits); len(edits) == 0 || err != nil || !sameValues(p.Tree, q.Tree) {
		return nil
	}
	return placeEdits(p, edits)
}

// tidyEdits are a part's edits that tidy its lines in a stretch.
func tidyEdits(p *analysis.Chunk, span text.Span) (edits []text.Edit) {
	protected := append(multilineScalars(p), commentSpans(p)...)
	for line := p.Source.OffsetLine(span.Start); line <= p.Source.OffsetLine(span.End); line++ {
		on := p.Source.LineSpan(line)
		words := p.Source.Slice(on)
		if end := on.Start + len(strings.TrimRight(words, " \t")); end < on.End && !anyCovers(protected, end) {
			edits = append(edits, text.Edit{Span: text.Span{Start: end, End: on.End}})
		}
	}
	for _, doc := range p.Tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			for _, pair := range n.Pairs {
				gap := text.Span{Start: pair.Key.Span.End, End: fullSpan(pair.Value).Start}
				if pair.Value.Span.Empty() || !span.Contains(gap) {
					continue
				}
				written := p.Source.Slice(gap)
				if between := strings.Trim(written, " "); between == ":" && written != ": " && written != ":" {
					edits = append(edits, text.Edit{Span: gap, New: ": "})
				}
			}
			return true
		})
	}
	return edits
}

// multilineScalars are the texts of a part that go over several lines.
func multilineScalars(p *analysis.Chunk) (spans []text.Span) {
	for _, doc := range p.Tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			if n.Kind == yaml.Scalar && p.Source.OffsetLine(n.Span.Start) != p.Source.OffsetLine(n.Span.End) {
				spans = append(spans, n.Span)
			}
			return true
		})
	}
	return spans
}

func commentSpans(p *analysis.Chunk) (spans []text.Span) {
	for _, c := range p.Tree.Comments {
		spans = append(spans, c.Span)
	}
	return spans
}

// anyCovers reports whether an offset is in one of some spans, or at its end.
func anyCovers(spans []text.Span, offset int) bool {
	return slices.ContainsFunc(spans, func(span text.Span) bool { return span.Start < offset && offset <= span.End })
}

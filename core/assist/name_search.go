package assist

import (
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/text"
)

// reachOf is the stretch of a file that a part is; ok is false for what stands
// around the cases, which is two stretches.
func reachOf(a *analysis.Analysis, p *analysis.Chunk) (reach text.Span, ok bool) {
	whole := p.Source.Whole()
	if p.Role != agentv.Cases && p.Header == nil && whole.Len() < a.Length() {
		return text.Span{}, false
	}
	return p.ToFile(whole), true
}

// nameSearch gathers parts of a file, each once.
type nameSearch struct {
	file  *analysis.Analysis
	parts []*analysis.Chunk
	seen  map[int]bool // where parts begin
}

func (ns *nameSearch) add(p *analysis.Chunk) {
	start := p.ToFile(text.Span{}).Start
	if ns.seen == nil {
		ns.seen = map[int]bool{}
	}
	if !ns.seen[start] {
		ns.seen[start] = true
		ns.parts = append(ns.parts, p)
	}
}

// addMatching adds those that have some words in their text, and not only as part of
// longer ones.
func (ns *nameSearch) addMatching(query string) {
	body := ns.file.Slice(text.Span{End: ns.file.Length()})
	for from := 0; query != ""; {
		next := strings.Index(body[from:], query)
		if next < 0 {
			return
		}
		at := from + next
		from = at + len(query)
		if !isWholeWord(body, text.Span{Start: at, End: from}) {
			continue
		}
		p := ns.file.ChunkAt(at)
		ns.add(p)
		if reach, ok := reachOf(ns.file, p); ok {
			from = max(from, reach.End)
		}
	}
}

// isWholeWord reports whether a stretch of a text is not the beginning, the end or
// the middle of a longer word.
func isWholeWord(body string, span text.Span) bool {
	first, _ := utf8.DecodeRuneInString(body[span.Start:])
	before, _ := utf8.DecodeLastRuneInString(body[:span.Start])
	last, _ := utf8.DecodeLastRuneInString(body[:span.End])
	after, _ := utf8.DecodeRuneInString(body[span.End:])
	return !(isWordRune(first) && isWordRune(before)) && !(isWordRune(last) && isWordRune(after))
}

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
func reachOf(a *analysis.Analysis, p *analysis.Part) (reach text.Span, ok bool) {
	whole := p.Source.Whole()
	if p.Role != agentv.Cases && p.Frame == nil && whole.Len() < a.Length() {
		return text.Span{}, false
	}
	return p.Place(whole), true
}

// search gathers parts of a file, each once.
type search struct {
	in    *analysis.Analysis
	parts []*analysis.Part
	known map[int]bool // where parts begin
}

func (s *search) add(p *analysis.Part) {
	start := p.Place(text.Span{}).Start
	if s.known == nil {
		s.known = map[int]bool{}
	}
	if !s.known[start] {
		s.known[start] = true
		s.parts = append(s.parts, p)
	}
}

// all adds those that have some words in their text, and not only as part of
// longer ones.
func (s *search) all(words string) {
	body := s.in.Slice(text.Span{End: s.in.Length()})
	for from := 0; words != ""; {
		next := strings.Index(body[from:], words)
		if next < 0 {
			return
		}
		at := from + next
		from = at + len(words)
		if !standsAlone(body, text.Span{Start: at, End: from}) {
			continue
		}
		p := s.in.At(at)
		s.add(p)
		if reach, ok := reachOf(s.in, p); ok {
			from = max(from, reach.End)
		}
	}
}

// standsAlone reports whether a stretch of a text is not the beginning, the end or
// the middle of a longer word.
func standsAlone(body string, span text.Span) bool {
	first, _ := utf8.DecodeRuneInString(body[span.Start:])
	before, _ := utf8.DecodeLastRuneInString(body[:span.Start])
	last, _ := utf8.DecodeLastRuneInString(body[:span.End])
	after, _ := utf8.DecodeRuneInString(body[span.End:])
	return !(isWord(first) && isWord(before)) && !(isWord(last) && isWord(after))
}

package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// isSeparated reports whether an indicator that ends at at stands alone.
func (a *aligner) isSeparated(pos int, style Style) bool {
	c := a.byteAt(pos)
	return c == 0 || isBlank(c) || isBreak(c) || style == Flow && strings.IndexByte(",[]{}", c) >= 0
}

// skipTrivia moves over white space and comments, keeping the comments.
func (a *aligner) skipTrivia() {
	for {
		from := a.pos
		a.pos = skipSpace(a.body, a.pos)
		a.checkTabs(from)
		if a.byteAt(a.pos) != '#' {
			return
		}
		a.takeComment()
	}
}

// checkTabs reports the lines of white space since from that hold a tab: legal, but
// whatever is typed behind it will not be.
func (a *aligner) checkTabs(from int) {
	for gap := a.body[from:a.pos]; a.flowDepth == 0 && strings.Contains(gap, "\t"); {
		tab := a.pos - len(gap) + strings.IndexByte(gap, '\t')
		end := lineEnd(a.body, tab)
		if start := lineStart(a.body, tab); end <= a.pos && start >= from && isBlankLine(a.body, start) {
			a.problems = append(a.problems, Problem{Kind: TabProblem, Span: text.Span{Start: start, End: end},
				Message: "a tab indents this line, YAML indents with spaces"})
		}
		gap = a.body[min(end, a.pos):a.pos]
	}
}

func (a *aligner) skipCommas() {
	a.skipTrivia()
	for a.byteAt(a.pos) == ',' {
		a.advance(len(","))
		a.skipTrivia()
	}
}

// tokenStart is where skip would stop.
func (a *aligner) tokenStart() int {
	pos := a.pos
	for {
		pos = skipSpace(a.body, pos)
		if a.byteAt(pos) != '#' {
			return pos
		}
		pos = lineEnd(a.body, pos)
	}
}

func (a *aligner) takeComment() {
	span := text.Span{Start: a.pos, End: lineEnd(a.body, a.pos)}
	a.pos = span.End
	if a.source[span.Start] != '#' {
		return // a line that was left out
	}
	content := a.source[span.Start+1 : span.End]
	a.comments = append(a.comments, Comment{Text: strings.TrimPrefix(content, " "), Span: span})
}

func (a *aligner) advance(length int) text.Span {
	start := a.pos
	a.pos = min(a.pos+length, len(a.body))
	return text.Span{Start: start, End: a.pos}
}

// byteAt is the byte at offset, 0 outside the text.
func (a *aligner) byteAt(offset int) byte {
	if offset < 0 || offset >= len(a.body) {
		return 0
	}
	return a.body[offset]
}

// columnOf counts bytes from the line's start: before a block collection there
// are only spaces and indicators.
func (a *aligner) columnOf(offset int) int {
	start := lineStart(a.body, offset)
	if start == 0 && strings.HasPrefix(a.body, byteOrderMark) {
		start = len(byteOrderMark)
	}
	return offset - start
}

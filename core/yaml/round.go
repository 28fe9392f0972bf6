package yaml

import (
	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// typed tries whether leaving out what is being typed is enough, with at most
// half of the patience.
func (r *rescue) typed(fail *failure) ([]*library.Node, *failure) {
	if r.hint.Start < 0 || r.hint.Start > len(r.body) {
		return nil, fail
	}
	enough := *r.patience / 2
	for _, cut := range r.hinted() {
		docs, worse := r.without(cut)
		if worse == nil {
			r.cut(cut, fail)
			return docs, nil
		}
		if *r.patience < enough {
			break
		}
	}
	return nil, fail
}

// hinted is the ways to leave out the edited lines: each line by itself, the
// last one first, for that is where the cursor is; then all of them.
func (r *rescue) hinted() []text.Span {
	var cuts []text.Span
	end := min(max(r.hint.End, r.hint.Start), len(r.body))
	first := lineStart(r.body, r.hint.Start)
	for line := lineStart(r.body, end); len(cuts) < rounds; line = previousLine(r.body, line) {
		cuts = append(cuts, r.cutsOf(line)...)
		if line <= first || line == 0 {
			break
		}
	}
	return append(cuts, r.keepDash(text.Span{Start: first, End: lineEnd(r.body, end)}))
}

// round leaves out one line: the first candidate that makes the whole text
// readable, or else the one that lets the parser get furthest. It is false if
// none gets further than fail.
func (r *rescue) round(fail *failure) bool {
	if fail.tooDeep {
		r.cut(r.keepFirstDash(deeper(r.body, fail.at)), fail)
		return true
	}
	best, reach := text.Span{}, fail.reach()
	for _, cut := range r.candidates(fail) {
		docs, left := r.without(cut)
		switch {
		case left != nil && left.reach() > reach:
			best, reach = cut, left.reach()
		case left == nil && r.fits(docs):
			r.cut(r.orTail(cut, docs, fail), fail)
			return true
		}
		if *r.patience < 0 {
			break
		}
	}
	if best.Empty() {
		return false
	}
	r.cut(best, fail)
	return true
}

// candidates is what might be left out to get past fail, the likeliest first:
// single lines, then half lines that stand one below another.
func (r *rescue) candidates(fail *failure) []text.Span {
	var cuts, runs []text.Span
	lines := r.suspects(fail)
	for _, line := range lines {
		cuts = append(cuts, r.cutsOf(line)...)
		if run := r.halfLines(line); run.End > lineEnd(r.body, line) {
			runs = append(runs, run)
		}
	}
	return append(cuts, runs...)
}

// halfLines is the lines from the one that starts at line on that are as deep
// and lack something: a key or dash, or the end of what they open. It is empty
// if the line before is one of them too.
func (r *rescue) halfLines(line int) text.Span {
	column := indentation(r.body, line)
	same := func(line int) bool {
		l := lineAt(r.body, line)
		return l.indent-line == column && !isBlankLine(r.body, line) && (l.dashes == l.indent && l.value == 0 || isUnclosed(r.body, line))
	}
	if !same(line) || line > 0 && same(previousLine(r.body, line)) {
		return text.Span{}
	}
	run := text.Span{Start: line, End: lineEnd(r.body, line)}
	for next := nextLine(r.body, run.End); next < len(r.body) && same(next); next = nextLine(r.body, lineEnd(r.body, next)) {
		run.End = lineEnd(r.body, next)
	}
	return run
}

// orTail is cut, or the rest of the line from where the library stopped on if
// leaving that out keeps more: a bracket too many at the end of a list over
// many lines costs the bracket, not the list.
func (r *rescue) orTail(cut text.Span, docs []*library.Node, fail *failure) text.Span {
	tail := text.Span{Start: fail.at, End: lineEnd(r.body, fail.at)}
	if tail.Empty() {
		return cut
	}
	more, left := r.without(tail)
	if left == nil && r.fits(more) && countNodes(more) > countNodes(docs) {
		return tail
	}
	return cut
}

func countNodes(nodes []*library.Node) int {
	n := len(nodes)
	for _, node := range nodes {
		n += countNodes(node.Content)
	}
	return n
}

// deeper is the line that holds at and all that follow it as deep or deeper.
func deeper(body string, at int) text.Span {
	start := lineStart(body, at)
	column := indentation(body, start)
	stop := lineEnd(body, start)
	for line := nextLine(body, stop); line < len(body); line = nextLine(body, lineEnd(body, line)) {
		if !isBlankLine(body, line) && indentation(body, line) < column {
			break
		}
		stop = lineEnd(body, line)
	}
	return text.Span{Start: start, End: stop}
}

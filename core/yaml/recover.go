package yaml

import (
	"sort"
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// reading is what became of a text: the part of it that the library read, as a
// text of the same length, the documents, and what had to be left out.
type reading struct {
	body     string
	docs     []*library.Node
	lost     []text.Span
	problems []Problem
}

// read gives the documents of body. If the library refuses it, lines are left
// out, by blanking them so that every other place stays where it is, until it
// does not: first where the user is typing, then in each item of a list and
// each top-level key by itself, so that a broken one cannot hurt the others,
// then wherever the parts do not fit together.
func read(body string, edited text.Span, hinted bool) reading {
	docs, fail := load(body)
	if fail == nil {
		return reading{body: body, docs: docs}
	}
	r := &rescue{source: body, body: body, hint: text.Span{Start: -1, End: -1}, budget: 256<<10 + 24*len(body)}
	if hinted {
		r.hint = edited
	}
	docs = r.run(fail)
	return reading{body: r.body, docs: docs, lost: r.lost(), problems: r.problems}
}

// rescue is the state of one recovery.
type rescue struct {
	source   string // as it was read first
	body     string // source with blanks for what was left out
	hint     text.Span
	budget   int // bytes that may still be parsed in the attempt
	problems []Problem
}

// rounds is how many lines may be left out of one part before all of it is.
const rounds = 8

func (r *rescue) run(fail *failure) []*library.Node {
	docs, fail := r.typed(fail)
	if fail == nil {
		return docs
	}
	if r.dropMarkers(fail) {
		if docs, fail = r.load(r.whole()); fail == nil {
			return docs
		}
	}
	for _, part := range outline(r.body) {
		r.part(part)
	}
	for range rounds {
		if docs, fail = r.load(r.whole()); fail == nil {
			return docs
		}
		if r.budget < 0 || !r.round(r.whole(), fail) {
			break
		}
	}
	return r.giveUp()
}

// part makes one part readable by itself, leaving out all of it if need be.
func (r *rescue) part(part text.Span) {
	for n := 0; ; n++ {
		_, fail := r.load(part)
		if fail == nil {
			return
		}
		if n == rounds || r.budget < 0 || !r.round(part, fail) {
			r.cut(r.keepDash(text.Span{Start: lineStart(r.body, fail.at), End: part.End}), fail)
			if _, fail = r.load(part); fail != nil {
				r.cut(r.keepDash(part), fail)
			}
			return
		}
	}
}

// giveUp leaves out parts that do not fit those before them, then all that
// follows the last of them, and at the very last everything.
func (r *rescue) giveUp() []*library.Node {
	for n := range rounds {
		docs, fail := load(r.body)
		if fail == nil {
			return docs
		}
		unfit := text.Span{Start: lineStart(r.body, fail.at), End: lineEnd(r.body, fail.at)}
		for _, part := range outline(r.body) {
			if part.Start <= fail.at {
				unfit = part
			}
		}
		if n == rounds-1 {
			unfit.End = len(r.body)
		}
		r.cut(unfit, fail)
	}
	docs, fail := load(r.body)
	if fail != nil {
		r.cut(r.whole(), fail)
	}
	return docs
}

func (r *rescue) whole() text.Span { return text.Span{Start: 0, End: len(r.body)} }

// load reads one part by itself.
func (r *rescue) load(part text.Span) ([]*library.Node, *failure) {
	return r.attempt(r.body, part)
}

func (r *rescue) attempt(body string, part text.Span) ([]*library.Node, *failure) {
	r.budget -= part.Len()
	docs, fail := load(body[part.Start:part.End])
	if fail != nil {
		fail.shift(part.Start)
	}
	return docs, fail
}

// typed tries whether leaving out what is being typed is enough.
func (r *rescue) typed(fail *failure) ([]*library.Node, *failure) {
	if r.hint.Start < 0 || r.hint.Start > len(r.body) {
		return nil, fail
	}
	for _, cut := range r.hinted() {
		docs, worse := r.attempt(blank(r.body, cut), r.whole())
		if worse == nil {
			r.cut(cut, fail)
			return docs, nil
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
		cuts = append(cuts, cutsOf(r.body, line, 0)...)
		if line <= first || line == 0 {
			break
		}
	}
	return append(cuts, r.keepDash(text.Span{Start: first, End: lineEnd(r.body, end)}))
}

// round leaves out one line of part: the first candidate that makes all of it
// readable, or else the one that lets the parser get furthest. It is false if
// none gets further than fail.
func (r *rescue) round(part text.Span, fail *failure) bool {
	if fail.tooDeep {
		r.cut(r.keepFirstDash(deeper(r.body, fail.at, part.End)), fail)
		return true
	}
	best, reach := text.Span{}, fail.reach()
	for _, line := range r.suspects(part, fail) {
		for _, cut := range cutsOf(r.body, line, part.Start) {
			docs, left := r.attempt(blank(r.body, cut), part)
			if left == nil {
				r.cut(r.orTail(cut, docs, part, fail), fail)
				return true
			}
			if left.reach() > reach {
				best, reach = cut, left.reach()
			}
		}
		if r.budget < 0 {
			break
		}
	}
	if best.Empty() {
		return false
	}
	r.cut(best, fail)
	return true
}

// orTail is cut, or the rest of the line from where the library stopped on if
// leaving that out keeps more: a bracket too many at the end of a list over
// many lines costs the bracket, not the list.
func (r *rescue) orTail(cut text.Span, docs []*library.Node, part text.Span, fail *failure) text.Span {
	tail := text.Span{Start: fail.at, End: lineEnd(r.body, fail.at)}
	if tail.Empty() || tail.Start < part.Start {
		return cut
	}
	more, left := r.attempt(blank(r.body, tail), part)
	if left == nil && countNodes(more) > countNodes(docs) {
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
func deeper(body string, at, end int) text.Span {
	start := lineStart(body, at)
	column := indentation(body, start)
	stop := lineEnd(body, start)
	for line := nextLine(body, stop); line < end; line = nextLine(body, lineEnd(body, line)) {
		if words := skipBlanks(body, line); words < end && !isBreak(body[words]) && indentation(body, line) < column {
			break
		}
		stop = lineEnd(body, line)
	}
	return text.Span{Start: start, End: stop}
}

// dropMarkers leaves out the lines that a version control system puts around
// the sides of a conflict.
func (r *rescue) dropMarkers(fail *failure) bool {
	dropped := false
	for line := 0; line < len(r.body); line = nextLine(r.body, lineEnd(r.body, line)) {
		end := lineEnd(r.body, line)
		if isConflictMarker(r.body[line:end]) {
			r.cut(text.Span{Start: line, End: end}, fail)
			dropped = true
		}
	}
	return dropped
}

func isConflictMarker(line string) bool {
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if rest, ok := strings.CutPrefix(line, mark); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// cut leaves span out and says why.
func (r *rescue) cut(span text.Span, fail *failure) {
	seen := trim(r.body, span)
	r.body = blank(r.body, span)
	if seen.Empty() {
		return
	}
	r.problems = append(r.problems, fail.problem(r.source, seen))
}

// lost is all that was left out, in order.
func (r *rescue) lost() []text.Span {
	var spans []text.Span
	for _, p := range r.problems {
		spans = append(spans, p.Span)
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].Start < spans[j].Start })
	return spans
}

// blank is body with span left out, everything else in its place. A whole line
// becomes a comment: mere spaces would be content to a block scalar before it.
func blank(body string, span text.Span) string {
	out := []byte(body)
	for at := span.Start; at < span.End; {
		end := min(lineEnd(body, at), span.End)
		whole := isBlankLine(body[:at], lineStart(body, at))
		for ; at < end; at++ {
			if whole && !isBlank(out[at]) {
				out[at], whole = '#', false
			} else {
				out[at] = ' '
			}
		}
		for at < span.End && isBreak(body[at]) {
			at++
		}
	}
	return string(out)
}

// trim is span without white space at its ends.
func trim(body string, span text.Span) text.Span {
	for span.Start < span.End && (isBlank(body[span.Start]) || isBreak(body[span.Start])) {
		span.Start++
	}
	for span.Start < span.End && (isBlank(body[span.End-1]) || isBreak(body[span.End-1])) {
		span.End--
	}
	return span
}

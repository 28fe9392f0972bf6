package recover

import (
	"sort"
	"strings"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml/lines"
)

// Result is the result of reading a text: the part that the library read, padded to the same
// length, its documents and the lost spans.
type Result struct {
	Body     string
	Docs     []*library.Node
	Lost     []text.Span
	Problems []Problem
}

// Recover returns the documents of body. If the library rejects body, recovery blanks lines,
// which keeps every offset, until the library accepts it. Recovery repairs each list item and
// top-level key by itself, so that one broken part cannot harm others. Then it removes parts that
// do not fit together.
func Recover(body string) Result {
	docs, fail := Load(body)
	if fail == nil {
		return Result{Body: body, Docs: docs}
	}
	patience := recoveryBudget(len(body))
	r := &recovery{source: body, body: body, budget: &patience}
	docs = r.recoverAll(fail)
	return Result{Body: r.body, Docs: docs, Lost: r.lostSpans(), Problems: r.problems}
}

// recoveryBudget returns how many bytes recovery may parse for a text of size bytes: dozens of
// attempts in a typical open file, a few in megabytes.
func recoveryBudget(size int) int { return 256<<10 + 2*size + min(16*size, 4<<20) }

// A recovery makes one text readable: a whole file or one part. Offsets are relative to this text.
type recovery struct {
	source   string       // the original text
	body     string       // source with blanks for what is left out
	kind     library.Kind // the kind that a part must keep to fit the others; 0 for any
	budget   *int         // bytes that may still be parsed, shared by all parts of a text
	problems []Problem
	unclosed []text.Span // brackets that nothing closes
}

// maxRounds limits the lines that are left out of one part before the whole part is.
const maxRounds = 8

func (r *recovery) recoverAll(fail *Failure) []*library.Node {
	if docs := r.recoverUnclosed(fail); docs != nil {
		return docs
	}
	if r.cutConflictMarkers(fail) {
		docs, failed := r.loadBody()
		if failed == nil {
			return docs
		}
		fail = failed
	}
	r.recoverParts(fail)
	for range maxRounds {
		docs, fail := r.loadBody()
		if fail == nil {
			return docs
		}
		if *r.budget < 0 || !r.cutOneLine(fail) {
			break
		}
	}
	return r.cutRemaining()
}

// cutRemaining leaves out parts that do not follow from what precedes them, then everything from
// the failure on, and finally everything.
func (r *recovery) cutRemaining() []*library.Node {
	for n := 0; ; n++ {
		docs, fail := Load(r.body)
		switch {
		case fail == nil || n > maxRounds+1:
			return docs
		case n < maxRounds:
			r.cut(fail, partAt(r.body, fail.offset))
		case n == maxRounds:
			r.cut(fail, text.Span{Start: lines.Start(r.body, fail.offset), End: len(r.body)})
		default:
			r.cut(fail, r.wholeSpan())
		}
	}
}

func partAt(body string, pos int) text.Span {
	parts := splitParts(body)
	next := sort.Search(len(parts), func(i int) bool { return parts[i].Start > pos })
	return parts[max(next-1, 0)]
}

func (r *recovery) wholeSpan() text.Span { return text.Span{Start: 0, End: len(r.body)} }

func (r *recovery) loadBody() ([]*library.Node, *Failure) { return r.loadWithinBudget(r.body) }

func (r *recovery) loadWithout(span text.Span) ([]*library.Node, *Failure) {
	return r.loadWithinBudget(blankOut(r.body, span))
}

// loadWithinBudget loads body and charges the copied and parsed bytes to the budget.
func (r *recovery) loadWithinBudget(body string) ([]*library.Node, *Failure) {
	docs, fail := Load(body)
	parsed := len(body)
	if fail != nil {
		parsed = fail.offset
	}
	*r.budget -= len(body)/16 + parsed
	return docs, fail
}

// cut leaves out spans and reports fail for each.
func (r *recovery) cut(fail *Failure, spans ...text.Span) {
	for _, span := range spans {
		if seen := trimSpan(r.body, span); !seen.Empty() {
			r.problems = append(r.problems, fail.Problem(r.source, seen))
		}
	}
	r.body = blankOut(r.body, spans...)
}

// lostSpans returns all spans that were left out or may lack something, in order.
func (r *recovery) lostSpans() []text.Span {
	spans := r.unclosed
	for _, p := range r.problems {
		spans = append(spans, p.Span)
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].Start < spans[j].Start })
	return spans
}

// recoverParts makes each part of the text readable by itself. Parts before the failure already
// are, unless they open a quote or bracket that they do not close.
func (r *recovery) recoverParts(fail *Failure) {
	var whole strings.Builder
	for _, span := range splitParts(r.body) {
		if span.End <= fail.furthest() && !hasUnclosedLine(r.body[span.Start:span.End]) {
			whole.WriteString(r.body[span.Start:span.End])
			continue
		}
		part := &recovery{source: r.source[span.Start:span.End], body: r.body[span.Start:span.End], kind: partKind(r.body, span.Start), budget: r.budget}
		part.recoverPart()
		whole.WriteString(part.body)
		for _, p := range part.problems {
			r.problems = append(r.problems, p.shift(span.Start))
		}
	}
	r.body = whole.String()
}

// partKind returns the kind of collection that the part starting at line belongs to.
func partKind(body string, line int) library.Kind {
	content := body[line+lines.Indentation(body, line) : lines.End(body, line)]
	switch {
	case lines.IsDash(content):
		return library.SequenceNode
	case lines.KeyLength(content) > 0:
		return library.MappingNode
	}
	return 0
}

// isSameKind reports whether docs, read from a part, have the part's kind or are empty.
func (r *recovery) isSameKind(docs []*library.Node) bool {
	if r.kind == 0 || len(docs) == 0 || len(docs[0].Content) == 0 {
		return true
	}
	root := docs[0].Content[0]
	return root.Kind == r.kind || root.Kind == library.ScalarNode && root.Value == ""
}

// recoverPart makes a part readable. At worst it leaves out all of it.
func (r *recovery) recoverPart() {
	for n := 0; ; n++ {
		_, fail := r.loadBody()
		if fail == nil {
			return
		}
		if n == maxRounds || *r.budget < 0 || !r.cutOneLine(fail) {
			r.cut(fail, r.afterDashes(text.Span{Start: lines.Start(r.body, fail.offset), End: len(r.body)}))
			if _, fail = r.loadBody(); fail != nil {
				r.cut(fail, r.afterDashes(r.wholeSpan()))
			}
			return
		}
	}
}

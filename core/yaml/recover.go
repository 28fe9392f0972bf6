package yaml

import (
	"sort"

	library "go.yaml.in/yaml/v4"

	"github.com/rubric-ls/rubric/core/text"
)

// recoveredText is what became of a text: the part of it that the library read, as a
// text of the same length, the documents, and what had to be left out.
type recoveredText struct {
	body     string
	docs     []*library.Node
	lost     []text.Span
	problems []Problem
}

// loadOrRecover gives the documents of body. If the library refuses it, lines are left
// out, by blanking them so that every other place stays where it is, until it
// does not: first where the user is typing, then in each item of a list and
// each top-level key by itself, so that a broken one cannot hurt the others,
// then wherever the parts do not fit together.
func loadOrRecover(body string, edited text.Span, hinted bool) recoveredText {
	docs, fail := loadDocuments(body)
	if fail == nil {
		return recoveredText{body: body, docs: docs}
	}
	if !hinted {
		edited = text.Span{Start: -1, End: -1}
	}
	patience := recoveryBudget(len(body))
	r := &recovery{source: body, body: body, edited: edited, budget: &patience}
	docs = r.recoverAll(fail)
	return recoveredText{body: r.body, docs: docs, lost: r.lostSpans(), problems: r.problems}
}

// recoveryBudget is how many bytes may be parsed to recover a text of size bytes:
// enough to try some dozens of cuts in what an editor has open, and a few in
// megabytes.
func recoveryBudget(size int) int { return 256<<10 + 2*size + min(16*size, 4<<20) }

// recovery makes one text readable: all of it, or a part by itself. Offsets are
// those of this text.
type recovery struct {
	source   string       // as it was read first
	body     string       // source with blanks for what was left out
	after    string       // what follows a part
	kind     library.Kind // what a part has to remain to fit among the others; 0 for anything
	edited   text.Span
	budget   *int // bytes that may still be parsed, the parts of a text together
	problems []Problem
	unclosed []text.Span // brackets that nothing closes
}

// maxRounds is how many lines may be left out of one part before all of it is.
const maxRounds = 8

func (r *recovery) recoverAll(fail *loadFailure) []*library.Node {
	if docs := r.recoverUnclosed(fail); docs != nil {
		return docs
	}
	docs, fail := r.recoverEdited(fail)
	if fail == nil {
		return docs
	}
	if r.cutConflictMarkers(fail) {
		if docs, fail = r.loadBody(); fail == nil {
			return docs
		}
	}
	r.recoverParts(fail)
	for range maxRounds {
		if docs, fail = r.loadBody(); fail == nil {
			return docs
		}
		if *r.budget < 0 || !r.cutOneLine(fail) {
			break
		}
	}
	return r.cutRemaining()
}

// cutRemaining leaves out the parts that cannot stand beside the others, then those
// that do not fit what is before them, then all from where the library stops,
// and at the very last everything.
func (r *recovery) cutRemaining() []*library.Node {
	for n := 0; ; n++ {
		docs, fail := loadDocuments(r.body)
		switch {
		case fail == nil || n > maxRounds+1:
			return docs
		case n == 0:
			r.cutAll(misplacedParts(r.body), fail)
		case n < maxRounds:
			r.cut(partAt(r.body, fail.offset), fail)
		case n == maxRounds:
			r.cut(text.Span{Start: lineStart(r.body, fail.offset), End: len(r.body)}, fail)
		default:
			r.cut(r.wholeSpan(), fail)
		}
	}
}

// partAt is the last part that starts at or before at.
func partAt(body string, pos int) text.Span {
	parts := splitParts(body)
	next := sort.Search(len(parts), func(i int) bool { return parts[i].Start > pos })
	return parts[max(next-1, 0)]
}

func (r *recovery) wholeSpan() text.Span { return text.Span{Start: 0, End: len(r.body)} }

// loadBody reads the text as it is by now.
func (r *recovery) loadBody() ([]*library.Node, *loadFailure) { return r.loadWithinBudget(r.body) }

// loadWithout reads the text with span left out besides.
func (r *recovery) loadWithout(span text.Span) ([]*library.Node, *loadFailure) {
	return r.loadWithinBudget(blankOut(r.body, span))
}

// loadWithinBudget reads body at the cost of patience: copying it, and what is parsed.
func (r *recovery) loadWithinBudget(body string) ([]*library.Node, *loadFailure) {
	docs, fail := loadDocuments(body)
	parsed := len(body)
	if fail != nil {
		parsed = fail.offset
	}
	*r.budget -= len(body)/16 + parsed
	return docs, fail
}

// cut leaves span out and says why.
func (r *recovery) cut(span text.Span, fail *loadFailure) { r.cutAll([]text.Span{span}, fail) }

func (r *recovery) cutAll(spans []text.Span, fail *loadFailure) {
	for _, span := range spans {
		if seen := trimSpan(r.body, span); !seen.Empty() {
			r.problems = append(r.problems, fail.problem(r.source, seen))
		}
	}
	r.body = blankOut(r.body, spans...)
}

// lostSpans is all that was left out, or where something may be missing, in order.
func (r *recovery) lostSpans() []text.Span {
	spans := r.unclosed
	for _, p := range r.problems {
		spans = append(spans, p.Span)
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].Start < spans[j].Start })
	return spans
}

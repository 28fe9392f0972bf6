package yaml

import (
	"sort"

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
	if !hinted {
		edited = text.Span{Start: -1, End: -1}
	}
	patience := patienceFor(len(body))
	r := &rescue{source: body, body: body, hint: edited, patience: &patience}
	docs = r.run(fail)
	return reading{body: r.body, docs: docs, lost: r.lost(), problems: r.problems}
}

// patienceFor is how many bytes may be parsed to recover a text of size bytes:
// enough to try some dozens of cuts in what an editor has open, and a few in
// megabytes.
func patienceFor(size int) int { return 256<<10 + 2*size + min(16*size, 4<<20) }

// rescue makes one text readable: all of it, or a part by itself. Offsets are
// those of this text.
type rescue struct {
	source   string       // as it was read first
	body     string       // source with blanks for what was left out
	after    string       // what follows a part
	kind     library.Kind // what a part has to remain to fit among the others; 0 for anything
	hint     text.Span
	patience *int // bytes that may still be parsed, the parts of a text together
	problems []Problem
	open     []text.Span // brackets that nothing closes
}

// rounds is how many lines may be left out of one part before all of it is.
const rounds = 8

func (r *rescue) run(fail *failure) []*library.Node {
	if docs := r.closed(fail); docs != nil {
		return docs
	}
	docs, fail := r.typed(fail)
	if fail == nil {
		return docs
	}
	if r.dropMarkers(fail) {
		if docs, fail = r.load(); fail == nil {
			return docs
		}
	}
	r.parts(fail)
	for range rounds {
		if docs, fail = r.load(); fail == nil {
			return docs
		}
		if *r.patience < 0 || !r.round(fail) {
			break
		}
	}
	return r.giveUp()
}

// giveUp leaves out the parts that cannot stand beside the others, then those
// that do not fit what is before them, then all from where the library stops,
// and at the very last everything.
func (r *rescue) giveUp() []*library.Node {
	for n := 0; ; n++ {
		docs, fail := load(r.body)
		switch {
		case fail == nil || n > rounds+1:
			return docs
		case n == 0:
			r.cutAll(misfits(r.body), fail)
		case n < rounds:
			r.cut(partAt(r.body, fail.at), fail)
		case n == rounds:
			r.cut(text.Span{Start: lineStart(r.body, fail.at), End: len(r.body)}, fail)
		default:
			r.cut(r.whole(), fail)
		}
	}
}

// partAt is the last part that starts at or before at.
func partAt(body string, at int) text.Span {
	parts := outline(body)
	next := sort.Search(len(parts), func(i int) bool { return parts[i].Start > at })
	return parts[max(next-1, 0)]
}

func (r *rescue) whole() text.Span { return text.Span{Start: 0, End: len(r.body)} }

// load reads the text as it is by now.
func (r *rescue) load() ([]*library.Node, *failure) { return r.attempt(r.body) }

// without reads the text with span left out besides.
func (r *rescue) without(span text.Span) ([]*library.Node, *failure) {
	return r.attempt(blank(r.body, span))
}

// attempt reads body at the cost of patience: copying it, and what is parsed.
func (r *rescue) attempt(body string) ([]*library.Node, *failure) {
	docs, fail := load(body)
	parsed := len(body)
	if fail != nil {
		parsed = fail.at
	}
	*r.patience -= len(body)/16 + parsed
	return docs, fail
}

// cut leaves span out and says why.
func (r *rescue) cut(span text.Span, fail *failure) { r.cutAll([]text.Span{span}, fail) }

func (r *rescue) cutAll(spans []text.Span, fail *failure) {
	for _, span := range spans {
		if seen := trim(r.body, span); !seen.Empty() {
			r.problems = append(r.problems, fail.problem(r.source, seen))
		}
	}
	r.body = blank(r.body, spans...)
}

// lost is all that was left out, or where something may be missing, in order.
func (r *rescue) lost() []text.Span {
	spans := r.open
	for _, p := range r.problems {
		spans = append(spans, p.Span)
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].Start < spans[j].Start })
	return spans
}

package adk

import (
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// shelf is the cases of a file that were taken out of its tree, and have been read
// one by one: a tree takes many times the room of its text, and what that means about
// as much. The text itself is not kept.
type shelf struct {
	set      []Case
	recorded []RecordedCase
}

// Glance is [Open] of a file of which only what its cases mean is wanted. Where its
// lines tell where they are, and all of it is JSON, its tree has what stands around
// them alone.
func Glance(name, body string) File {
	f, spans := outside(name, body)
	if spans == nil {
		return Open(name, body)
	}
	s, known := &shelf{}, map[string]string{}
	to := func(at int) func(text.Span) text.Span {
		return func(span text.Span) text.Span { return span.Shift(at) }
	}
	sound := eachPart(body, spans, f.Role, func(part *yaml.Tree, at int) {
		part.Detach(known)
		for _, n := range part.Root().List() {
			if f.Role == Results {
				s.recorded = append(s.recorded, recorded(n).Bare(to(at)))
			} else {
				s.set = append(s.set, glanced(n).Bare(to(at)))
			}
		}
	})
	if !sound {
		return Open(name, body)
	}
	f.shelf, f.Body = s, body
	return f
}

// GlanceStock is the stock of an evalset, of whose cases one is held at a time; nil
// where a file is none.
func GlanceStock(name, body string) *Stock {
	t := newStock()
	f, spans := outside(name, body)
	take := func(part *yaml.Tree, _ int) {
		for _, n := range part.Root().List() {
			t.take(glanced(n))
		}
	}
	if f.Role == EvalSet && spans != nil && eachPart(body, spans, f.Role, take) {
		return &t
	}
	if f = Open(name, body); f.Role != EvalSet && f.Role != Older && f.Role != Turns {
		return nil
	}
	t = LowerSet(metric.Latest, f).Stock()
	return &t
}

// outside is what stands around the cases of a file, and where they are; nil where
// that cannot be told without all of it.
func outside(name, body string) (f File, cases []text.Span) {
	if !IsJSON(name) {
		return f, nil
	}
	o := Split(body)
	if o == nil {
		return f, nil
	}
	head, last := o.Cases[0].Start, o.Cases[len(o.Cases)-1].End
	f, list := Around(name, text.New(name, body[:head]+body[last:]), head)
	if list == nil || f.Fault != nil {
		return f, nil
	}
	return f, o.Cases
}

// eachPart visits the trees of what stands at some spans of a file with a role, and says
// where their spans count from: each is a list with a case, or with the several that share
// a line in a file that is laid out otherwise. It is false, and visits no more, where
// something is not the JSON of such.
func eachPart(body string, spans []text.Span, role Role, visit func(part *yaml.Tree, at int)) bool {
	for i, span := range spans {
		part := ReadPart(role, text.New("", body[span.Start:span.End]), i == len(spans)-1)
		if part.Fault != nil || part.Unparted != nil || len(part.Tree.Root().List()) == 0 {
			return false
		}
		visit(part.Tree, span.Start)
	}
	return true
}

// glanced is a case of an evalset; what it loses is told by who looks at the file.
func glanced(n *yaml.Node) Case { return (&reader{}).evalCase(n).placed() }

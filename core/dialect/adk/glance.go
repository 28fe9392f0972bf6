package adk

import "github.com/rubric-ls/rubric/core/text"

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
	if !IsJSON(name) {
		return Open(name, body)
	}
	o := Split(body)
	if o == nil {
		return Open(name, body)
	}
	head, last := o.Cases[0].Start, o.Cases[len(o.Cases)-1].End
	f, list := Around(name, text.New(name, body[:head]+body[last:]), head)
	if list == nil || f.Fault != nil {
		return Open(name, body)
	}
	if f.shelf = shelved(body, o.Cases, f.Role); f.shelf == nil {
		return Open(name, body)
	}
	f.Body = body
	return f
}

// shelved are the cases at some spans of a file with a role; nil if one is not the
// JSON of one.
func shelved(body string, spans []text.Span, role Role) *shelf {
	s := &shelf{}
	r := &reader{} // what it loses is told by who looks at the file
	known := map[string]string{}
	for i, span := range spans {
		part := ReadPart(role, text.New("", body[span.Start:span.End]), i == len(spans)-1)
		items := part.Tree.Root().List()
		if part.Fault != nil || part.Unparted != nil || len(items) != 1 {
			return nil
		}
		part.Tree.Detach(known)
		to := func(s text.Span) text.Span { return s.Shift(span.Start) }
		if role == Results {
			s.recorded = append(s.recorded, recorded(items[0]).Bare(to))
		} else {
			s.set = append(s.set, r.evalCase(items[0]).placed().Bare(to))
		}
	}
	return s
}

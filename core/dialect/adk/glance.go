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
	for _, list := range []struct {
		key string
		of  Role
	}{{CasesKey, EvalSet}, {resultsKey, Results}} {
		o := split(body, list.key)
		if o == nil {
			continue
		}
		head, last := o.Cases[0].Start, o.Cases[len(o.Cases)-1].End
		f := Open(name, body[:head]+body[last:])
		if f.Role != list.of || f.Fault != nil || f.emptied(list.key, head) == nil {
			continue
		}
		if f.shelf = shelved(body, o.Cases, f.Role); f.shelf != nil {
			f.Body = body
			return f
		}
	}
	return Open(name, body)
}

// shelved are the cases at some spans of a file with a role; nil if one is not the
// JSON of one.
func shelved(body string, spans []text.Span, role Role) *shelf {
	s := &shelf{}
	r := &reader{} // what it loses is told by who looks at the file
	known := map[string]string{}
	for i, span := range spans {
		part := ReadPart(text.New("", body[span.Start:span.End]), i == len(spans)-1)
		items := part.Tree.Root().List()
		if part.Fault != nil || part.Unparted != nil || len(items) != 1 {
			return nil
		}
		part.Tree.Detach(known)
		if role == Results {
			s.recorded = append(s.recorded, recorded(items[0]).bare())
		} else {
			s.set = append(s.set, r.evalCase(items[0]).placed().Bare(func(s text.Span) text.Span { return s.Shift(span.Start) }))
		}
	}
	return s
}

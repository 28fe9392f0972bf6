package adk

import (
	"encoding/json"

	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/text"
)

// shelf is the cases of a file that were taken out of its tree, each to be read when
// it is asked for. What is read of a case takes many times the room of its text.
type shelf struct {
	spans []text.Span
	ids   []string
}

// Glance is [Open] of a file of which only the cases are wanted, and not all of them
// at once. Where its lines tell where they are, and all of it is JSON, its tree has
// what stands around them alone.
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
		if f.shelf = shelved(body, o.Cases); f.shelf != nil {
			f.Body = body
			return f
		}
	}
	return Open(name, body)
}

// shelved are the cases at some spans; nil if one is not the JSON of one.
func shelved(body string, spans []text.Span) *shelf {
	s := &shelf{spans: spans}
	for i, span := range spans {
		part := unread(body[span.Start:span.End], i == len(spans)-1)
		if part.Fault != nil || part.Unparted != nil {
			return nil
		}
		var items []map[string]json.RawMessage
		if json.Unmarshal([]byte(clean(part.Plain(), part.trailing())), &items) != nil || len(items) != 1 {
			return nil
		}
		s.ids = append(s.ids, idIn(items[0]))
	}
	return s
}

// idIn is a case's id.
func idIn(item map[string]json.RawMessage) (id string) {
	for _, key := range []string{"eval_id", "evalId"} {
		if raw, is := item[key]; is && json.Unmarshal(raw, &id) != nil {
			id = ""
		}
	}
	return id
}

// part is one of the cases.
func (f File) part(i int) (File, func(text.Span) text.Span) {
	span := f.shelf.spans[i]
	part := ReadPart(text.New(f.Tree.Source.Name, f.Body[span.Start:span.End]), i == len(f.shelf.spans)-1)
	part.Role = f.Role
	return part, func(s text.Span) text.Span { return s.Shift(span.Start) }
}

// shelvedCases are the cases of an evalset, to be read when they are asked for.
func (f File) shelvedCases(p metric.Profile) (all []Case) {
	for i, id := range f.shelf.ids {
		all = append(all, Case{ID: id, again: func() Case {
			part, to := f.part(i)
			return LowerSet(p, part).Cases[0].Bare(to)
		}})
	}
	return all
}

// shelvedResults are the cases of a result file, to be read when they are asked for.
func (f File) shelvedResults() (all []RecordedCase) {
	for i, id := range f.shelf.ids {
		all = append(all, RecordedCase{ID: id, again: func() RecordedCase {
			part, _ := f.part(i)
			c := recorded(part.Tree.Root().Items[0])
			c.Node = nil
			return c
		}})
	}
	return all
}

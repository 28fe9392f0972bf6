package adk

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ReadPart reads a case that [Split] has cut out of an evalset; last says that none
// comes after it.
func ReadPart(src *text.Source, last bool) File {
	f := File{Role: EvalSet, Body: src.Body, JSON: true, Part: true, Excess: excess(src.Body)}
	end := len(strings.TrimRight(blanked(f.Body, f.Excess), " \t\r\n"))
	parting, parts := end > 0 && f.Body[end-1] == ',', f.Excess
	if parting {
		parts = append(slices.Clip(parts), Excess{TrailingComma, text.Span{Start: end - 1, End: end}})
	}
	if parting && last {
		f.Excess = parts
	}
	f.Fault = faultIn(f.Plain(), parts)
	switch {
	case f.Fault != nil && f.Fault.Start >= end: // what closes it does not stand there
		f.Fault = &text.Span{Start: max(end-1, 0), End: end}
	case f.Fault == nil && !parting && !last:
		f.Unparted = &text.Span{Start: max(end-1, 0), End: end}
	}
	f.Tree = yaml.Parse(text.New(src.Name, f.Plain()))
	f.Tree.Source = src // of the same length
	f.Tree.Comments = commentsAmong(src.Body, f.Excess)
	return f
}

// listed is a part's text as the list that it is one item of: the blank that it
// begins with and the line break that it ends with are brackets.
func listed(body string) string {
	if len(body) < 2 || !strings.ContainsRune(" \t\r\n", rune(body[0])) || !strings.HasSuffix(body, "\n") {
		return body // no part that was cut
	}
	return "[" + body[1:len(body)-1] + "]"
}

package assist

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func extractRefactorings() []refactoring {
	return []refactoring{{
		Refactoring: Refactoring{ID: "extract-rubric", Title: "share the rubric with the cases that repeat it", IsExtract: true}, wholeFile: true,
		applies: func(ec editContext) (string, bool) {
			list := ec.criteriaList()
			if list == nil || list.Key == nil || ec.json {
				return "", false
			}
			words := ec.part.Source.Slice(list.Span)
			return "", strings.Count(ec.file.Slice(text.Span{End: ec.file.Length()}), words) > 1
		},
		edits: editContext.extractEdits,
	}}
}

// extractEdits puts an anchor before the first of the rubrics that are written alike
// and an alias in the place of each of the others.
func (ec editContext) extractEdits() ([]text.Edit, error) {
	list := ec.criteriaList()
	words := ec.part.Source.Slice(list.Span)
	body := ec.file.Slice(text.Span{End: ec.file.Length()})
	name := unusedAnchor(body)
	var edits []text.Edit
	for from := 0; ; {
		next := strings.Index(body[from:], words)
		if next < 0 {
			break
		}
		at := from + next
		from = at + len(words)
		p := ec.file.ChunkAt(at)
		twin := listValueAt(p.Tree, text.Span{Start: p.FromFile(at), End: p.FromFile(at) + len(words)}, list.Key.Key.Value)
		if twin == nil {
			continue
		}
		colon := twin.Key.Key.Span.End + len(":")
		switch {
		case len(edits) > 0 && twin.Anchor == "":
			span := text.Span{Start: colon, End: twin.Span.End}
			edits = append(edits, text.Edit{Span: p.ToFile(span), New: " *" + name})
		case twin.Anchor != "":
			return nil, errors.New("the rubric has an anchor already")
		default:
			edits = append(edits, text.Edit{Span: p.ToFile(text.Span{Start: colon, End: colon}), New: " &" + name})
		}
	}
	if len(edits) < 2 {
		return nil, errors.New("no other case has the same rubric")
	}
	return edits, nil
}

// listValueAt is the list with exactly a span that is the value of a key, the colon
// right after it; nil if there is none.
func listValueAt(t *yaml.Tree, span text.Span, key string) *yaml.Node {
	for n := t.NodeAt(span.Start); n != nil; n = n.Parent {
		if n.Span == span && n.Kind == yaml.Sequence && n.Key != nil && n.Key.Key.Value == key && n.Parent.Style == yaml.Block &&
			strings.HasPrefix(t.Source.Slice(text.Span{Start: n.Key.Key.Span.End, End: n.Span.Start}), ":") {
			return n
		}
	}
	return nil
}

// unusedAnchor is a name that no anchor has.
func unusedAnchor(body string) string {
	for n := 1; ; n++ {
		name := "rubric"
		if n > 1 {
			name = fmt.Sprintf("rubric-%d", n)
		}
		if !strings.Contains(body, "&"+name) {
			return name
		}
	}
}

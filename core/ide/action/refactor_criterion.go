package action

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/ide/internal/facts"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/lint/rules/wording"
	"github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var criterionRefactorings = []refactoring{
	{
		Refactoring: Refactoring{ID: "criterion-to-mapping", Title: "write the criterion as a mapping"}, preservesMeaning: true,
		applies: func(ec editContext) (string, bool) {
			v, ok := ec.criterion()
			if !ok || v.Node.Kind != yaml.Scalar || !v.IsCriterion() || v.Node.IsNull() {
				return "", false
			}
			return anchorReason(v.Node), true
		},
		edits: func(ec editContext) ([]text.Edit, error) { return ec.mappingEdits(), nil },
	},
	{
		Refactoring: Refactoring{ID: "criterion-to-text", Title: "write the criterion as a text"}, preservesMeaning: true,
		applies: func(ec editContext) (string, bool) {
			v, ok := ec.criterion()
			if !ok || v.Node.Kind != yaml.Mapping || !syntax.AcceptsPlainText(v.Type) {
				return "", false
			}
			return ec.notTextReason(v.Node), true
		},
		edits: func(ec editContext) ([]text.Edit, error) { return ec.textEdits(), nil },
	},
	{
		Refactoring: Refactoring{ID: "split-criterion", Title: "split it into two criteria that share the weight"},
		applies: func(ec editContext) (string, bool) {
			v, _ := ec.criterion()
			c := ec.lookupCriterion(v.Node)
			if c == nil || !wording.AsksForTwo(c) {
				return "", false
			}
			if _, ok := ec.splitEdit(); !ok {
				return "it cannot be split: it has a comment or another key, or is written in brackets", true
			}
			return "", true
		},
		edits: func(ec editContext) ([]text.Edit, error) {
			edit, _ := ec.splitEdit()
			return []text.Edit{edit}, nil
		},
	},
}

func (ec editContext) splitEdit() (text.Edit, bool) {
	v, _ := ec.criterion()
	c := ec.lookupCriterion(v.Node)
	return wording.SplitCriterion(ec.chunk.Source, ec.chunk.Tree, c, ec.textKey())
}

func (ec editContext) textKey() string {
	return ec.termFor(agentv.InCriterion, "expected_outcome").Text
}

// anchorReason says why a node with an anchor or tag cannot be rewritten, or returns "".
func anchorReason(n *yaml.Node) string {
	if n.Props.Empty() {
		return ""
	}
	return "it has an anchor or a tag"
}

func (ec editContext) mappingEdits() []text.Edit {
	v, _ := ec.criterion()
	written := newPair{key: ec.textKey(), value: ec.scalarText(v.Node)}
	if v.Node.Parent.Style == yaml.Flow {
		return []text.Edit{{Span: v.Node.Span, New: ec.flowMapping([]newPair{written})}}
	}
	if written.value != ec.chunk.Source.Slice(v.Node.Span) {
		return []text.Edit{{Span: v.Node.Span, New: ec.formatPair(written, false)}}
	}
	at := text.Span{Start: v.Node.Span.Start, End: v.Node.Span.Start}
	return []text.Edit{{Span: at, New: strings.TrimSuffix(ec.formatPair(written, false), written.value)}}
}

// notTextReason says why a mapping cannot be written as its text, or returns "".
func (ec editContext) notTextReason(n *yaml.Node) string {
	if reason := anchorReason(n); reason != "" {
		return reason
	}
	for _, p := range n.Pairs {
		if p.Key.Value != ec.textKey() {
			return "it has another key: `" + facts.ShortLine(p.Key.Value) + "`"
		}
	}
	if len(n.Pairs) != 1 || n.Pairs[0].Value.IsNull() {
		return "it has no text"
	}
	return ""
}

func (ec editContext) textEdits() []text.Edit {
	v, _ := ec.criterion()
	value := v.Node.Pairs[0].Value
	if written := ec.scalarText(value); written != ec.chunk.Source.Slice(syntax.FullSpan(value)) {
		return []text.Edit{{Span: v.Node.Span, New: scalar.Quote(value.Value)}}
	}
	span := syntax.FullSpan(value)
	edits := []text.Edit{{Span: text.Span{Start: v.Node.Span.Start, End: span.Start}}}
	if span.End < v.Node.Span.End {
		edits = append(edits, text.Edit{Span: text.Span{Start: span.End, End: v.Node.Span.End}})
	}
	return edits
}

func extractRefactorings() []refactoring {
	return []refactoring{{
		Refactoring: Refactoring{ID: "extract-rubric", Title: "share the rubric with the cases that repeat it", IsExtract: true}, wholeFile: true,
		applies: func(ec editContext) (string, bool) {
			list := ec.criteriaList()
			if list == nil || list.Key == nil || ec.json {
				return "", false
			}
			words := ec.chunk.Source.Slice(list.Span)
			return "", strings.Count(ec.file.Slice(text.Span{End: ec.file.Length()}), words) > 1
		},
		edits: editContext.extractEdits,
	}}
}

// extractEdits puts an anchor on the first of equal rubrics and replaces the others by aliases.
func (ec editContext) extractEdits() ([]text.Edit, error) {
	list := ec.criteriaList()
	words := ec.chunk.Source.Slice(list.Span)
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
		equal := listValueAt(p.Tree, text.Span{Start: p.FromFile(at), End: p.FromFile(at) + len(words)}, list.Key.Key.Value)
		if equal == nil {
			continue
		}
		colon := equal.Key.Key.Span.End + len(":")
		switch {
		case len(edits) > 0 && equal.Anchor == "":
			span := text.Span{Start: colon, End: equal.Span.End}
			edits = append(edits, text.Edit{Span: p.ToFile(span), New: " *" + name})
		case equal.Anchor != "":
			return nil, errors.New("the rubric already has an anchor")
		default:
			edits = append(edits, text.Edit{Span: p.ToFile(text.Span{Start: colon, End: colon}), New: " &" + name})
		}
	}
	if len(edits) < 2 {
		return nil, errors.New("no other case has the same rubric")
	}
	return edits, nil
}

// listValueAt returns the list with exactly this span that is the block-style value of key, or nil.
func listValueAt(t *yaml.Tree, span text.Span, key string) *yaml.Node {
	for n := t.NodeAt(span.Start); n != nil; n = n.Parent {
		if n.Span == span && n.Kind == yaml.Sequence && n.Key != nil && n.Key.Key.Value == key && n.Parent.Style == yaml.Block &&
			strings.HasPrefix(t.Source.Slice(text.Span{Start: n.Key.Key.Span.End, End: n.Span.Start}), ":") {
			return n
		}
	}
	return nil
}

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

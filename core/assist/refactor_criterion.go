package assist

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	scalars "github.com/rubric-ls/rubric/core/scalar"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func criterionRefactorings() []refactoring {
	return []refactoring{
		{
			Refactoring: Refactoring{ID: "criterion-to-mapping", Title: "write the criterion as a mapping"}, preservesMeaning: true,
			applies: func(ec editContext) (string, bool) {
				v, ok := ec.criterion()
				if !ok || v.node.Kind != yaml.Scalar || !v.isCriterion() || v.node.IsNull() {
					return "", false
				}
				return anchorReason(v.node), true
			},
			edits: func(ec editContext) ([]text.Edit, error) { return ec.mappingEdits(), nil },
		},
		{
			Refactoring: Refactoring{ID: "criterion-to-text", Title: "write the criterion as a text"}, preservesMeaning: true,
			applies: func(ec editContext) (string, bool) {
				v, ok := ec.criterion()
				if !ok || v.node.Kind != yaml.Mapping || !acceptsPlainText(v.Type) {
					return "", false
				}
				return ec.notTextReason(v.node), true
			},
			edits: func(ec editContext) ([]text.Edit, error) { return ec.textEdits(), nil },
		},
		{
			Refactoring: Refactoring{ID: "split-criterion", Title: "split it into two criteria that share the weight"},
			applies: func(ec editContext) (string, bool) {
				v, _ := ec.criterion()
				c := ec.lookupCriterion(v.node)
				if c == nil || !lint.AsksForTwo(c) {
					return "", false
				}
				if _, ok := ec.splitEdit(); !ok {
					return "it holds more than two can share: a comment, a key of its own, or it stands between brackets", true
				}
				return "", true
			},
			edits: func(ec editContext) ([]text.Edit, error) {
				edit, _ := ec.splitEdit()
				return []text.Edit{edit}, nil
			},
		},
	}
}

// splitEdit is the edit that makes two criteria of the one that the spot is in.
func (ec editContext) splitEdit() (text.Edit, bool) {
	v, _ := ec.criterion()
	c := ec.lookupCriterion(v.node)
	return lint.SplitCriterion(ec.part.Source, ec.part.Tree, c, ec.textKey())
}

// textKey is what the text of a criterion is under.
func (ec editContext) textKey() string {
	return ec.termFor(agentv.InCriterion, "expected_outcome").Text
}

// anchorReason says that a node is repeated elsewhere, "" if it is not.
func anchorReason(n *yaml.Node) string {
	if n.Props.Empty() {
		return ""
	}
	return "it has an anchor or a tag, which is about what is written now"
}

func (ec editContext) mappingEdits() []text.Edit {
	v, _ := ec.criterion()
	written := newPair{key: ec.textKey(), value: ec.scalarText(v.node)}
	if v.node.Parent.Style == yaml.Flow {
		return []text.Edit{{Span: v.node.Span, New: ec.flowMapping([]newPair{written})}}
	}
	if written.value != ec.part.Source.Slice(v.node.Span) {
		return []text.Edit{{Span: v.node.Span, New: ec.formatPair(written, false)}}
	}
	at := text.Span{Start: v.node.Span.Start, End: v.node.Span.Start}
	return []text.Edit{{Span: at, New: strings.TrimSuffix(ec.formatPair(written, false), written.value)}}
}

// notTextReason says why a mapping is more than its text, "" if it is not.
func (ec editContext) notTextReason(n *yaml.Node) string {
	if reason := anchorReason(n); reason != "" {
		return reason
	}
	for _, p := range n.Pairs {
		if p.Key.Value != ec.textKey() {
			return "it has more than a text: `" + shortLine(p.Key.Value) + "`"
		}
	}
	if len(n.Pairs) != 1 || n.Pairs[0].Value.IsNull() {
		return "it has no text"
	}
	return ""
}

func (ec editContext) textEdits() []text.Edit {
	v, _ := ec.criterion()
	value := v.node.Pairs[0].Value
	if written := ec.scalarText(value); written != ec.part.Source.Slice(fullSpan(value)) {
		return []text.Edit{{Span: v.node.Span, New: scalars.Quote(value.Value)}}
	}
	span := fullSpan(value)
	edits := []text.Edit{{Span: text.Span{Start: v.node.Span.Start, End: span.Start}}}
	if span.End < v.node.Span.End {
		edits = append(edits, text.Edit{Span: text.Span{Start: span.End, End: v.node.Span.End}})
	}
	return edits
}

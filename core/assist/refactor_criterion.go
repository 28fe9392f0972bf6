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
			Refactoring: Refactoring{ID: "criterion-to-mapping", Title: "write the criterion as a mapping"}, keeps: true,
			applies: func(s spot) (string, bool) {
				v, ok := s.criterion()
				if !ok || v.node.Kind != yaml.Scalar || !v.isCriterion() || v.node.IsNull() {
					return "", false
				}
				return anchorReason(v.node), true
			},
			edits: func(s spot) ([]text.Edit, error) { return s.toMapping(), nil },
		},
		{
			Refactoring: Refactoring{ID: "criterion-to-text", Title: "write the criterion as a text"}, keeps: true,
			applies: func(s spot) (string, bool) {
				v, ok := s.criterion()
				if !ok || v.node.Kind != yaml.Mapping || !takesWords(v.Type) {
					return "", false
				}
				return s.notText(v.node), true
			},
			edits: func(s spot) ([]text.Edit, error) { return s.toText(), nil },
		},
		{
			Refactoring: Refactoring{ID: "split-criterion", Title: "make it two criteria that share the weight"},
			applies: func(s spot) (string, bool) {
				v, _ := s.criterion()
				c := s.read(v.node)
				if c == nil || !lint.AsksTwo(c) {
					return "", false
				}
				if _, ok := s.split(); !ok {
					return "it holds more than two can share: a comment, a key of its own, or it stands between brackets", true
				}
				return "", true
			},
			edits: func(s spot) ([]text.Edit, error) {
				edit, _ := s.split()
				return []text.Edit{edit}, nil
			},
		},
	}
}

// split is the edit that makes two criteria of the one that the spot is in.
func (s spot) split() (text.Edit, bool) {
	v, _ := s.criterion()
	c := s.read(v.node)
	return lint.Split(s.part.Source, s.part.Tree, c, s.textKey())
}

// textKey is what the text of a criterion is under.
func (s spot) textKey() string { return s.term(agentv.InCriterion, "expected_outcome").Text }

// anchorReason says that a node is repeated elsewhere, "" if it is not.
func anchorReason(n *yaml.Node) string {
	if n.Props.Empty() {
		return ""
	}
	return "it has an anchor or a tag, which is about what is written now"
}

func (s spot) toMapping() []text.Edit {
	v, _ := s.criterion()
	written := pair{key: s.textKey(), value: s.raw(v.node)}
	if v.node.Parent.Style == yaml.Flow {
		return []text.Edit{{Span: v.node.Span, New: s.braced([]pair{written})}}
	}
	if written.value != s.part.Source.Slice(v.node.Span) {
		return []text.Edit{{Span: v.node.Span, New: s.write(written, false)}}
	}
	at := text.Span{Start: v.node.Span.Start, End: v.node.Span.Start}
	return []text.Edit{{Span: at, New: strings.TrimSuffix(s.write(written, false), written.value)}}
}

// notText says why a mapping is more than its text, "" if it is not.
func (s spot) notText(n *yaml.Node) string {
	if reason := anchorReason(n); reason != "" {
		return reason
	}
	for _, p := range n.Pairs {
		if p.Key.Value != s.textKey() {
			return "it has more than a text: `" + shortLine(p.Key.Value) + "`"
		}
	}
	if len(n.Pairs) != 1 || n.Pairs[0].Value.IsNull() {
		return "it has no text"
	}
	return ""
}

func (s spot) toText() []text.Edit {
	v, _ := s.criterion()
	value := v.node.Pairs[0].Value
	if written := s.raw(value); written != s.part.Source.Slice(fullSpan(value)) {
		return []text.Edit{{Span: v.node.Span, New: scalars.Quoted(value.Value)}}
	}
	span := fullSpan(value)
	edits := []text.Edit{{Span: text.Span{Start: v.node.Span.Start, End: span.Start}}}
	if span.End < v.node.Span.End {
		edits = append(edits, text.Edit{Span: text.Span{Start: span.End, End: v.node.Span.End}})
	}
	return edits
}

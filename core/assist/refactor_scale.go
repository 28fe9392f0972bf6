package assist

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// draftBands are what scores mean where nobody has said so yet, and the least
// score that is as good as satisfied.
var draftBands = []rubric.Band{{Lo: 0, Text: "Not met"}, {Lo: 4, Text: "Met in part"}, {Lo: 8, Text: "Met in full"}}

const draftMinimum = 8

func scaleRefactorings() []refactoring {
	return []refactoring{
		{
			Refactoring: Refactoring{ID: "scale-criterion", Title: "grade the criterion 0 to 10, with score ranges"},
			applies: func(s spot) (string, bool) {
				v, ok := s.criterion()
				if !ok || !s.isChecked(v.node) || !v.isCriterion() {
					return "", false
				}
				return anchorReason(v.node), true
			},
			edits: func(s spot) ([]text.Edit, error) {
				v, _ := s.criterion()
				return s.scaled(v.node), nil
			},
		},
		{
			Refactoring: Refactoring{ID: "scale-rubric", Title: "grade all criteria of the rubric 0 to 10, with score ranges"},
			applies: func(s spot) (reason string, ok bool) {
				checked := s.checked()
				for _, n := range checked {
					if reason := anchorReason(n); reason != "" {
						return reason, true
					}
				}
				return "", len(checked) > 1
			},
			edits: func(s spot) (edits []text.Edit, err error) {
				for _, n := range s.checked() {
					edits = append(edits, s.scaled(n)...)
				}
				return edits, nil
			},
		},
	}
}

// isChecked reports whether a criterion is judged yes or no.
func (s spot) isChecked(n *yaml.Node) bool {
	c := s.read(n)
	return c != nil && !c.Ranged() && c.BandsSpan.Empty() && n.Kind != yaml.Alias
}

// checked are the criteria of the rubric that are judged yes or no.
func (s spot) checked() (all []*yaml.Node) {
	list := s.rubric()
	if list == nil {
		return nil
	}
	for _, n := range list.Items {
		if s.isChecked(n) {
			all = append(all, n)
		}
	}
	return all
}

// scaled gives a criterion ranges. Where it was a gate it remains one, at a score
// that is as good as satisfied.
func (s spot) scaled(n *yaml.Node) []text.Edit {
	c := s.read(n)
	var more []pair
	if c.Must() && c.MinScore == nil {
		name := s.term(agentv.InCriterion, "required_min_score")
		least := strconv.Itoa(draftMinimum)
		if name.IsShare() {
			least = strconv.FormatFloat(draftMinimum/10.0, 'f', -1, 64)
		}
		more = append(more, pair{key: name.Text, value: least})
	}
	ranges := pair{key: rangesKey}
	for _, b := range draftBands {
		ranges.inside = append(ranges.inside, pair{key: strconv.Itoa(int(b.Lo)), value: s.word(b.Text)})
	}
	return s.added(n, append(more, ranges)...)
}

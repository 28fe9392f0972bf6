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
			applies: func(ec editContext) (string, bool) {
				v, ok := ec.criterion()
				if !ok || !ec.isYesNo(v.node) || !v.isCriterion() {
					return "", false
				}
				return anchorReason(v.node), true
			},
			edits: func(ec editContext) ([]text.Edit, error) {
				v, _ := ec.criterion()
				return ec.scaleEdits(v.node), nil
			},
		},
		{
			Refactoring: Refactoring{ID: "scale-rubric", Title: "grade all criteria of the rubric 0 to 10, with score ranges"},
			applies: func(ec editContext) (reason string, ok bool) {
				checked := ec.yesNoCriteria()
				for _, n := range checked {
					if reason := anchorReason(n); reason != "" {
						return reason, true
					}
				}
				return "", len(checked) > 1
			},
			edits: func(ec editContext) (edits []text.Edit, err error) {
				for _, n := range ec.yesNoCriteria() {
					edits = append(edits, ec.scaleEdits(n)...)
				}
				return edits, nil
			},
		},
	}
}

// isYesNo reports whether a criterion is judged yes or no.
func (ec editContext) isYesNo(n *yaml.Node) bool {
	c := ec.lookupCriterion(n)
	return c != nil && !c.HasBands() && c.BandsSpan.Empty() && n.Kind != yaml.Alias
}

// yesNoCriteria are the criteria of the rubric that are judged yes or no.
func (ec editContext) yesNoCriteria() (all []*yaml.Node) {
	list := ec.criteriaList()
	if list == nil {
		return nil
	}
	for _, n := range list.Items {
		if ec.isYesNo(n) {
			all = append(all, n)
		}
	}
	return all
}

// scaleEdits gives a criterion ranges. Where it was a gate it remains one, at a score
// that is as good as satisfied.
func (ec editContext) scaleEdits(n *yaml.Node) []text.Edit {
	c := ec.lookupCriterion(n)
	var more []newPair
	if c.IsRequired() && c.MinScore == nil {
		name := ec.termFor(agentv.InCriterion, "required_min_score")
		least := strconv.Itoa(draftMinimum)
		if name.IsShare() {
			least = strconv.FormatFloat(draftMinimum/10.0, 'f', -1, 64)
		}
		more = append(more, newPair{key: name.Text, value: least})
	}
	ranges := newPair{key: rangesKey}
	for _, b := range draftBands {
		ranges.children = append(ranges.children, newPair{key: strconv.Itoa(int(b.Lo)), value: ec.formatText(b.Text)})
	}
	return ec.appendEntries(n, append(more, ranges)...)
}

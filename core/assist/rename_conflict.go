package assist

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// anchorPattern is what an anchor may be called so that every reader of YAML
// takes it.
var anchorPattern = pattern.Of(`^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$`)

// variablePattern is what a variable of a template may be called.
var variablePattern = pattern.Of(`^[A-Za-z_][A-Za-z0-9_]*$`)

// mayBe says why something of a kind cannot be called so, whatever else is in
// the file.
func (n Name) mayBe(to string) error {
	switch {
	case strings.TrimSpace(to) == "":
		return errors.New("a name cannot be empty")
	case strings.TrimSpace(to) != to || strings.ContainsAny(to, "\n\r\t"):
		return errors.New("a name can neither begin nor end with a space, nor go over several lines")
	case n.Kind == VariableName && !variablePattern().MatchString(to):
		return fmt.Errorf("`%s` cannot be a variable: letters, digits and `_` can be in one, and no digit first", shortLine(to))
	case n.Kind == AnchorName && !anchorPattern().MatchString(to):
		return fmt.Errorf("`%s` cannot be an anchor: letters, digits, `_`, `-` and `.` can be in one", shortLine(to))
	}
	return nil
}

// isTaken says what has the new name already, where no two may have it.
func (n Name) isTaken(p *analysis.Part, under Use, to string, files []*analysis.Analysis) error {
	other := n
	other.Text = to
	switch n.Kind {
	case AnchorName:
		if anchored(files[0], to) {
			return fmt.Errorf("there is an anchor `%s` in this file already", to)
		}
	case CriterionName:
		return criterionTaken(p, under, to)
	case GraderName:
		if len(Uses(p, other)) > 0 {
			return fmt.Errorf("an evaluator beside it is called `%s` already", shortLine(to))
		}
	default:
		for _, a := range files {
			switch taken := declared(a, other); {
			case taken && a != files[0]:
				return fmt.Errorf("there is a %s `%s` already, in another file", n.Kind, shortLine(to))
			case taken:
				return fmt.Errorf("there is a %s `%s` already", n.Kind, shortLine(to))
			}
		}
	}
	return nil
}

// anchored reports whether a file has an anchor of a name, wherever it holds.
func anchored(a *analysis.Analysis, name string) (found bool) {
	s := search{in: a}
	s.all("&" + name)
	for _, p := range s.parts {
		namesIn(p, func(n Name, u Use) {
			found = found || n.Kind == AnchorName && n.Text == name && u.Declares
		})
	}
	return found
}

// declared reports whether a file declares a name that other files know.
func declared(a *analysis.Analysis, name Name) bool {
	for _, u := range usesOf(a, nil, name) {
		if u.Declares {
			return true
		}
	}
	return false
}

// criterionTaken looks among the criteria of the same rubric, those that are
// numbered for want of an id included.
func criterionTaken(p *analysis.Part, under Use, to string) (err error) {
	for _, item := range under.node.Parent.Parent.Items {
		if id := item.Get("id"); id != under.node && id.Follow() != nil && id.Follow().Value == to {
			return fmt.Errorf("a criterion of this rubric is called `%s` already", shortLine(to))
		}
	}
	eachGrader(p.Suite, func(g *rubric.Grader) {
		numbered := slices.ContainsFunc(g.Criteria, func(c *rubric.Criterion) bool { return c.AutoID && c.ID == to })
		if numbered && slices.ContainsFunc(g.Criteria, func(c *rubric.Criterion) bool { return c.IDSpan == under.node.Span }) {
			err = fmt.Errorf("a criterion of this rubric is called `%s` already, for want of an id, by its place", to)
		}
	})
	return err
}

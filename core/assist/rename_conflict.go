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

// validAnchor is what an anchor may be called so that every reader of YAML
// takes it.
var validAnchor = pattern.New(`^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$`)

// validVariable is what a variable of a template may be called.
var validVariable = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// validate says why something of a kind cannot be called so, whatever else is in
// the file.
func (n Name) validate(to string) error {
	switch {
	case strings.TrimSpace(to) == "":
		return errors.New("a name cannot be empty")
	case strings.TrimSpace(to) != to || strings.ContainsAny(to, "\n\r\t"):
		return errors.New("a name can neither begin nor end with a space, nor go over several lines")
	case n.Kind == VariableName && !validVariable().MatchString(to):
		return fmt.Errorf("`%s` cannot be a variable: letters, digits and `_` can be in one, and no digit first", shortLine(to))
	case n.Kind == AnchorName && !validAnchor().MatchString(to):
		return fmt.Errorf("`%s` cannot be an anchor: letters, digits, `_`, `-` and `.` can be in one", shortLine(to))
	}
	return nil
}

// checkConflict says what has the new name already, where no two may have it.
func (n Name) checkConflict(p *analysis.Chunk, under Use, to string, files []*analysis.Analysis) error {
	other := n
	other.Text = to
	switch n.Kind {
	case AnchorName:
		if hasAnchor(files[0], to) {
			return fmt.Errorf("there is an anchor `%s` in this file already", to)
		}
	case CriterionName:
		return checkCriterionID(p, under, to)
	case GraderName:
		if len(Uses(p, other)) > 0 {
			return fmt.Errorf("an evaluator beside it is called `%s` already", shortLine(to))
		}
	default:
		for _, a := range files {
			switch taken := isDeclared(a, other); {
			case taken && a != files[0]:
				return fmt.Errorf("there is a %s `%s` already, in another file", n.Kind, shortLine(to))
			case taken:
				return fmt.Errorf("there is a %s `%s` already", n.Kind, shortLine(to))
			}
		}
	}
	return nil
}

// hasAnchor reports whether a file has an anchor of a name, wherever it holds.
func hasAnchor(a *analysis.Analysis, name string) (found bool) {
	search := nameSearch{file: a}
	search.addMatching("&" + name)
	for _, p := range search.parts {
		visitNames(p, func(n Name, u Use) {
			found = found || n.Kind == AnchorName && n.Text == name && u.IsDeclaration
		})
	}
	return found
}

// isDeclared reports whether a file declares a name that other files know.
func isDeclared(a *analysis.Analysis, name Name) bool {
	for _, u := range usesInFile(a, nil, name) {
		if u.IsDeclaration {
			return true
		}
	}
	return false
}

// checkCriterionID looks among the criteria of the same rubric, those that are
// numbered for want of an id included.
func checkCriterionID(p *analysis.Chunk, under Use, to string) (err error) {
	for _, item := range under.node.Parent.Parent.Items {
		if id := item.Get("id"); id != under.node && id.Follow() != nil && id.Follow().Value == to {
			return fmt.Errorf("a criterion of this rubric is called `%s` already", shortLine(to))
		}
	}
	visitSuiteGraders(p.Suite, func(g *rubric.Grader) {
		numbered := slices.ContainsFunc(g.Criteria, func(c *rubric.Criterion) bool { return c.AutoID && c.ID == to })
		if numbered && slices.ContainsFunc(g.Criteria, func(c *rubric.Criterion) bool { return c.IDSpan == under.node.Span }) {
			err = fmt.Errorf("a criterion of this rubric is called `%s` already, for want of an id, by its place", to)
		}
	})
	return err
}

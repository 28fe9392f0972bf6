package assist

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// sway says so if the criterion decides all or nothing.
func (s stake) sway() string {
	reach := explored(s.of, s.grader)
	switch {
	case !reach.Known:
		return ""
	case reach.Alone == s.index:
		return "it decides alone whether the verdict is a fail"
	case len(reach.Witness) == 1:
		for verdict := range reach.Witness {
			return fmt.Sprintf("the rubric's verdict is %s whatever the grades are", verdict)
		}
	case slices.Contains(reach.Idle, s.index):
		return "its grade never changes the verdict"
	}
	return ""
}

// last is the criterion's grade in the last run, and what would have changed the
// rubric's verdict.
func (s stake) last(o Outcome) []string {
	g := o.grade(s.grader.Name, s.criterion().ID)
	if g == nil {
		return nil
	}
	line := "last run: **" + gradeWords(g.Grade) + "**"
	if g.Stale {
		line += " (stale)"
	}
	if votes := g.Grade.Votes(); votes != "" {
		line += " (" + votes + ")"
	}
	if g.Grade.Reasoning != "" {
		line += "; " + quoted(g.Grade.Reasoning)
	}
	lines := []string{line}
	if grades := s.graded(o); grades != nil {
		lines = append(lines, s.flip(grades))
	}
	return lines
}

// graded are the last run's grades of the whole rubric, nil if one is missing
// or does not fit its criterion any more.
func (s stake) graded(o Outcome) []score.Grade {
	var grades []score.Grade
	for _, c := range s.grader.Criteria {
		g := o.grade(s.grader.Name, c.ID)
		if g == nil || (g.Grade.Score == nil) == c.Ranged() || (g.Grade.Satisfied == nil) != c.Ranged() {
			return nil
		}
		grades = append(grades, g.Grade)
	}
	return grades
}

// flip says which grade of this criterion would have changed the verdict, else
// which of another one, else what a pass takes.
func (s stake) flip(grades []score.Grade) string {
	now := s.result(grades)
	if now.Ungraded != "" {
		return ""
	}
	if change := s.change(grades, now.Verdict); change != "" {
		return "what would flip it: " + change
	}
	line := fmt.Sprintf("no other grade of it would change the rubric's %s", now.Verdict)
	for i, c := range s.grader.Criteria {
		other := s
		other.index = i
		if change := other.change(grades, now.Verdict); change != "" {
			return line + "; " + code(c.ID) + " would: " + change
		}
	}
	if now.Verdict == score.Pass {
		return line
	}
	if witness := explored(s.of, s.grader).Witness[score.Pass]; witness != nil {
		line += "; a pass takes as much as " + gradesWords(witness)
	}
	return line
}

// flips are single grades that would have changed a rubric's verdict in the last
// run, the first few of them; "" if there are none.
func flips(c *rubric.Case, g *rubric.Grader, o Outcome) string {
	const most = 3
	var all []string
	for i := range g.Criteria {
		s := stake{of: c, grader: g, index: i}
		grades := s.graded(o)
		if grades == nil || len(all) == most {
			break
		}
		if change := s.change(grades, s.result(grades).Verdict); change != "" {
			all = append(all, code(s.criterion().ID)+" "+change)
		}
	}
	if all == nil {
		return ""
	}
	return "what would flip " + code(g.Name) + ": " + diag.Listed(all, "or")
}

// change is the grade of this criterion that is nearest to the one it has and
// has another verdict; "" if none has.
func (s stake) change(grades []score.Grade, verdict score.Verdict) string {
	has := levelOf(grades[s.index])
	all := score.Levels(s.criterion())
	slices.SortStableFunc(all, func(a, b float64) int { return cmp.Compare(math.Abs(a-has), math.Abs(b-has)) })
	for _, level := range all {
		if r := s.given(grades, level); r.Verdict != verdict && r.Ungraded == "" {
			return fmt.Sprintf("%s gives score %s, **%s**", gradeWords(at(s.criterion(), level)), rounded(r.Score), r.Verdict)
		}
	}
	return ""
}

// levelOf is a grade on the scale of 0 to 10.
func levelOf(g score.Grade) float64 {
	switch {
	case g.Score != nil:
		return *g.Score
	case g.Satisfied != nil && *g.Satisfied:
		return rubric.Highest
	}
	return rubric.Lowest
}

func gradeWords(g score.Grade) string {
	switch {
	case g.Ungraded != "":
		return "ungraded: " + quoted(g.Ungraded)
	case g.Score != nil:
		return number(*g.Score) + " of 10"
	case g.Satisfied != nil && *g.Satisfied:
		return "satisfied"
	}
	return "not satisfied"
}

// gradesWords names grades, of many the first.
func gradesWords(grades []score.Grade) string {
	const named = 6
	var all []string
	for i, g := range grades {
		if i == named && len(grades) > named+1 {
			all = append(all, fmt.Sprintf("%d more", len(grades)-named))
			break
		}
		all = append(all, code(g.ID)+" "+gradeWords(g))
	}
	return diag.Listed(all, "and")
}

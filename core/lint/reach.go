package lint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
)

// reached is what a rubric can come to, in both profiles.
type reached struct {
	score.Reach
	grader *rubric.Grader
	differ []score.Grade
}

// reaches visits every rubric with what it can come to. Rubrics that are alike
// but for their words are explored once.
func (p *Pass) reaches(visit func(*rubric.Grader, *reached)) {
	if p.reach == nil {
		p.reach = []*reached{}
		p.rubrics(func(_ *rubric.Case, g *rubric.Grader) {
			r := p.remembered().explored.get(shapeOf(g.Criteria), func() *reached {
				return &reached{Reach: score.Explore(g.Criteria), differ: score.Differ(g.Criteria)}
			})
			if r.Known {
				own := *r
				own.grader = g
				p.reach = append(p.reach, &own)
			}
		})
	}
	for _, r := range p.reach {
		visit(r.grader, r)
	}
}

// shapeOf is all of criteria that arithmetic looks at, and their ids.
func shapeOf(criteria []*rubric.Criterion) string {
	var b []byte
	decimal := func(f float64) { b = strconv.AppendFloat(append(b, ' '), f, 'g', -1, 64) }
	for _, c := range criteria {
		b = strconv.AppendBool(append(append(b, c.ID...), ' '), c.Must())
		decimal(c.Weight)
		if c.MinScore != nil {
			b = append(b, '>')
			decimal(*c.MinScore)
		}
		for _, band := range c.Bands {
			decimal(band.Lo)
			decimal(band.Hi)
		}
		b = append(b, '\n')
	}
	return string(b)
}

// outcomes are grades without whose they are.
func outcomes(grades []score.Grade) string {
	var b []byte
	for _, g := range grades {
		if g.Score != nil {
			b = strconv.AppendFloat(append(b, ' '), *g.Score, 'g', -1, 64)
		} else {
			b = strconv.AppendBool(append(b, ' '), *g.Satisfied)
		}
	}
	return string(b)
}

// witness is a note that shows grades and what they come to.
func (p *Pass) witness(g *rubric.Grader, profile score.Profile, lead string, grades []score.Grade) diag.Note {
	r := p.remembered().worth.get(shapeOf(g.Criteria)+string(profile)+outcomes(grades), func() score.Result {
		return score.Rubric(profile, g.Criteria, grades)
	})
	value := number(r.Score)
	if profile == score.AgentV {
		value = strconv.FormatFloat(r.Score, 'g', -1, 64) // to the last bit, which is the point
	}
	return diag.Note{Span: g.Head, Message: fmt.Sprintf("%s: %s: score %s, %s", lead, inWords(grades), value, r.Verdict)}
}

// inWords names grades: "`a` yes, `b` no, `c` 7 of 10". Of many the last are
// only counted.
func inWords(grades []score.Grade) string {
	const named = 6
	var parts []string
	for i, g := range grades {
		if i == named && len(grades) > named+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(grades)-named))
			break
		}
		outcome := "no"
		switch {
		case g.Score != nil:
			outcome = number(*g.Score) + " of 10"
		case *g.Satisfied:
			outcome = "yes"
		}
		parts = append(parts, "`"+shortened(g.ID)+"` "+outcome)
	}
	return strings.Join(parts, ", ")
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// best are the highest grades that criteria can be given.
func best(criteria []*rubric.Criterion) (grades []score.Grade) {
	for _, c := range criteria {
		g := score.Grade{ID: c.ID}
		if c.Ranged() {
			highest := 0.0
			for _, b := range c.Bands {
				highest = max(highest, min(b.Hi, rubric.Highest))
			}
			g.Score = &highest
		} else {
			yes := true
			g.Satisfied = &yes
		}
		grades = append(grades, g)
	}
	return grades
}

// head is where a criterion is shown: its id, else its text, else all of it.
func head(c *rubric.Criterion) text.Span {
	switch {
	case !c.IDSpan.Empty():
		return c.IDSpan
	case !c.TextSpan.Empty():
		return c.TextSpan
	}
	return c.Span
}

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

// attainable is what a rubric can come to, in both profiles.
type attainable struct {
	score.Attainable
	grader    *rubric.Grader
	differing []score.Grade
}

// eachAttainable visits every rubric with what it can come to. Rubrics that are alike
// but for their words are explored once.
func (p *Pass) eachAttainable(visit func(*rubric.Grader, *attainable)) {
	if p.attainable == nil {
		p.attainable = []*attainable{}
		p.eachRubric(func(_ *rubric.Case, g *rubric.Grader) {
			r := p.cache().attainable.get(criteriaKey(g.Criteria), func() *attainable {
				return &attainable{Attainable: score.FindAttainable(g.Criteria), differing: score.FindDifferingGrades(g.Criteria)}
			})
			if r.Known {
				own := *r
				own.grader = g
				p.attainable = append(p.attainable, &own)
			}
		})
	}
	for _, r := range p.attainable {
		visit(r.grader, r)
	}
}

// criteriaKey is all of criteria that arithmetic looks at, and their ids.
func criteriaKey(criteria []*rubric.Criterion) string {
	var b []byte
	decimal := func(f float64) { b = strconv.AppendFloat(append(b, ' '), f, 'g', -1, 64) }
	for _, c := range criteria {
		b = strconv.AppendBool(append(append(b, c.ID...), ' '), c.IsRequired())
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

// gradesKey are grades without whose they are.
func gradesKey(grades []score.Grade) string {
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

// witnessNote is a note that shows grades and what they come to.
func (p *Pass) witnessNote(g *rubric.Grader, profile score.Profile, lead string, grades []score.Grade) diag.Note {
	r := p.cache().results.get(criteriaKey(g.Criteria)+string(profile)+gradesKey(grades), func() score.Result {
		return score.Rubric(profile, g.Criteria, grades)
	})
	value := formatNumber(r.Score)
	if profile == score.AgentV {
		value = strconv.FormatFloat(r.Score, 'g', -1, 64) // to the last bit, which is the point
	}
	return diag.Note{Span: g.SelectionSpan, Message: fmt.Sprintf("%s: %s: score %s, %s", lead, describeGrades(grades), value, r.Verdict)}
}

// describeGrades names grades: "`a` yes, `b` no, `c` 7 of 10". Of many the last are
// only counted.
func describeGrades(grades []score.Grade) string {
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
			outcome = formatNumber(*g.Score) + " of 10"
		case *g.Satisfied:
			outcome = "yes"
		}
		parts = append(parts, "`"+abbreviate(g.ID)+"` "+outcome)
	}
	return strings.Join(parts, ", ")
}

func formatNumber(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// bestGrades are the highest grades that criteria can be given.
func bestGrades(criteria []*rubric.Criterion) (grades []score.Grade) {
	for _, c := range criteria {
		g := score.Grade{ID: c.ID}
		if c.HasBands() {
			highest := 0.0
			for _, b := range c.Bands {
				highest = max(highest, min(b.Hi, rubric.HighestScore))
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

// criterionSpan is where a criterion is shown: its id, else its text, else all of it.
func criterionSpan(c *rubric.Criterion) text.Span {
	switch {
	case !c.IDSpan.Empty():
		return c.IDSpan
	case !c.TextSpan.Empty():
		return c.TextSpan
	}
	return c.Span
}

package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Text writes the report for people: a line per case, beneath it its graders
// and their criteria, and why it does not pass.
func (r Report) Text(w io.Writer, style Style) error {
	out := bufio.NewWriter(w)
	p := painter{style}
	for i, s := range r.Suites {
		if i > 0 {
			fmt.Fprintln(out)
		}
		p.suite(out, s)
	}
	if len(r.Suites) != 1 {
		fmt.Fprintf(out, "\nall: %s\n", r.Totals())
	}
	if r.Notice != "" {
		fmt.Fprintf(out, "\n%s %s\n", p.paint(yellow, "note:"), printable(r.Notice))
	}
	return out.Flush()
}

func (p painter) suite(w io.Writer, s Suite) {
	head := s.Path
	if head == "" {
		head = s.Name
	}
	fmt.Fprintln(w, p.paint(bold, p.cut(head, 0)))
	if len(s.Records) > 0 {
		first := s.Records[0]
		fmt.Fprintln(w, p.paint(dim, p.cut(fmt.Sprintf("target %s, judge %s, profile %s", named(first.Target), named(first.Judge), first.Profile), 0)))
	}
	for _, rec := range s.Records {
		fmt.Fprintln(w)
		p.record(w, rec)
	}
	fmt.Fprintf(w, "\n%s\n", s.Totals())
}

func named(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

func (p painter) record(w io.Writer, rec run.Record) {
	fmt.Fprintf(w, "%s %-5s  %s\n", p.paint(verdictColor[rec.Verdict], fmt.Sprintf("%-10s", rec.Verdict)), decimal(rec.Score), p.paint(bold, p.cut(rec.EvalID, 18)))
	for _, g := range rec.Graders {
		p.grader(w, g, "  ")
	}
	if rec.Verdict != score.Pass {
		for _, reason := range rec.Reasons {
			fmt.Fprintf(w, "  %s %s\n", p.paint(verdictColor[rec.Verdict], "why:"), p.cut(reason, 7))
		}
	}
}

// grader draws a grader, its criteria and its members.
func (p painter) grader(w io.Writer, g run.GraderRecord, indent string) {
	what := string(g.Type)
	if len(g.Criteria) > 0 {
		what = "rubric"
	}
	if g.Weight != 1 {
		what += ", weight " + decimal(g.Weight)
	}
	outcome := fmt.Sprintf("%s %s", g.Verdict, decimal(g.Score))
	if g.Ungraded != "" {
		outcome = "ungraded: " + g.Ungraded
	}
	line := fmt.Sprintf("%s%s (%s): ", indent, printable(g.Name), what)
	fmt.Fprintln(w, line+p.paint(verdictColor[g.Verdict], p.cut(outcome, cells.StringWidth(line))))
	for _, problem := range g.Problems {
		fmt.Fprintf(w, "%s  ! %s\n", indent, p.cut(problem, len(indent)+4))
	}
	if len(g.Criteria) > 0 {
		for i, grade := range g.Grades {
			p.grade(w, criterionOf(g, grade, i), grade, indent+"  ")
		}
	} else if len(g.Members) == 0 {
		p.findings(w, g, indent+"  ")
	}
	for _, m := range g.Members {
		p.grader(w, m, indent+"  ")
	}
}

// criterionOf is the criterion of a grade: the one at its place, or with its id.
func criterionOf(g run.GraderRecord, grade score.Grade, i int) run.CriterionRecord {
	if i < len(g.Criteria) && g.Criteria[i].ID == grade.ID {
		return g.Criteria[i]
	}
	for _, c := range g.Criteria {
		if c.ID == grade.ID {
			return c
		}
	}
	return run.CriterionRecord{ID: grade.ID}
}

func (p painter) grade(w io.Writer, c run.CriterionRecord, grade score.Grade, indent string) {
	mark, color := outcomeOf(c, grade)
	text := c.Text
	if text == "" {
		text = c.ID
	}
	if terms := terms(c, grade); terms != "" {
		text += " (" + terms + ")"
	}
	fmt.Fprintf(w, "%s%s %s\n", indent, p.paint(color, mark), p.cut(text, len(indent)+len(mark)+1))
	reason := grade.Reasoning
	if grade.Ungraded != "" {
		reason = grade.Ungraded
	}
	if reason != "" {
		fmt.Fprintf(w, "%s    %s\n", indent, p.paint(dim, p.cut(reason, len(indent)+4)))
	}
}

// outcomeOf is a grade in a word, and its colour.
func outcomeOf(c run.CriterionRecord, grade score.Grade) (mark, color string) {
	switch {
	case grade.Ungraded != "":
		return "ungraded", red
	case grade.Score != nil:
		color = green
		if *grade.Score < 7 {
			color = yellow
		}
		if c.MinScore != nil && *grade.Score < *c.MinScore {
			color = red
		}
		return fmt.Sprintf("%2s/10", decimal(*grade.Score)), color
	case grade.Satisfied != nil && *grade.Satisfied:
		return "yes", green
	}
	return "no ", red
}

// terms are a criterion's weight and gate where they are not the common ones.
func terms(c run.CriterionRecord, grade score.Grade) string {
	var parts []string
	if c.Weight != 1 && c.ID != "" {
		parts = append(parts, "weight "+decimal(c.Weight))
	}
	switch {
	case c.MinScore != nil:
		parts = append(parts, "at least "+decimal(*c.MinScore))
	case !c.Required && grade.Score == nil:
		parts = append(parts, "optional")
	case c.Required && grade.Score != nil:
		parts = append(parts, "required")
	}
	return strings.Join(parts, ", ")
}

func (p painter) findings(w io.Writer, g run.GraderRecord, indent string) {
	for _, hit := range g.Hits {
		fmt.Fprintf(w, "%s%s %s\n", indent, p.paint(green, "+"), p.cut(hit, len(indent)+2))
	}
	for _, miss := range g.Misses {
		fmt.Fprintf(w, "%s%s %s\n", indent, p.paint(red, "-"), p.cut(miss, len(indent)+2))
	}
	if g.Reasoning != "" {
		fmt.Fprintf(w, "%s  %s\n", indent, p.paint(dim, p.cut(g.Reasoning, len(indent)+2)))
	}
}

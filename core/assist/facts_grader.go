package assist

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Results holds the outcome of the last run of each case, by case id. It is nil if nothing was run.
type Results map[string]Outcome

// An Outcome is the result of one case.
type Outcome struct {
	Score    *float64 // 0–1; nil if ungraded
	Verdict  score.Verdict
	Ungraded int      // number of criteria and graders without a grade
	Reasons  []string // why the verdict is not pass
	Stale    bool     // an input has changed since
	Grades   []CriterionGrade
	Metrics  []metric.Result // results of an ADK case, instead of Grades
}

// A CriterionGrade is the grade of one criterion.
type CriterionGrade struct {
	Grader string // name of the grader
	Grade  score.Grade
	Stale  bool
}

// NewOutcome converts a record whose stale parts have changed since the run. The whole outcome is
// stale if the record is not comparable with new ones.
func NewOutcome(r run.Record, stale map[run.GradeKey]bool, comparable bool) Outcome {
	o := Outcome{
		Score: r.Score, Verdict: r.Verdict, Ungraded: r.Ungraded, Reasons: r.Reasons,
		Stale: len(stale) > 0 || !comparable, Metrics: r.MetricResults(),
	}
	var add func([]run.GraderRecord)
	add = func(graders []run.GraderRecord) {
		for _, g := range graders {
			for _, grade := range g.Grades {
				key := run.GradeKey{Grader: g.Name, Criterion: grade.ID}
				o.Grades = append(o.Grades, CriterionGrade{Grader: g.Name, Grade: grade, Stale: !comparable || stale[key]})
			}
			add(g.Members)
		}
	}
	add(r.Graders)
	return o
}

// grade returns the grade of a grader's criterion, or nil.
func (o Outcome) grade(grader, id string) *CriterionGrade {
	for i := range o.Grades {
		if g := &o.Grades[i]; g.Grader == grader && g.Grade.ID == id {
			return g
		}
	}
	return nil
}

// caseFacts describes the graders of a case and its last run.
func caseFacts(c *rubric.Case, results Results) string {
	var lines []string
	if len(c.Graders) == 0 {
		lines = append(lines, fmt.Sprintf("graded by a `%s` that sees only the expected outcome", c.Fallback))
	}
	for _, g := range c.Graders {
		line := fmt.Sprintf("%s (%s): **%s** of the score", inlineCode(g.Name), g.Kind, formatPercent(graderShare(c, g)))
		if n := len(g.Criteria); n > 0 {
			line += fmt.Sprintf(", %d %s", n, plural(n, "criterion", "criteria"))
		}
		lines = append(lines, line)
	}
	if o, ran := results[c.ID]; ran {
		lines = append(lines, "last run: "+o.summary())
		for _, reason := range o.Reasons {
			lines = append(lines, escapeMarkdown(reason))
		}
		for _, g := range c.Graders {
			lines = append(lines, flippingGrades(c, g, o))
		}
	}
	return bulletList(lines)
}

// graderFacts describes what a grader is worth in its case. The parent is the grader that it is a
// member of, or nil.
func graderFacts(c *rubric.Case, g, parent *rubric.Grader, results Results) string {
	var lines []string
	switch {
	case parent != nil:
		lines = append(lines, fmt.Sprintf("weight %s among the members", formatNumber(parent.MemberWeight(g))))
	case g.Weight == 0:
		lines = append(lines, "weight 0: reported but not counted")
	default:
		lines = append(lines, fmt.Sprintf("weight %s: **%s** of the case's score", formatNumber(g.Weight), formatPercent(graderShare(c, g))))
	}
	if g.Negate {
		lines = append(lines, "negated: it passes when the check fails")
	}
	if g.Required {
		least := score.PassAt
		for _, minimum := range []*float64{c.Threshold, g.MinScore} {
			if minimum != nil {
				least = *minimum
			}
		}
		lines = append(lines, fmt.Sprintf("gate: at least **%s**, else the verdict is fail", formatNumber(least)))
	}
	if len(g.Criteria) > 0 {
		lines = append(lines, rubricFacts(c, g)...)
	}
	if o, ran := results[c.ID]; ran {
		lines = append(lines, "last run: "+o.summary())
	}
	return bulletList(lines)
}

// rubricFacts describes the gates of a rubric and the grades that each verdict needs.
func rubricFacts(c *rubric.Case, g *rubric.Grader) []string {
	n := len(g.Criteria)
	var gates []string
	for _, criterion := range g.Criteria {
		if isGate(criterion) {
			gates = append(gates, inlineCode(criterion.ID))
		}
	}
	line := fmt.Sprintf("%d %s, ", n, plural(n, "criterion", "criteria"))
	switch {
	case g.Negate:
		line += "no gate, since the rubric is negated"
	case len(gates) == 0:
		line += "no gate"
	case n == 1:
		line += "a gate"
	case len(gates) == n:
		line += "each of them a gate"
	default:
		line += "gates: " + strings.Join(gates, ", ")
	}
	lines := []string{line}
	attainable := explore(c, g)
	if !attainable.Known {
		return lines
	}
	for _, v := range []score.Verdict{score.Pass, score.Borderline, score.Fail} {
		if witness := attainable.Witnesses[v]; witness == nil {
			lines = append(lines, fmt.Sprintf("no combination of grades gives **%s**", v))
		} else if v != score.Fail {
			r := score.Rubric(score.Spec, g.Criteria, witness)
			lines = append(lines, fmt.Sprintf("minimum for **%s**: %s (score %s)", v, describeGrades(witness), formatScore(r.Score)))
		}
	}
	var idle []string
	for _, i := range attainable.NeverDecisive {
		idle = append(idle, inlineCode(g.Criteria[i].ID))
	}
	if idle != nil {
		lines = append(lines, "never affects the verdict: "+strings.Join(idle, ", "))
	}
	return lines
}

// isGate reports whether missing the criterion makes the verdict fail.
func isGate(c *rubric.Criterion) bool {
	if c.HasBands() {
		return score.Minimum(c) != nil
	}
	return c.IsRequired()
}

// summary describes the outcome in a few words.
func (o Outcome) summary() string {
	line := string(o.Verdict)
	if o.Score != nil {
		line += ", score " + formatScore(*o.Score)
	}
	if o.Ungraded > 0 {
		line += fmt.Sprintf(", %d %s missing", o.Ungraded, plural(o.Ungraded, "grade", "grades"))
	}
	return line + staleSuffix(o.Stale)
}

func plural(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// markdownEscaper escapes the special characters of Markdown.
var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "!", `\!`, "&", `\&`)

// escapeMarkdown returns text by a judge or program as one line of literal Markdown, shortened.
func escapeMarkdown(text string) string { return markdownEscaper.Replace(oneLine(text)) }

// inlineCode returns a name from the file as Markdown code.
func inlineCode(name string) string { return "`" + strings.ReplaceAll(oneLine(name), "`", "'") + "`" }

// oneLine reports whether an entry of a block mapping takes the rest of its line.
func oneLine(text string) string { return excerpt.Shorten(text, 400) }

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// Row is a criterion with its grade, its gate (if it has one) and its own verdict.
type Row struct {
	run.CriterionRecord
	Grade   score.Grade
	Gate    *score.Gate
	Verdict score.Verdict // pass, borderline, fail or ungraded
}

// Rows lists a rubric's criteria in the order of their grades. Criteria without a grade follow:
// the judge gave none, or a profile dropped it.
func Rows(profile score.Profile, g run.GraderRecord) []Row {
	gates := map[string][]*score.Gate{}
	for i := range g.Gates {
		gates[g.Gates[i].ID] = append(gates[g.Gates[i].ID], &g.Gates[i])
	}
	list := make([]Row, 0, max(len(g.Grades), len(g.Criteria)))
	seen := make([]bool, len(g.Criteria))
	for i, grade := range g.Grades {
		row := Row{CriterionRecord: run.CriterionRecord{ID: grade.ID, Weight: grade.Weight}, Grade: grade}
		if index := criterionIndex(g.Criteria, grade.ID, i); index >= 0 {
			row.CriterionRecord, seen[index] = g.Criteria[index], true
		}
		if queue := gates[grade.ID]; len(queue) > 0 {
			row.Gate, gates[grade.ID] = queue[0], queue[1:]
		}
		row.Verdict, _ = grade.Verdict(profile, g.Terms, row.Gate)
		list = append(list, row)
	}
	for i, c := range g.Criteria {
		if !seen[i] {
			list = append(list, Row{CriterionRecord: c, Grade: score.Grade{ID: c.ID, Ungraded: "it has no grade"}, Verdict: score.Ungraded})
		}
	}
	return list
}

// criterionIndex returns the index of the criterion of the i-th grade: i itself, or the index of
// the criterion with the id, or -1.
func criterionIndex(criteria []run.CriterionRecord, id string, i int) int {
	if i < len(criteria) && criteria[i].ID == id {
		return i
	}
	return slices.IndexFunc(criteria, func(c run.CriterionRecord) bool { return c.ID == id })
}

// Heading returns the criterion's text, or its id if it has no text.
func (r Row) Heading() string { return cmp.Or(r.Text, r.ID) }

// Reason explains the grade, or why there is none, and how far the samples agree.
func (r Row) Reason() string {
	switch {
	case r.Grade.Ungraded != "":
		return "ungraded: " + r.Grade.Ungraded
	case r.Grade.Agreement != nil:
		return strings.TrimSpace(fmt.Sprintf("(%s) %s", r.Grade.VoteSummary(), r.Grade.Reasoning))
	}
	return r.Grade.Reasoning
}

// Mark formats a grade in five columns.
func Mark(g score.Grade) string {
	switch {
	case g.Ungraded != "":
		return "?    "
	case g.Score != nil:
		text := score.FormatNumber(*g.Score) + "/10"
		return "     "[min(len(text), 5):] + text
	case g.Satisfied != nil && *g.Satisfied:
		return "✓ yes"
	}
	return "✗ no "
}

// verdictClasses are the classes of verdicts on the page and in the terminal.
var verdictClasses = map[score.Verdict]string{score.Pass: "good", score.Borderline: "fair", score.Fail: "bad", score.Ungraded: "none"}

// Class returns the class of the criterion's verdict: good, fair, bad or none.
func (r Row) Class() string { return verdictClasses[r.Verdict] }

// GateName describes the criterion's gate; it is "" if there is none. An ungraded criterion met
// no gate yet, so its gate is the one in its file.
func (r Row) GateName() string {
	switch {
	case r.Gate != nil && r.Gate.Minimum != nil:
		return "at least " + score.FormatNumber(*r.Gate.Minimum)
	case r.Gate != nil:
		return "required"
	case r.Grade.Ungraded == "":
		return ""
	case len(r.Bands) > 0 && r.MinScore != nil:
		return "at least " + score.FormatNumber(*r.MinScore)
	case r.Required:
		return "required"
	}
	return ""
}

// Details lists the weight unless it is 1, the gate, and whether the samples disagree.
func (r Row) Details() string {
	var parts []string
	if r.Weight != 1 {
		parts = append(parts, "weight "+score.FormatNumber(r.Weight))
	}
	if name := r.GateName(); name != "" {
		if r.Gate != nil && r.Gate.Failed() {
			name += ": not met"
		}
		parts = append(parts, name)
	}
	if r.Grade.IsContested() {
		parts = append(parts, "contested")
	}
	return strings.Join(parts, ", ")
}

// reachedBand returns the index of the first band that holds the score, or -1.
func (r Row) reachedBand() int {
	if r.Grade.Score == nil {
		return -1
	}
	return slices.IndexFunc(r.Bands, func(b run.BandRecord) bool {
		return rubric.Band{Lo: b.Range[0], Hi: b.Range[1]}.Contains(*r.Grade.Score)
	})
}

// GraderKind returns the grader's kind for display: a judge with criteria is a rubric. It ends with the
// judge if the grader names one.
func GraderKind(g run.GraderRecord) string {
	kind := spaced(string(g.Type))
	if len(g.Criteria) > 0 && g.Type != rubric.Turn {
		kind = "rubric"
	}
	if g.Judge != "" {
		kind += ", judge " + g.Judge
	}
	return kind
}

func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// HasOwnFindings reports whether the grader's hits and misses add something. A rubric's hits and
// misses repeat its grades; those of a turn or a weighted average repeat its members'.
func HasOwnFindings(g run.GraderRecord) bool {
	repeats := g.Aggregator == "weighted_average" || g.Type == rubric.Turn || g.Type == rubric.Transcript
	return len(g.Criteria) == 0 && (len(g.Members) == 0 || !repeats) && !IsUnassertedTurn(g)
}

// IsUnassertedTurn reports whether the grader is a turn of a conversation that nothing grades. Its
// score counts in the reference's profiles alone.
func IsUnassertedTurn(g run.GraderRecord) bool { return g.Turn != nil && len(g.Members) == 0 }

// FailureReasons explains why a case does not pass, apart from its error. A profile that uses the
// score alone has no reasons, so the score is the reason.
func FailureReasons(rec run.Record) []string {
	if rec.Verdict == score.Pass {
		return nil
	}
	reasons := slices.DeleteFunc(slices.Clone(rec.Reasons), func(reason string) bool { return reason == rec.Error })
	if len(reasons) == 0 && rec.Error == "" {
		least := score.PassAt
		if rec.Threshold != nil && rec.Profile != score.AgentV {
			least = *rec.Threshold
		}
		if rec.Verdict == score.Fail && !rec.Profile.IsV4OrLater() && rec.Profile != score.Promptfoo {
			least = min(least, score.BorderlineAt)
		}
		if rec.Score != nil && *rec.Score >= least {
			return []string{"the results do not say why"}
		}
		return []string{fmt.Sprintf("score %s is below %s", ScoreOf(rec.Score), score.FormatNumber(least))}
	}
	return reasons
}

// Members returns the parts of a grader: its members, or the turns that a metric measured.
func Members(g run.GraderRecord) []run.GraderRecord {
	if g.Metric != nil {
		return mergeTurns(run.TurnRecords(*g.Metric))
	}
	return g.Members
}

// mergeTurns combines consecutive turns that have the same score and nothing else to show.
func mergeTurns(turns []run.GraderRecord) []run.GraderRecord {
	var all []run.GraderRecord
	for i := 0; i < len(turns); {
		next := i + 1
		for next < len(turns) && hasOnlyScore(turns[i]) && hasOnlyScore(turns[next]) && *turns[next].Score == *turns[i].Score && turns[next].Verdict == turns[i].Verdict {
			next++
		}
		g := turns[i]
		if next > i+1 {
			g.Name = fmt.Sprintf("turns %d to %d", i+1, next)
		}
		all = append(all, g)
		i = next
	}
	return all
}

func hasOnlyScore(g run.GraderRecord) bool {
	return g.Score != nil && g.Reasoning == "" && len(g.Grades)+len(g.Problems)+len(g.Replies) == 0
}

// MetricThreshold describes a metric's threshold, and the mean of its turns' means if it has one.
// It is "" for other graders.
func MetricThreshold(g run.GraderRecord) string {
	if g.Metric == nil || g.Metric.Score == nil {
		return ""
	}
	text := "threshold " + score.FormatNumber(g.Metric.Threshold)
	if mean := g.Metric.TurnMean; mean != nil {
		text += "; the mean of the turns' means is " + FormatScore(*mean)
	}
	return text
}

// FormatDifference formats a difference of scores with its sign, or as a dash without one.
func FormatDifference(f *float64) string {
	if f == nil {
		return "–"
	}
	return score.FormatDifference(*f)
}

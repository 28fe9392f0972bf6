package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// CriterionRef is a criterion with its grader and case.
type CriterionRef struct {
	TestCase *rubric.Case
	Grader   *rubric.Grader
	Index    int  // in the grader's criteria
	isMember bool // the grader is a member of another one, which decides the case's score
}

// Criterion returns the criterion.
func (cr CriterionRef) Criterion() *rubric.Criterion { return cr.Grader.Criteria[cr.Index] }

// VisitCriteria visits the criteria in a chunk's own text. Criteria that cases share are visited for
// the first case only.
func VisitCriteria(p *analysis.Chunk, visit func(CriterionRef)) {
	seen := map[*rubric.Grader]bool{}
	for _, c := range AllCases(p) {
		for g, parent := range rubric.Walk(c.Graders) {
			for i, criterion := range g.Criteria {
				if !seen[g] && IsOwnText(p, criterion.Span.Start) {
					visit(CriterionRef{c, g, i, parent != nil})
				}
			}
			seen[g] = true
		}
	}
}

// CriterionAt returns the criterion at an offset.
func CriterionAt(p *analysis.Chunk, offset int) (found CriterionRef, ok bool) {
	VisitCriteria(p, func(cr CriterionRef) {
		if !ok && cr.Criterion().Span.Touches(offset) {
			found, ok = cr, true
		}
	})
	return found, ok
}

// IsOwnText reports whether an offset is in the chunk's text, not in its header.
func IsOwnText(p *analysis.Chunk, offset int) bool { return offset <= len(p.Source.Body) }

// ResultAtLevel returns the rubric's result if this criterion had another level.
func (cr CriterionRef) ResultAtLevel(grades []score.Grade, level float64) score.Result {
	all := slices.Clone(grades)
	all[cr.Index] = score.GradeAt(cr.Criterion(), level)
	return cr.RubricResult(all)
}

// RubricResult returns the rubric's result for some grades.
func (cr CriterionRef) RubricResult(grades []score.Grade) score.Result {
	g := cr.Grader
	terms := score.Terms{Negate: g.Negate, Required: g.Required, MinScore: g.MinScore, Threshold: cr.TestCase.PassAt(false)}
	return terms.Apply(score.Spec, g.Name, score.Rubric(score.Spec, g.Criteria, grades))
}

// maxExplored bounds the criteria to explore during a request. Twenty take a few milliseconds.
const maxExplored = 20

// Explore returns the possible results of a rubric. They are unknown for settings that
// [score.FindAttainable] does not model.
func Explore(c *rubric.Case, g *rubric.Grader) score.Attainable {
	if g.Negate || g.MinScore != nil || c.PassAt(false) != nil || len(g.Criteria) > maxExplored {
		return score.Attainable{}
	}
	return score.FindAttainable(g.Criteria)
}

// CaseResult returns the case's result if its other graders give full marks. It returns false for
// members and single graders.
func (cr CriterionRef) CaseResult(r score.Result) (score.CaseResult, bool) {
	if cr.isMember || len(cr.TestCase.Graders) < 2 {
		return score.CaseResult{}, false
	}
	return score.Case(score.Spec, cr.TestCase.PassAt(false), score.OthersPass(cr.TestCase, cr.Grader, r)), true
}

// WeightShares returns the criterion's share of its rubric's weight and of its case's score, both
// 0–1. It returns false if the weights have no positive sum.
func (cr CriterionRef) WeightShares() (ofRubric, ofCase float64, ok bool) {
	total := 0.0
	for _, c := range cr.Grader.Criteria {
		if c.Weight < 0 {
			return 0, 0, false
		}
		total += c.Weight
	}
	if !(total > 0) {
		return 0, 0, false
	}
	ofRubric = cr.Criterion().Weight / total
	return ofRubric, ofRubric * GraderShare(cr.TestCase, cr.Grader), true
}

// GraderShare returns a grader's share of its case's score, 0–1. It is 0 for members and if the
// weights have no positive sum.
func GraderShare(c *rubric.Case, g *rubric.Grader) float64 {
	total, own := 0.0, 0.0
	for _, other := range c.Graders {
		total += other.Weight
		if other == g {
			own = g.Weight
		}
	}
	if !(total > 0) {
		return 0
	}
	return own / total
}

// AllCases returns a chunk's cases, including skipped ones, since a case that is being typed is
// often skipped. For the header, the text around the cases, it returns a stand-in for any case.
func AllCases(p *analysis.Chunk) []*rubric.Case {
	cases := p.Suite.AllCases()
	if p.Header != nil || len(cases) > 0 || p.Tree.HasUnboundedAliases() {
		return cases
	}
	says := "criteria: x\n  input: x"
	switch {
	case p.Role == agentv.Eval:
		says = "expected_outcome: x\n  input: x"
	case p.Role != agentv.EvalV4:
		return cases
	case p.Version == agentv.Head:
		says = "criteria: x\n  vars: {}"
	}
	cases = v4.Reader{Format: dialect.Format(p.Role, p.Version)}.LowerChunk(p.Tree, wildcardCase(says)).Cases
	for _, c := range cases {
		c.ID, c.Span = "", text.Span{End: len(p.Source.Body) + 1} // matches every offset
	}
	return cases
}

// wildcardCase returns a list with one case without graders, at an offset behind every text.
func wildcardCase(says string) *yaml.Tree {
	t := yaml.Parse(text.New("", "- id: x\n  "+says+"\n"))
	t.MapSpans(func(span text.Span) text.Span { return span.Shift(text.HeaderBase) })
	return t
}

// LowerEvalset returns a chunk as an ADK evalset; false if it is none.
func LowerEvalset(p *analysis.Chunk) (adk.Set, bool) {
	if p.ADK == nil || !p.ADK.Role.HasCases() {
		return adk.Set{}, false
	}
	return adk.LowerSet(metric.Latest, *p.ADK), true
}

// CaseSummary describes the content of an evalset case in a few words.
func CaseSummary(c adk.Case) string {
	parts := diag.CountNoun(len(c.Conversation), "turn")
	if c.Scenario != nil {
		parts = "a simulated user"
	}
	if rubrics := rubricSummary(c.Rubrics); rubrics != "" {
		parts += ", with " + rubrics
	}
	return parts
}

// TurnSummary describes the tool calls, the answer and the rubrics of a turn.
func TurnSummary(turn metric.Invocation) string {
	parts := []string{"no tool call"}
	if calls := turn.Calls(); len(calls) > 0 {
		names := generic.Map(calls, func(call metric.ToolCall) string { return call.Name })
		parts[0] = strings.Join(names, ", ")
	}
	if answer, _ := turn.Final.Text(); answer == "" {
		parts = append(parts, "no answer")
	}
	if rubrics := rubricSummary(turn.Rubrics); rubrics != "" {
		parts = append(parts, rubrics)
	}
	return strings.Join(parts, "; ")
}

// rubricSummary returns how many rubrics each metric has.
func rubricSummary(rubrics []metric.Rubric) string {
	var unused int
	used := map[string]int{}
	for _, r := range rubrics {
		if name := adk.MetricForRubricType(r.Type); name != "" {
			used[name]++
		} else {
			unused++
		}
	}
	var parts []string
	for _, kind := range adk.RubricTypes() {
		if n := used[adk.MetricForRubricType(kind)]; n > 0 {
			parts = append(parts, diag.CountNoun(n, "rubric")+" for "+adk.MetricForRubricType(kind))
		}
	}
	if unused > 0 {
		parts = append(parts, diag.CountNoun(unused, "rubric")+" that no metric uses")
	}
	return diag.JoinList(parts, "and")
}

// LowerRecording returns a chunk as recorded results; false if it is none. Results that are JSON
// inside a JSON string have no spans and count as none.
func LowerRecording(p *analysis.Chunk) (adk.Recording, bool) {
	if p.ADK == nil || p.ADK.Role != adk.Results || !p.ADK.IsChunk && !p.Tree.Root().IsMap() {
		return adk.Recording{}, false
	}
	return adk.LowerResults(metric.Latest, *p.ADK), true
}

// RecordedSummary describes the scores of a recorded case.
func RecordedSummary(c adk.RecordedCase) string {
	line, passed := diag.CountNoun(len(c.Actual), "turn"), 0
	scores := c.Measured()
	for _, s := range scores {
		if s.Status == metric.Passed {
			passed++
		}
	}
	if len(scores) > 0 {
		line += fmt.Sprintf("; recorded: %d of %s passed", passed, diag.CountNoun(len(scores), "metric"))
	}
	return line
}

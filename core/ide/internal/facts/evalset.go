package facts

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
)

// LowerEvalset returns a chunk as an ADK evalset; false if it is none.
func LowerEvalset(p *analysis.Chunk) (adk.Set, bool) {
	if p.ADK == nil || p.ADK.Role != adk.EvalSet && p.ADK.Role != adk.Older && p.ADK.Role != adk.Turns {
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
		var names []string
		for _, call := range calls {
			names = append(names, call.Name)
		}
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

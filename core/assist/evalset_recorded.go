package assist

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// lowerRecording are a part's conversations; false if it is no result file. One that holds
// its JSON as a text once more has no places for them.
func lowerRecording(p *analysis.Chunk) (adk.Recording, bool) {
	if p.ADK == nil || p.ADK.Role != adk.Results || !p.ADK.IsChunk && !p.Tree.Root().IsMap() {
		return adk.Recording{}, false
	}
	return adk.LowerResults(metric.Latest, *p.ADK), true
}

// recordingCases are the cases of a result file, of several with an id the first.
func recordingCases(rec adk.Recording) (all []evalsetCase) {
	seen := map[string]bool{}
	for _, c := range rec.Cases {
		if !seen[c.ID] {
			seen[c.ID] = true
			all = append(all, evalsetCase{id: c.ID, nameSpan: firstKeySpan(c.Node), summary: recordedSummary(c)})
		}
	}
	return all
}

// recordedSummary is what was recorded of a case, in one line.
func recordedSummary(c adk.RecordedCase) string {
	line, passed := countNoun(len(c.Actual), "turn"), 0
	scores := c.Scores()
	for _, s := range scores {
		if s.Status == metric.Passed {
			passed++
		}
	}
	if len(scores) > 0 {
		line += fmt.Sprintf("; recorded: %d of %s passed", passed, countNoun(len(scores), "metric"))
	}
	return line
}

// recordingFacts is what a place in a result file comes to: at a case's id, what was
// recorded of it and what was measured here.
func recordingFacts(rec adk.Recording, n *yaml.Node, results Results) string {
	for _, c := range rec.Cases {
		if id := adk.LookupPair(c.Node, "eval_id"); id == nil || pairOf(n) != id {
			continue
		}
		lines := []string{recordedSummary(c)}
		for _, s := range c.Scores() {
			score := "not evaluated"
			if s.Score != nil {
				score = formatScore(*s.Score)
			}
			lines = append(lines, "recorded: "+inlineCode(s.Metric)+" "+score)
		}
		return bulletList(append(lines, caseMeasurements(results, c.ID)...))
	}
	return ""
}

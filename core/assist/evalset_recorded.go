package assist

import (
	"fmt"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// recordings are a part's conversations; false if it is no result file. One that holds
// its JSON as a text once more has no places for them.
func recordings(p *analysis.Part) (adk.Recording, bool) {
	if p.ADK == nil || p.ADK.Role != adk.Results || !p.ADK.Part && !p.Tree.Root().IsMap() {
		return adk.Recording{}, false
	}
	return adk.LowerResults(metric.Latest, *p.ADK), true
}

// recordedCases are the cases of a result file, of several with an id the first.
func recordedCases(rec adk.Recording) (all []setCase) {
	seen := map[string]bool{}
	for _, c := range rec.Cases {
		if !seen[c.ID] {
			seen[c.ID] = true
			all = append(all, setCase{id: c.ID, head: firstKey(c.Node), words: recordedWords(c)})
		}
	}
	return all
}

// recordedWords is what was recorded of a case, in one line.
func recordedWords(c adk.RecordedCase) string {
	said, passed := count(len(c.Actual), "turn"), 0
	scores := c.Scores()
	for _, s := range scores {
		if s.Status == metric.Passed {
			passed++
		}
	}
	if len(scores) > 0 {
		said += fmt.Sprintf("; recorded: %d of %s passed", passed, count(len(scores), "metric"))
	}
	return said
}

// recordedFacts is what a place in a result file comes to: at a case's id, what was
// recorded of it and what was measured here.
func recordedFacts(rec adk.Recording, n *yaml.Node, results Results) string {
	for _, c := range rec.Cases {
		if id := adk.Pair(c.Node, "eval_id"); id == nil || pairOf(n) != id {
			continue
		}
		lines := []string{recordedWords(c)}
		for _, s := range c.Scores() {
			score := "not evaluated"
			if s.Score != nil {
				score = rounded(*s.Score)
			}
			lines = append(lines, "recorded: "+code(s.Metric)+" "+score)
		}
		return bullets(append(lines, measuredCase(results, c.ID)...))
	}
	return ""
}

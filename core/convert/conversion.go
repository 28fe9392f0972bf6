// Package convert rewrites the cases of one dialect as files of another: AgentV as ADK and ADK as
// AgentV. It lists what the other dialect cannot express or would score differently.
//
// It only builds text. It opens and writes no file, and never changes its input.
package convert

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// A Conversion is the result of converting one file.
type Conversion struct {
	Files  []File `json:"files"` // the file with the cases comes first; never empty
	Losses []Loss `json:"losses"`
}

// A File is a new file to write.
type File struct {
	Name string `json:"name"` // base name
	Text string `json:"text"`
}

// A Loss is something that the target dialect cannot express or would score differently.
type Loss struct {
	Message string   `json:"what"`            // a sentence
	Cases   []string `json:"cases,omitempty"` // ids of the affected cases; empty if the whole file is affected
}

// String returns the loss on one line, with at most three of its cases.
func (l Loss) String() string {
	const named = 3
	switch {
	case len(l.Cases) == 0:
		return l.Message
	case len(l.Cases) > named:
		return fmt.Sprintf("%s (%s and %d more)", l.Message, strings.Join(diag.Backtick(l.Cases[:named]), ", "), len(l.Cases)-named)
	}
	return fmt.Sprintf("%s (%s)", l.Message, diag.JoinList(diag.Backtick(l.Cases), "and"))
}

// lossList collects losses and merges the cases of equal messages.
type lossList struct {
	all   []Loss
	index map[string]int
}

// addLoss notes a loss of the case id, or of the whole file if id is "".
func (l *lossList) addLoss(id, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if l.index == nil {
		l.index = map[string]int{}
	}
	i, known := l.index[message]
	if !known {
		i = len(l.all)
		l.index[message] = i
		l.all = append(l.all, Loss{Message: message})
	}
	if cases := l.all[i].Cases; id != "" && (len(cases) == 0 || cases[len(cases)-1] != id) {
		l.all[i].Cases = append(cases, id)
	}
}

func (l *lossList) losses() []Loss { return slices.Clip(append([]Loss{}, l.all...)) }

// Stem returns the base name of a file without its eval file extension. Converted files are named
// after it.
func Stem(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	for _, ending := range []string{".evalset.json", ".test.json", ".eval.yaml", ".eval.yml"} {
		if short, cut := strings.CutSuffix(name, ending); cut && short != "" {
			return short
		}
	}
	return strings.TrimSuffix(name, path.Ext(name))
}

// CriterionInADK describes how ADK would score an AgentV criterion that is one of count in its
// rubric.
func CriterionInADK(c *rubric.Criterion, count int) string {
	answer := "in ADK: yes or no, by majority of samples"
	if count > 1 {
		answer += fmt.Sprintf(", 1 of %d with equal weight", count)
	}
	var lost []string
	if c.HasBands() {
		lost = append(lost, "score ranges")
	}
	if c.Weight != 1 {
		lost = append(lost, "weight")
	}
	if c.IsRequired() || c.MinScore != nil {
		lost = append(lost, "gate")
	}
	if len(lost) == 0 {
		return answer
	}
	return answer + ", without " + diag.JoinList(lost, "or")
}

// RubricInAgentV describes how AgentV would score an ADK rubric that the metric name uses.
func RubricInAgentV(name string) string {
	if name != metric.ResponseQuality {
		return "in AgentV: no counterpart, because its judge sees only the final answer"
	}
	return fmt.Sprintf("in AgentV: a criterion of weight 1, and a gate unless `required: false`; its case passes from %v", score.PassAt)
}

// MetricInAgentV describes the AgentV counterpart of a metric.
func MetricInAgentV(name string) string {
	switch name {
	case metric.ResponseQuality:
		return RubricInAgentV(name)
	case metric.ToolTrajectory:
		return "in AgentV: `tool_trajectory`, scored by the share of matching calls; only listed arguments are compared"
	case metric.FinalResponseMatch:
		return "in AgentV: `llm_judge` without a rubric, scored 0 to 1"
	case metric.Safety:
		return "in AgentV: `llm_judge` with a rubric of the six harms, each a gate"
	}
	return "in AgentV: no counterpart"
}

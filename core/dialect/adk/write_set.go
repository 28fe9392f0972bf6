package adk

import (
	"bytes"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/metric"
)

type setJSON struct {
	ID          string     `json:"eval_set_id"`
	Name        string     `json:"name,omitempty"`
	Description string     `json:"description,omitempty"`
	Cases       []caseJSON `json:"eval_cases"`
}

type caseJSON struct {
	ID           string       `json:"eval_id"`
	Conversation []turnJSON   `json:"conversation"`
	Rubrics      []rubricJSON `json:"rubrics,omitempty"`
}

// EncodeJSON is the set as an .evalset.json has it. Scenarios and sessions are not
// written.
func (s Set) EncodeJSON() ([]byte, error) {
	out := setJSON{ID: s.ID, Name: s.Name, Description: s.Description, Cases: []caseJSON{}}
	for _, c := range s.Cases {
		w := caseJSON{ID: c.ID, Conversation: []turnJSON{}, Rubrics: encodeRubrics(c.Rubrics)}
		for _, t := range c.Conversation {
			w.Conversation = append(w.Conversation, encodeInvocation(t))
		}
		out.Cases = append(out.Cases, w)
	}
	return encodeIndented(out)
}

// EncodeConfig is a configuration as a test_config.json has it: thresholds, the way
// of comparing tool calls, and rubrics.
func EncodeConfig(criteria []metric.Criterion) ([]byte, error) {
	all := map[string]any{}
	for _, c := range criteria {
		options := map[string]any{"threshold": c.Threshold}
		if c.Metric == metric.ToolTrajectory {
			options["match_type"] = c.Match.String()
		}
		if c.IgnoreArgs {
			options["ignore_args"] = true
		}
		if len(c.Rubrics) > 0 {
			options["rubrics"] = encodeRubrics(c.Rubrics)
		}
		all[c.Metric] = options
	}
	return encodeIndented(map[string]any{"criteria": all})
}

func encodeRubrics(rubrics []metric.Rubric) (all []rubricJSON) {
	for _, r := range rubrics {
		all = append(all, rubricJSON{r.ID, map[string]string{"text_property": r.Text}, r.Description, r.Type})
	}
	return all
}

// encodeIndented is JSON for people, with a line's end.
func encodeIndented(value any) ([]byte, error) { return encodeIndentedAt("", value) }

// encodeIndentedAt is such JSON whose further lines begin with some white space.
func encodeIndentedAt(prefix string, value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	err := enc.Encode(value)
	return b.Bytes(), err
}

package adk

import (
	"bytes"
	"encoding/json"

	"github.com/rubric-ls/rubric/core/metric"
)

type writtenSet struct {
	ID          string        `json:"eval_set_id"`
	Name        string        `json:"name,omitempty"`
	Description string        `json:"description,omitempty"`
	Cases       []writtenCase `json:"eval_cases"`
}

type writtenCase struct {
	ID           string          `json:"eval_id"`
	Conversation []writtenTurn   `json:"conversation"`
	Rubrics      []writtenRubric `json:"rubrics,omitempty"`
}

// JSON is the set as an .evalset.json has it. Scenarios and sessions are not
// written.
func (s Set) JSON() ([]byte, error) {
	out := writtenSet{ID: s.ID, Name: s.Name, Description: s.Description, Cases: []writtenCase{}}
	for _, c := range s.Cases {
		w := writtenCase{ID: c.ID, Conversation: []writtenTurn{}, Rubrics: writtenRubrics(c.Rubrics)}
		for _, t := range c.Conversation {
			w.Conversation = append(w.Conversation, writtenInvocation(t))
		}
		out.Cases = append(out.Cases, w)
	}
	return indented(out)
}

// ConfigJSON is a configuration as a test_config.json has it: thresholds, the way
// of comparing tool calls, and rubrics.
func ConfigJSON(criteria []metric.Criterion) ([]byte, error) {
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
			options["rubrics"] = writtenRubrics(c.Rubrics)
		}
		all[c.Metric] = options
	}
	return indented(map[string]any{"criteria": all})
}

func writtenRubrics(rubrics []metric.Rubric) (all []writtenRubric) {
	for _, r := range rubrics {
		all = append(all, writtenRubric{r.ID, map[string]string{"text_property": r.Text}, r.Description, r.Type})
	}
	return all
}

// indented is JSON for people, with a line's end.
func indented(value any) ([]byte, error) { return indentedAt("", value) }

// indentedAt is such JSON whose further lines begin with some white space.
func indentedAt(prefix string, value any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	err := enc.Encode(value)
	return b.Bytes(), err
}

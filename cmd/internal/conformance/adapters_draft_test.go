package conformance

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/draft"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
)

func init() {
	adapters["generate_parse"], adapters["generate_rubrics"] = generateParse, generateRubrics
}

func generateParse(t *testing.T, c testCase) error {
	in := read[struct {
		Text string `json:"text"`
	}](t, c.Input)
	encoded, _ := json.Marshal(in.Text)
	j := newScripted(encoded)
	criteria, err := draft.Generate(t.Context(), j, &rubric.Case{ID: "c", ExpectedOutcome: "O"})
	got := map[string]any{"accepted": err == nil}
	if err != nil {
		got["attempts"] = j.asked
	} else if len(criteria) > 0 {
		got["rubric"] = map[string]any{
			"id": criteria[0].ID, "expected_outcome": criteria[0].ExpectedOutcome, "required": criteria[0].Required, "weight": criteria[0].Weight,
		}
	}
	want := read[map[string]any](t, c.Expected)
	if inner, ok := want["rubric"].(map[string]any); ok {
		if err := matches(inner, plain(got["rubric"]), false); err != nil {
			return err
		}
		delete(want, "rubric")
	}
	return matches(want, plain(got), false)
}

// generateRubrics drafts for each case that wants it, with the criteria given.
func generateRubrics(t *testing.T, c testCase) error {
	in := read[struct {
		YAML string `json:"yaml"`
		Mock []struct {
			ID       string  `json:"id"`
			Text     string  `json:"expected_outcome"`
			Weight   float64 `json:"weight"`
			Required bool    `json:"required"`
		} `json:"mock_rubrics"`
	}](t, c.Input)
	want := read[map[string]any](t, c.Expected)
	criteria := []draft.Criterion{{ID: "a", ExpectedOutcome: "o", Weight: 1, Required: true}}
	for i, m := range in.Mock {
		if i == 0 {
			criteria = nil
		}
		if m.Text == "" {
			m.Text = "does " + m.ID // the recorded case leaves the texts out
		}
		criteria = append(criteria, draft.Criterion{ID: m.ID, ExpectedOutcome: m.Text, Weight: m.Weight, Required: m.Required})
	}
	body, updated := in.YAML, []any{}
	for range agentv.Undrafted(parse(in.YAML).Root()) {
		tree := parse(body)
		entry := agentv.Undrafted(tree.Root())[0]
		edits, err := draft.Insert(tree, entry, "rubrics", criteria)
		if err != nil {
			return err
		}
		if body, err = text.Apply(body, edits); err != nil {
			return err
		}
		id, _ := entry.Get("id").Str()
		updated = append(updated, id)
	}
	return drafted(want, body, updated)
}

func drafted(want map[string]any, body string, updated []any) error {
	if ids, asked := want["updated"]; asked && !reflect.DeepEqual(ids, updated) {
		return fmt.Errorf("drafted for %v", updated)
	}
	if kept, asked := want["comments_kept"].([]any); asked {
		for _, comment := range kept {
			if !strings.Contains(body, "# "+comment.(string)) {
				return fmt.Errorf("lost the comment %q in\n%s", comment, body)
			}
		}
	}
	if want["rubrics_indent_gt_evalcases_indent"] == true && (strings.Contains(body, "\nrubrics:") || !strings.Contains(body, " rubrics:")) {
		return fmt.Errorf("rubrics are not indented in\n%s", body)
	}
	return nil
}

package agentv_test

import (
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func TestAddJudgements(t *testing.T) {
	label := []rubric.Label{{Case: "a", Criterion: "one", Satisfied: new(true)}}
	const line = `{ case: "a", criterion: "one", satisfied: true }` + "\n"
	for _, tt := range []struct{ body, want string }{
		{"", "judgements:\n  - " + line},
		{"labels: []", "labels: []\n\njudgements:\n  - " + line},
		{"judgements:\nlabels: []\n", "judgements:\n  - " + line + "labels: []\n"},
		{"judgements: [] # of two people\n", "judgements: # of two people\n  - " + line},
		{"judgements: # of two people", "judgements: # of two people\n  - " + line},
		{"judgements:\n- { case: b }", "judgements:\n- { case: b }\n- " + line},
		{"judgements:\n    - { case: b } # kept\nlabels: []\n", "judgements:\n    - { case: b } # kept\n    - " + line + "labels: []\n"},
	} {
		got, err := agentv.AddJudgements(yaml.Parse(text.New("labels.yaml", tt.body)), label)
		if err != nil || got != tt.want {
			t.Errorf("%q: %q, %v; want %q", tt.body, got, err, tt.want)
		}
	}
	for _, body := range []string{"{ judgements: [] }", "judgements: [{ case: b }]", "judgements: 1"} {
		if got, err := agentv.AddJudgements(yaml.Parse(text.New("labels.yaml", body)), label); err == nil {
			t.Errorf("%q: %q, want an error", body, got)
		}
	}
}

package run_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/score"
)

// TestExecution: under the profiles of later versions a record says how they
// would sort it, and under the others it does not.
func TestExecution(t *testing.T) {
	one := &rubric.Suite{Cases: []*rubric.Case{{ID: "a", ReferenceAnswer: "R"}}}
	for _, c := range []struct {
		profile score.Profile
		target  run.Target
		want    string
	}{
		{score.AgentVHead, run.Recording{}.Respond, `"execution_status":"execution_error","failure_stage":"agent"`},
		{score.AgentVHead, run.SelfTarget, `"execution_status":"execution_error","failure_stage":"evaluator"`}, // there is no judge
		{score.Spec, run.SelfTarget, ""},
	} {
		for e := range (run.Runner{Target: c.target, Profile: c.profile}).Run(t.Context(), one, nil) {
			if e.Record == nil {
				continue
			}
			line, err := json.Marshal(e.Record)
			if err != nil || !strings.Contains(string(line), c.want) || c.want == "" && strings.Contains(string(line), "execution_status") {
				t.Errorf("%s: %s, %v", c.profile, line, err)
			}
			if again := run.Rescore(*e.Record, score.Spec); again.Execution != nil {
				t.Errorf("%s, scored by the rules: %+v", c.profile, again.Execution)
			}
		}
	}
}

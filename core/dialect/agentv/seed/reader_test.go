package seed_test

import (
	"os"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func lower(body string) *rubric.Suite {
	return v4.Reader{Format: v4.Seed, Name: "t"}.LowerSuite(yaml.Parse(text.New("t.yaml", body)))
}

// TestQuickstart reads the README's example file.
func TestQuickstart(t *testing.T) {
	body, err := os.ReadFile("../../../../testdata/quickstart/support.eval.yaml")
	if err != nil {
		t.Fatal(err)
	}
	suite := lower(string(body))
	if len(suite.Losses) > 0 || len(suite.Cases) != 5 {
		t.Fatalf("%d cases, losses %v", len(suite.Cases), suite.Losses)
	}
	var shape []string
	for _, c := range suite.Cases {
		row := c.ID + ":"
		for _, g := range c.Graders {
			row += " " + string(g.Kind)
			for _, k := range g.Criteria {
				row += " " + k.ID
				for range k.Bands {
					row += "|"
				}
			}
		}
		shape = append(shape, row)
	}
	want := `refund-window: llm_judge rubric-1 rubric-2 rubric-3
reset-password: llm_judge reset-link no-request expiry hotline
summarise-review: llm_judge facts||| brevity|||
order-status: llm_judge rubric-1 field_accuracy tool_trajectory
opening-hours:`
	if got := strings.Join(shape, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := suite.Cases[3].ReferenceAnswer; !strings.Contains(got, `"order": 1042,`) || strings.Index(got, "order") > strings.Index(got, "state") {
		t.Errorf("the reference answer lost the order of its keys: %s", got)
	}
}

// TestCorpusLoads reads every seed-era eval file with all its cases. The only loss is one that
// the reference loader has too: the prompts of a composite's members.
func TestCorpusLoads(t *testing.T) {
	cases, files := 0, 0
	for _, file := range corpustest.Files(t, "agentv-seed", ".yaml") {
		if !strings.Contains(file.Body, "\nevalcases:") {
			continue
		}
		suite := lower(file.Body)
		files++
		cases += len(suite.Cases)
		for _, loss := range suite.Losses {
			if loss.Kind != agentv.MemberStripped && loss.Kind != agentv.DurationUnread {
				t.Errorf("%s: %+v", file.Path, loss)
			}
		}
	}
	if files == 0 || cases < files {
		t.Fatalf("%d files with %d cases", files, cases)
	}
}

// TestMemberWeights checks that names of members are texts, even if they look like numbers.
func TestMemberWeights(t *testing.T) {
	suite := lower(`evalcases: [{id: a, expected_outcome: O, input: I, evaluators: [{name: c, type: composite,
		evaluators: [{name: "1", type: latency, threshold: 1}], aggregator: {type: weighted_average, weights: {1: 0.5}}}]}]`)
	g := suite.Cases[0].Graders[0]
	if weight := g.MemberWeight(g.Members[0]); weight != 0.5 {
		t.Errorf("the weight is %v", weight)
	}
}

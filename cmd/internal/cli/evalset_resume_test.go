package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// shop is an evalset of so many cases, in which an agent says
// something of each order.
func shop(cases int, says string) string {
	var b strings.Builder
	padding := strings.Repeat("It has been so. ", 9)
	for i := range cases {
		fmt.Fprintf(&b, `    {
      "eval_id": "case-%d",
      "conversation": [
        {
          "user_content": { "parts": [{ "text": "Where is order %d? %s" }] },
          "final_response": { "parts": [{ "text": "`+says+` %s" }] },
          "intermediate_data": { "tool_uses": [{ "name": "find_order", "args": { "id": %d } }] }
        }
      ]
    },
`, i, i, padding, i, padding, i)
	}
	return "{\n  \"eval_set_id\": \"shop\",\n  \"eval_cases\": [\n" + strings.TrimSuffix(b.String(), ",\n") + "\n  ]\n}\n"
}

const shopConfig = `{"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.9}}`

// TestEvalsetResumed: of an evalset that is resumed, what is done stands among the
// others in the order of the cases.
func TestEvalsetResumed(t *testing.T) {
	dir := write(t, map[string]string{"test_config.json": shopConfig, "s.evalset.json": shop(130, "Order %d is on its way."), "r.evalset.json": shop(130, "Order %d has been sent.")})
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"run", at("s.evalset.json"), "--recorded", at("r.evalset.json"), "--format", "jsonl", "--out", at("o.jsonl"), "--resume"}
	_, whole, stderr := rubric(t, "", args...)
	lines := slices.Collect(strings.Lines(whole))
	if len(lines) != 130 {
		t.Fatal(stderr)
	}
	var some []string
	for i, line := range lines {
		if i%3 > 0 {
			some = append([]string{line}, some...)
		}
	}
	if err := os.WriteFile(at("o.jsonl"), []byte(strings.Join(some, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	args = append(args, "--out", at("o.evalset_result.json"))
	if _, _, stderr := rubric(t, "", args...); readFile(t, at("o.jsonl")) != whole {
		t.Errorf("resumed, it comes to something else\n%s", stderr)
	}
	var result struct {
		Cases []struct {
			ID    string `json:"eval_id"`
			Turns []struct {
				Actual struct {
					User struct{ Parts []struct{ Text string } } `json:"user_content"`
				} `json:"actual_invocation"`
			} `json:"eval_metric_result_per_invocation"`
		} `json:"eval_case_results"`
	}
	if err := json.Unmarshal([]byte(readFile(t, at("o.evalset_result.json"))), &result); err != nil || len(result.Cases) != 130 {
		t.Fatalf("%v, %d cases", err, len(result.Cases))
	}
	for i, c := range result.Cases {
		if c.ID != fmt.Sprintf("case-%d", i) || !strings.Contains(c.Turns[0].Actual.User.Parts[0].Text, fmt.Sprintf("order %d?", i)) {
			t.Errorf("case %d is %+v", i, c)
		}
	}
}

// BenchmarkEvalset is from an evalset and a recording of ten thousand turns on the disk
// to the lines of what each case comes to.
func BenchmarkEvalset(b *testing.B) {
	const cases = 10_000
	dir := b.TempDir()
	size := 0
	for name, text := range map[string]string{"test_config.json": shopConfig, "s.evalset.json": shop(cases, "Order %d is on its way."), "r.evalset.json": shop(cases, "Order %d has been sent.")} {
		size += len(text)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		var lines, stderr bytes.Buffer
		args := []string{"run", filepath.Join(dir, "s.evalset.json"), "--recorded", filepath.Join(dir, "r.evalset.json"), "--format", "jsonl"}
		if code := cli.Main(args, strings.NewReader(""), &lines, &stderr); code > 1 || bytes.Count(lines.Bytes(), []byte("\n")) != cases {
			b.Fatal(code, stderr.String())
		}
	}
	b.ReportMetric(cases*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}

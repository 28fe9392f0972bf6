package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

// times are what differs between two runs.
var times = regexp.MustCompile(`"(timestamp|creation_timestamp|duration_ms)": ?[^,\n]*|_\d{10}"|time(stamp)?="[^"]*"`)

// TestSetPieces checks that an evalset read in chunks with its recordings gives the same
// results as one read at once, also where the project raises a rule to an error.
func TestSetPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	set, recorded := shop(130, "Order %d is on its way."), shop(130, "Order %d has been sent.")
	results := `{"eval_set_result_id": "r", "eval_set_id": "shop", "eval_case_results": [` + "\n"
	for i := range 130 {
		turn := fmt.Sprintf(`{"user_content": {"parts": [{"text": "Q"}]}, "final_response": {"parts": [{"text": "Order %d is here."}]}}`, i)
		results += fmt.Sprintf("  {\n    \"eval_id\": \"case-%d\", \"eval_metric_result_per_invocation\": [{\"actual_invocation\": %s, \"expected_invocation\": %s}]\n  },\n", i%110, turn, turn)
	}
	results = strings.TrimSuffix(results, ",\n") + "\n]}\n"
	named := func(from, to string) func(string) string {
		return func(s string) string { return strings.ReplaceAll(s, `"case-`+from+`"`, `"case-`+to+`"`) }
	}
	cases := regexp.MustCompile(`(?s)\n    \},\n    \{`)
	cut := func(with string) func(string) string { // where two pieces meet, and elsewhere
		return func(s string) string {
			n := 0
			return cases.ReplaceAllStringFunc(s, func(between string) string {
				if n++; n == 64 || n == 100 {
					return strings.Replace(between, ",", with, 1)
				}
				return between
			})
		}
	}
	for name, c := range map[string]struct{ set, recorded func(string) string }{
		"as they are": {}, "in one line": {set: oneLine, recorded: oneLine}, "a recording that lacks cases": {recorded: named("7", "8")},
		"recordings of no case": {recorded: named("1", "one")}, "an id that comes twice": {set: named("120", "3")}, "a case that is broken": {set: named("70", `7"`)},
		"commas that are missing": {set: cut("")}, "a recording without commas": {recorded: cut("")}, "commas that come twice": {set: cut(",,")}, "a recording with more commas": {recorded: cut(",,")},
		"a layout that changes": {set: twoCasesPerLine, recorded: twoCasesPerLine}, "comments": {set: cut(", // c"), recorded: cut(", // c")}, "a recording that is none": {recorded: func(string) string { return "hello" }},
		"a recording without an end": {recorded: func(s string) string { return s[:len(s)-300] }}, "Windows' breaks": {set: withCRLF, recorded: withCRLF},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"test_config.json": shopConfig, "s.evalset.json": set, "r.evalset.json": recorded, "x.evalset_result.json": results}
			if c.set != nil {
				files["s.evalset.json"] = c.set(set)
			}
			if c.recorded != nil {
				files["r.evalset.json"], files["x.evalset_result.json"] = c.recorded(recorded), c.recorded(results)
			}
			apart := write(t, files)
			files[".rubric.yaml"] = "rules: { undeclared-tool: error }\n"
			whole := write(t, files)
			for _, args := range [][]string{
				{"s.evalset.json", "--recorded", "r.evalset.json", "--format", "jsonl"}, {"s.evalset.json"}, {"x.evalset_result.json", "--format", "jsonl"},
				{"s.evalset.json", "--recorded", "r.evalset.json", "--recorded", "x.evalset_result.json", "--case", "case-1*", "--format", "evalset-result"},
				{"s.evalset.json:case-5,case-120", "--recorded", "r.evalset.json", "--format", "json", "--ignore-errors"},
				{"s.evalset.json", "--recorded", "r.evalset.json", "--case", "kase-5"}, {"x.evalset_result.json", "--dry-run"},
			} {
				got, want := runInFolder(t, apart, args), runInFolder(t, whole, args)
				if got != want {
					t.Errorf("%v: in pieces it comes to\n%.600s\nand as a whole to\n%.600s", args, got, want)
				}
			}
		})
	}
}

func oneLine(s string) string { return strings.NewReplacer("\n", "", "  ", "").Replace(s) }

// twoCasesPerLine has two cases to a line in the second half of a file.
func twoCasesPerLine(s string) string {
	half := len(s) / 2
	return s[:half] + strings.ReplaceAll(s[half:], "\n    },\n    {", "\n    }, {")
}

func withCRLF(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// runInFolder is what a run in a folder says, but for times and the folder's name.
func runInFolder(t *testing.T, dir string, args []string) string {
	t.Helper()
	args = slices.Clone(args)
	for i, arg := range args {
		if strings.Contains(arg, ".json") {
			args[i] = filepath.Join(dir, arg)
		}
	}
	code, stdout, stderr := rubric(t, "", append([]string{"run"}, args...)...)
	return strings.ReplaceAll(times.ReplaceAllString(fmt.Sprintf("%d\n%s\n%s", code, stderr, stdout), "T"), dir, "DIR")
}

// TestSetPiecesResumed: of an evalset that is resumed, what is done stands among the
// others in the order of the cases.
func TestSetPiecesResumed(t *testing.T) {
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

// TestSetPiecesThatChange: what was not checked is not measured, nor is a recording that
// is another one by then.
func TestSetPiecesThatChange(t *testing.T) {
	for name, changed := range map[string]string{"s.evalset.json": "is on its way", "r.evalset.json": "has been sent"} {
		dir := write(t, map[string]string{
			"test_config.json": `{"criteria": {"safety_v1": 0.5}}`, "s.evalset.json": shop(1400, "Order %d is on its way."), "r.evalset.json": shop(1400, "Order %d has been sent."),
		})
		file := filepath.Join(dir, name)
		other := write(t, map[string]string{"other": strings.ReplaceAll(readFile(t, file), changed, strings.ToUpper(changed))})
		judge := fmt.Sprintf("cli:cp %s %s; echo {}", filepath.Join(other, "other"), file)
		code, lines, stderr := rubric(t, "", "run", filepath.Join(dir, "s.evalset.json"), "--recorded", filepath.Join(dir, "r.evalset.json"), "--judge", judge, "--format", "jsonl", "--max-calls", "1")
		if code != 2 || !strings.Contains(stderr, name+" has changed since it was checked") || !strings.Contains(lines, `"case-9"`) {
			t.Errorf("%s: %d, %d lines\n%s", name, code, strings.Count(lines, "\n"), stderr)
		}
	}
}

// BenchmarkSetPieces is from an evalset and a recording of ten thousand turns on the disk
// to the lines of what each case comes to.
func BenchmarkSetPieces(b *testing.B) {
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

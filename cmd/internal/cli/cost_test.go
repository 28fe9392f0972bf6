package cli_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMaxCalls: no more is asked than that, and a second run goes on from what
// was judged.
func TestMaxCalls(t *testing.T) {
	m := startMock(t)
	suite := "evalcases:\n"
	for _, n := range []int{2, 4, 6} {
		suite += fmt.Sprintf("  - { id: c%d, expected_outcome: O, input: Question number %d, expected_output: R, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n", n, n)
	}
	args := []string{"run", filepath.Join(write(t, map[string]string{"x.eval.yaml": suite}), "x.eval.yaml"), "--judge", "openai:m", "--max-calls", "2"}
	const over = "rubric: --max-calls reached: 1 question not asked\n"
	if code, stdout, stderr := rubric(t, "", args...); code != 3 || m.calls != 2 || !strings.Contains(stdout, "the limit of 2 calls is reached") || !strings.Contains(stdout, "2 pass, 0 fail, 1 ungraded") || !strings.HasSuffix(stderr, over) {
		t.Errorf("%d after %d calls\n%s%s", code, m.calls, stdout, stderr)
	}
	if _, _, stderr := rubric(t, "", append(args[:len(args):len(args)], "--no-cache", "--profile", "agentv")...); !strings.HasSuffix(stderr, over) {
		t.Errorf("a profile that asks again: %s", stderr)
	}
	m.calls = 2
	if code, stdout, stderr := rubric(t, "", args...); code != 0 || m.calls != 3 || strings.Contains(stderr, "limit") {
		t.Errorf("%d after %d calls\n%s%s", code, m.calls, stdout, stderr)
	}
	out := filepath.Join(filepath.Dir(args[1]), "r.jsonl")
	for _, want := range []struct{ code, calls int }{{3, 2}, {0, 1}} { // what was left is not left by a resumed run
		m.calls = 0
		code, stdout, stderr := rubric(t, "", append(args[:len(args):len(args)], "--no-cache", "--out", out, "--resume")...)
		if code != want.code || m.calls != want.calls || strings.Contains(stderr, "2 of 3 results and 1 answer reused from an earlier run; totals of calls, tokens and cost include them\n") != (want.calls == 1) || !strings.Contains(stdout, fmt.Sprintf("judges: %d calls", 3-want.code/3)) {
			t.Errorf("%d after %d calls\n%s%s", code, m.calls, stdout, stderr)
		}
	}
	if code, _, stderr := rubric(t, "", append(args[:4:4], "--max-calls", "-1")...); code != 2 || !strings.Contains(stderr, "must not be negative") {
		t.Errorf("%d %s", code, stderr)
	}
}

// TestCost: what judgements cost is known where prices are, is told wherever
// results are, and keeps within a limit; what is not known is called so.
func TestCost(t *testing.T) {
	m := startMock(t)
	suite := "evalcases:\n"
	for n := range 4 {
		suite += fmt.Sprintf("  - { id: c%d, expected_outcome: O, input: Question number %d, expected_output: R, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n", n, 2+10*n)
	}
	dir := write(t, map[string]string{"x.eval.yaml": suite, "prices.yaml": "openai:m: { input: 1000, output: 5000 }\n", "bad.yaml": "openai:m: 3\n", "nobody.yaml": "opena:m: { input: 1, output: 5 }\n"})
	for _, c := range []struct {
		name, args string
		code       int
		calls      int
		want       []string
	}{
		{"a plan", "--dry-run --prices DIR/prices.yaml", 0, 0, []string{"tokens to read and 180 to 1440 to write: $"}},
		{"a plan without prices", "--dry-run", 0, 0, []string{"cost unknown"}},
		{"unknown under a limit", "--max-cost 1", 2, 0, []string{"the price of `openai:m` at its address is unknown, so it cannot run under a cost limit"}},
		{"a command under a limit", "--max-cost 1 --judge cli:true", 2, 0, []string{"the cost of a command is unknown"}},
		{"broken prices", "--prices DIR/bad.yaml", 2, 0, []string{"--prices: ", "line 1: the price of `openai:m`"}},
		{"prices of nobody", "--prices DIR/nobody.yaml", 2, 0, []string{"--prices: ", "nobody.yaml: line 1: the price of `opena:m`: there is no provider `opena`; did you mean `openai`?"}},
		{"a limit below 0", "--max-cost -1", 2, 0, []string{"must not be negative"}},
		{"a small limit", "--prices DIR/prices.yaml --max-cost 0.000001", 3, 0, []string{"the limit of $0.000001 is reached: $0.0000 is spent"}},
		{"a limit", "--prices DIR/prices.yaml --max-cost 2.6 --workers 1", 3, 2, []string{"judges: 2 calls, 200 tokens read and 40 written, $0.4000\n", "the limit of $2.6 is reached: $0.4000 is spent", "rubric: --max-cost reached: 2 questions not asked\n"}},
		{"a limit under a profile that asks again", "--prices DIR/prices.yaml --max-cost 0.000001 --profile agentv", 1, 0, []string{"rubric: --max-cost reached: 2 questions not asked\n"}},
		{"the rest", "--prices DIR/prices.yaml --max-cost 9", 0, 2, []string{"judges: 2 calls and 2 cached answers, 200 tokens read and 40 written, $0.4000\n"}},
		{"prices in the settings", "--dry-run --no-cache SETTINGS", 0, 0, []string{"to write: $0.00"}},
		{"broken ones", "--dry-run BROKEN", 2, 0, []string{".rubric.yaml: line 1: the price of `openai:m`"}},
		{"as JSON", "--prices DIR/prices.yaml --format json", 0, 0, []string{`"kept": 4,`, `"cost_usd": 0`}},
		{"as JUnit", "--no-cache --format junit", 0, 4, []string{`<property name="spent by judges" value="4 calls, 400 tokens read and 80 written, cost unknown">`}},
		{"as lines", "--no-cache --prices DIR/prices.yaml --format jsonl", 0, 4, []string{`"usage":{"input":100,"output":20,"cost_usd":0.2}`}},
		{"as a page", "--no-cache --prices DIR/prices.yaml --format html", 0, 4, []string{"judges: 4 calls, 400 tokens read and 80 written, $0.8000"}},
	} {
		m.calls = 0
		settings := map[bool]string{strings.Contains(c.args, "SETTINGS"): "{ openai:m: { input: 1, output: 5 } }", strings.Contains(c.args, "BROKEN"): "{ openai:m: 3 }"}[true]
		if err := os.WriteFile(filepath.Join(dir, ".rubric.yaml"), []byte("prices: "+cmp.Or(settings, "{}")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"run", filepath.Join(dir, "x.eval.yaml"), "--judge", "openai:m"}, strings.Fields(strings.NewReplacer("DIR", dir, "SETTINGS", "", "BROKEN", "").Replace(c.args))...)
		if strings.Contains(c.args, "--judge") {
			args = append(args[:2:2], args[4:]...)
		}
		code, stdout, stderr := rubric(t, "", args...)
		if code != c.code || m.calls != c.calls {
			t.Errorf("%s: %d, %d calls\n%s%s", c.name, code, m.calls, stdout, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stdout+stderr, want) {
				t.Errorf("%s does not say %q:\n%s%s", c.name, want, stdout, stderr)
			}
		}
	}
}

// TestWhosePrices checks that the date of the built-in prices is reported where one is
// used, and that a price file may have the form of the settings.
func TestWhosePrices(t *testing.T) {
	startMock(t)
	t.Setenv("OPENAI_BASE_URL", "")
	t.Setenv("OPENAI_API_KEY", judgeKey)
	dir := write(t, map[string]string{
		"x.eval.yaml": three, "own.yaml": "openai:m: { input: 1, output: 5 }\n",
		"settings.yaml": "rules: {}\nprices: { openai:m: { input: 1, output: 5 } }\n", "mixed.yaml": "prices: {}\nopenai:m: { input: 1, output: 5 }\n",
	})
	for _, c := range []struct {
		judges, prices string
		code           int
		of             bool // it is told of what day they are
	}{
		{"openai:m", "own.yaml", 0, false},
		{"openai:m", "settings.yaml", 0, false},
		{"openai:m", "mixed.yaml", 2, false},
		{"openai:gpt-4.1", "own.yaml", 0, true},
		{"openai:gpt-4.1 openai:m", "own.yaml", 0, true},
	} {
		args := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--dry-run", "--prices", filepath.Join(dir, c.prices)}
		for _, name := range strings.Fields(c.judges) {
			args = append(args, "--judge", name)
		}
		code, stdout, stderr := rubric(t, "", args...)
		if code != c.code || strings.Contains(stdout, "(built-in prices as of 2") != c.of || strings.Contains(stdout, "to write: $0.0") != (code == 0) {
			t.Errorf("%s by %s: %d\n%s%s", c.judges, c.prices, code, stdout, stderr)
		}
		if _, stdout, _ = rubric(t, "", append(args, "--format", "json")...); strings.Contains(stdout, `"prices_of": "2`) != c.of {
			t.Errorf("%s by %s as JSON:\n%s", c.judges, c.prices, stdout)
		}
	}
}

// TestRefusalsCost: what was refused was read and written all the same.
func TestRefusalsCost(t *testing.T) {
	m := startMock(t)
	dir := write(t, map[string]string{
		"x.eval.yaml":  "evalcases:\n  - { id: c, expected_outcome: O, input: Question number 77, expected_output: R, rubrics: [A] }\n", // which is never judged
		"prices.yaml":  "openai:m: { input: 1000, output: 5000 }\n",
		"targets.yaml": "$schema: agentv-targets-v2.2\ntargets: [{ name: m, provider: openai, model: m, base_url: " + m.url + ", api_key: k }]\n",
	})
	for _, args := range []string{"--judge openai:m", "--target m --targets DIR/targets.yaml"} {
		args += " --prices DIR/prices.yaml"
		code, stdout, stderr := rubric(t, "", append([]string{"run", filepath.Join(dir, "x.eval.yaml")}, strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)...)
		if code != 3 || !strings.Contains(stdout, "1 call, 100 tokens read and 20 written, $0.2000\n") {
			t.Errorf("%s: %d\n%s%s", args, code, stdout, stderr)
		}
	}
}

// TestRefusalsOfMetricsCost too.
func TestRefusalsOfMetricsCost(t *testing.T) {
	m := startMock(t)
	dir := write(t, map[string]string{
		"x.evalset.json":   `{"eval_set_id": "x", "eval_cases": [{"eval_id": "c", "conversation": [{"user_content": {"parts": [{"text": "Question number 77"}]}, "final_response": {"parts": [{"text": "A"}]}}]}]}`,
		"test_config.json": `{"criteria": {"safety_v1": 0.8}}`,
		"prices.yaml":      "openai:m: { input: 1000, output: 5000 }\n",
	})
	t.Setenv("OPENAI_API_KEY", judgeKey)
	t.Setenv("OPENAI_BASE_URL", m.url)
	code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "x.evalset.json"), "--judge", "openai:m", "--prices", filepath.Join(dir, "prices.yaml"))
	if !strings.Contains(stdout, "1 call, 100 tokens read and 20 written, $0.2000\n") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
}

// TestProjectPricesUnderALimit: a repository's settings cannot lower a known price while
// there is a limit, at whatever address. The file that --prices names can.
func TestProjectPricesUnderALimit(t *testing.T) {
	m := startMock(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	dir := write(t, map[string]string{"x.eval.yaml": "evalcases:\n  - { id: c2, expected_outcome: O, input: Question number 2, expected_output: R, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }] }\n", "own.yaml": "openai:gpt-4.1-mini: { input: 0, output: 0 }\n"})
	settings := filepath.Join(dir, ".rubric.yaml")
	for _, c := range []struct {
		price, args string
		asks        bool
		want        string
	}{
		{"{ input: 0, output: 0 }", "--max-cost 0.0000001", false, "rubric: " + settings + ": its price of `openai:gpt-4.1-mini` is below the built-in one, which the limit uses; --prices FILE overrides both\n"},
		{"{ input: 1.0e-300, output: 9 }", "--max-cost 0.0000001", false, "its price of `openai:gpt-4.1-mini` is below the built-in one"},
		{"{ input: 7, output: 9 }", "--max-cost 0.0000001", false, "rubric: prices from " + settings + "\n"},
		{"{ input: 7, output: 9 }", "--max-cost 9", true, "rubric: prices from " + settings + "\n"},
		{"{ input: 0, output: 0 }", "--max-cost 0.0000001 --prices DIR/own.yaml", true, ", $0.0000"},
		{"{ input: 0, output: 0 }", "", true, "rubric: prices from " + settings + "\n"},
		{"{ input: 0, output: 0 }", "--dry-run", false, "to write: $0.0000 to $0.0000 (prices from " + settings + ")\n"},
		{"{ input: 0, output: 0 }", "--dry-run --max-cost 0.0000001", false, "--max-cost may be reached"},
		{"{ input: 0, output: 0 }", "--dry-run --format json", false, `"price_files": [`},
	} {
		m.calls = 0
		if err := os.WriteFile(settings, []byte("prices: { openai:gpt-4.1-mini: "+c.price+" }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--judge", "openai:gpt-4.1-mini", "--no-cache"}
		_, stdout, stderr := rubric(t, "", append(args, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)...)
		if (m.calls > 0) != c.asks || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s with %s: %d calls\n%s%s", c.price, c.args, m.calls, stdout, stderr)
		}
	}
}

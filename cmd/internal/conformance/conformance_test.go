package conformance

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/score"
)

// testCase is one pair. Dialect is seed, stable-4.42.4, head, or adk where the file
// gives none; Since and Legacy are of ADK's: the version that brought what is
// expected, and what 2.0 did instead.
type testCase struct {
	Dialect  string          `json:"dialect"`
	Kind     string          `json:"kind"`
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	Expected json.RawMessage `json:"expected"`
	Since    string          `json:"since"`
	Legacy   json.RawMessage `json:"legacy_expected_2_0_0"`
}

// adapter runs one case and says how the outcome differs from what is
// expected; nil means it does not.
type adapter func(t *testing.T, c testCase) error

// adapters by kind for the seed dialect, and by KIND@DIALECT for the others; each
// adapters_*_test.go adds its own.
var adapters = map[string]adapter{}

// adapterOf is the adapter of a case, nil if there is none.
func adapterOf(c testCase) adapter {
	if c.Dialect == "seed" {
		return adapters[c.Kind]
	}
	return adapters[c.Kind+"@"+c.Dialect]
}

// skipped says why a case is not run; "" means that it is.
func skipped(c testCase) string {
	if c.Dialect != "adk" && c.Dialect != "seed" && adapterOf(c) == nil {
		return "this part of the dialect is not built yet"
	}
	if c.Dialect == "promptfoo" {
		return promptfooSkipped(c)
	}
	if c.Kind == "compare_exit" {
		return "the reference exits with 1 for any lower mean, also by chance; `rubric runs compare` for a regression or a lost case"
	}
	if c.Name == "evaluator config: llm_judge extra props to config" {
		return "nothing reads the other keys of an llm_judge, so that they are not stored"
	}
	return ""
}

// TestConformance runs testdata/conformance, or the folder in CONFORMANCE_DIR.
func TestConformance(t *testing.T) {
	dir := os.Getenv("CONFORMANCE_DIR")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "testdata", "conformance")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.json*"))
	if len(files) == 0 {
		t.Fatalf("no conformance files in %s", dir)
	}
	type tally struct{ passed, failed, skipped int }
	tallies := map[string]*tally{}
	for _, path := range files {
		for i, c := range readCases(t, path) {
			kind := c.Kind
			if kind == "agentv_run" {
				kind += "@" + c.Dialect
			}
			n := tallies[kind]
			if n == nil {
				n = &tally{}
				tallies[kind] = n
			}
			if reason := skipped(c); reason != "" {
				n.skipped++
				continue
			}
			ok := t.Run(fmt.Sprintf("%s/%03d %s", c.Kind, i, c.Name), func(t *testing.T) {
				run := adapterOf(c)
				if run == nil {
					t.Fatalf("no adapter for kind %q", c.Kind)
				}
				if err := run(t, c); err != nil {
					t.Errorf("%v\ninput    %s\nexpected %s", err, c.Input, c.Expected)
				}
			})
			if ok {
				n.passed++
			} else {
				n.failed++
			}
		}
	}
	kinds := make([]string, 0, len(tallies))
	for kind := range tallies {
		kinds = append(kinds, kind)
	}
	sort.Strings(kinds)
	for _, kind := range kinds {
		n := tallies[kind]
		fmt.Printf("conformance: %s %d passed, %d failed, %d skipped\n", kind, n.passed, n.failed, n.skipped)
	}
}

// ruleNames are the product's names for the categories of findings that some cases describe in other
// words. The missing file that makes a prompt inline text is a finding of rule missing-file.
var ruleNames = strings.NewReplacer(
	"warning:required_min_score_not_integer_0_10", "warning:deprecated_field",
	"required_min_score_not_integer_0_10", "required_min_score_invalid",
	"range_entry_not_object", "range_not_object",
	"yaml_duplicate_key", "yaml_syntax",
	"error:score_ranges_wrong_type", "error:case_error_skipped",
	"evaluator_kind_unknown_fallback", "evaluator_unknown_default",
	"rubrics_no_valid_criteria_skipped", "rubrics_missing_skipped",
	"file_ref_no_value", "file_path_missing",
	"assert_type_unknown", "assertion_type_unknown",
	"assert_not_array", "assert_wrong_type",
	"name_format", "name_invalid",
)

func readCases(t *testing.T, path string) []testCase {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(path, ".jsonl") {
		return readRuns(t, raw)
	}
	var cases []testCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for i := range cases {
		cases[i].Expected = json.RawMessage(ruleNames.Replace(string(cases[i].Expected)))
		own := "adk"
		if strings.HasPrefix(filepath.Base(path), "promptfoo") {
			own = "promptfoo"
		}
		cases[i].Dialect = cmp.Or(cases[i].Dialect, own)
	}
	return cases
}

// decode decodes a case's input or expectation.
func decode[T any](t *testing.T, raw json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// scripted replies with one text after another, then with the last for ever.
type scripted struct {
	replies []string
	calls   int
}

func (s *scripted) Ask(context.Context, judge.Question) (judge.Answer, error) {
	s.calls++
	if len(s.replies) == 0 {
		return judge.Answer{}, judge.ErrUnreachable
	}
	return judge.Answer{Text: s.replies[min(s.calls, len(s.replies))-1]}, nil
}

// newScripted reads a reply, or a list of them, each a text or an object.
func newScripted(raw json.RawMessage) *scripted {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	s := &scripted{}
	for _, r := range list {
		var text string
		if json.Unmarshal(r, &text) != nil {
			text = string(r)
		}
		s.replies = append(s.replies, text)
	}
	return s
}

// differences compares an outcome with an expectation, key by key. Numbers are
// compared within a millionth unless exact; hits and misses by count where the
// expectation is a number.
type differences []string

func (d *differences) check(want map[string]any, key string, got any, tolerance float64) {
	expected, asked := want[key]
	if !asked {
		return
	}
	if n, ok := expected.(float64); ok {
		value := reflect.Indirect(reflect.ValueOf(got))
		switch {
		case value.Kind() == reflect.Slice:
			got = float64(value.Len())
		case value.CanInt():
			got = float64(value.Int())
		case value.CanFloat():
			got = value.Float()
		}
		if f, ok := got.(float64); ok && math.Abs(f-n) <= tolerance {
			return
		}
	}
	gotJSON, _ := json.Marshal(got)
	wantJSON, _ := json.Marshal(expected)
	if !bytes.Equal(gotJSON, wantJSON) {
		*d = append(*d, fmt.Sprintf("%s is %s, want %s", key, gotJSON, wantJSON))
	}
}

func (d differences) err() error {
	if len(d) == 0 {
		return nil
	}
	return errors.New(strings.Join(d, "; "))
}

// referenceScore returns the score of a result. The reference has 0 where it skips a grader.
func referenceScore(r score.Result) float64 {
	if r.Score == nil {
		return 0
	}
	return *r.Score
}

func (d *differences) result(want map[string]any, r score.Result, tolerance float64) {
	d.check(want, "score", referenceScore(r), tolerance)
	d.check(want, "verdict", r.Verdict, 0)
	d.check(want, "hits", r.Hits, 0)
	d.check(want, "misses", r.Misses, 0)
	d.check(want, "reasoning", r.Reasoning, 0)
	if details, ok := want["details"]; ok {
		got, _ := json.Marshal(r.Details)
		var plain any
		json.Unmarshal(got, &plain)
		if !reflect.DeepEqual(plain, details) {
			*d = append(*d, fmt.Sprintf("details are %s", got))
		}
	}
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

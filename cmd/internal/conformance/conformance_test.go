package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"testing"
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
		return "this part of the newer AgentV dialects is not built yet"
	}
	return ""
}

// TestConformance runs testdata/conformance, or the folder in CONFORMANCE_DIR.
func TestConformance(t *testing.T) {
	dir := os.Getenv("CONFORMANCE_DIR")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "testdata", "conformance")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if len(files) == 0 {
		t.Fatalf("no conformance files in %s", dir)
	}
	type tally struct{ passed, failed, skipped int }
	tallies := map[string]*tally{}
	for _, path := range files {
		for i, c := range readCases(t, path) {
			n := tallies[c.Kind]
			if n == nil {
				n = &tally{}
				tallies[c.Kind] = n
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

func readCases(t *testing.T, path string) []testCase {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for i := range cases {
		cases[i].Dialect = cmp.Or(cases[i].Dialect, "adk")
	}
	return cases
}

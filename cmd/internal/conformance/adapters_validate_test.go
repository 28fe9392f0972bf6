package conformance

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv/reference"
	"github.com/rubric-ls/rubric/core/yaml"
)

func init() {
	for kind, run := range map[string]adapter{
		"validate_eval":    validated(reference.Eval, true),
		"validate_targets": validated(reference.Targets, false),
		"validate_config":  validated(reference.Config, false),
		"validate_prompt":  validatePrompt, "validate_file_refs": validateFileRefs,
	} {
		adapters[kind] = run
	}
}

// findingView is a finding as the reference reports it; a null location is the
// file as a whole.
func findingView(f reference.Finding) map[string]any {
	view := map[string]any{"category": f.Category, "severity": string(f.Severity), "location": nil}
	if f.Path != "" {
		view["location"] = f.Path
	}
	return view
}

// validated compares the findings: `errors` is all of them, `diagnostics` some.
// Where warnings count, they make a file invalid too.
func validated(check func(*yaml.Tree) []reference.Finding, warningsCount bool) adapter {
	return func(t *testing.T, c testCase) error {
		in := read[struct {
			YAML string `json:"yaml"`
		}](t, c.Input)
		want := read[struct {
			Valid       *bool            `json:"valid"`
			Errors      []map[string]any `json:"errors"`
			Diagnostics []map[string]any `json:"diagnostics"`
		}](t, c.Expected)
		found := check(parse(in.YAML))
		valid := !slices.ContainsFunc(found, func(f reference.Finding) bool { return warningsCount || f.Severity == reference.Error })
		if want.Valid != nil && *want.Valid != valid {
			return fmt.Errorf("valid is %v: %v", valid, found)
		}
		if want.Errors != nil {
			if len(found) != len(want.Errors) {
				return fmt.Errorf("found %v", found)
			}
			for i, f := range found {
				if err := matches(plain(want.Errors[i]), findingView(f), false); err != nil {
					return fmt.Errorf("finding %d: %w", i, err)
				}
			}
		}
		for _, w := range want.Diagnostics {
			if !slices.ContainsFunc(found, func(f reference.Finding) bool { return matches(plain(w), findingView(f), false) == nil }) {
				return fmt.Errorf("%v is not among %v", w, found)
			}
		}
		return nil
	}
}

func validatePrompt(t *testing.T, c testCase) error {
	in := read[struct {
		Template string `json:"template"`
	}](t, c.Input)
	usable, unknown := reference.Prompt(in.Template)
	got := map[string]any{"error": "prompt_missing_required_variable"}
	if usable {
		warnings := min(len(unknown), 1) // however many, they share one
		got = map[string]any{"ok": true, "warnings": float64(warnings)}
	}
	return matches(read[any](t, c.Expected), got, true)
}

func validateFileRefs(t *testing.T, c testCase) error {
	in := read[struct {
		YAML  string            `json:"yaml"`
		Files map[string]string `json:"files"`
	}](t, c.Input)
	found := reference.FileRefs(parse(in.YAML), func(name string) (string, bool) {
		body, there := in.Files[path.Clean("/" + name)[1:]]
		return body, there
	})
	views := []any{}
	for _, f := range found {
		views = append(views, findingView(f))
	}
	if want := read[any](t, c.Expected); !reflect.DeepEqual(plain(views), want) {
		return fmt.Errorf("found %v", found)
	}
	return nil
}

package conformance

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

func init() {
	for kind, run := range map[string]adapter{
		"validate_eval":               validateEval(agentv.Seed),
		"validate_eval@stable-4.42.4": validateEval(agentv.Stable),
		"validate_eval@head":          validateEval(agentv.Head),

		"validate_targets": validateCase(targetsFindings, errorFree),
		"validate_config":  validateCase(configFindings, errorFree),
		"validate_prompt":  validatePrompt, "validate_file_refs": validateFileRefs,
	} {
		adapters[kind] = run
	}
}

// findingView is a finding as the reference reports it; a null location is the
// file as a whole.
func findingView(f finding) map[string]any {
	view := map[string]any{"category": f.Category, "severity": string(f.Severity), "location": nil}
	if f.Path != "" {
		view["location"] = f.Path
	}
	return view
}

func validateEval(v agentv.Version) adapter {
	check := func(tree *yaml.Tree) []finding { return evalFindings(v, tree, surroundings{}) }
	return validateCase(check, func(found []finding) bool { return accepts(v, found) })
}

// errorFree is what makes a file valid where warnings do not count.
func errorFree(found []finding) bool {
	return !slices.ContainsFunc(found, func(f finding) bool { return f.Severity == severityError })
}

// validateCase compares the findings: `errors` is all of them, `diagnostics` some.
func validateCase(check func(*yaml.Tree) []finding, passes func([]finding) bool) adapter {
	return func(t *testing.T, c testCase) error {
		in := decode[struct {
			YAML string `json:"yaml"`
		}](t, c.Input)
		want := decode[struct {
			Valid       *bool            `json:"valid"`
			Errors      []map[string]any `json:"errors"`
			Diagnostics []map[string]any `json:"diagnostics"`
		}](t, c.Expected)
		found := check(parse(in.YAML))
		if want.Valid != nil && *want.Valid != passes(found) {
			return fmt.Errorf("valid is %v: %v", passes(found), found)
		}
		if want.Errors != nil {
			if len(found) != len(want.Errors) {
				return fmt.Errorf("found %v", found)
			}
			for i, f := range found {
				if err := compareJSON(toJSON(want.Errors[i]), findingView(f), false); err != nil {
					return fmt.Errorf("finding %d: %w", i, err)
				}
			}
		}
		for _, w := range want.Diagnostics {
			if !slices.ContainsFunc(found, func(f finding) bool { return compareJSON(toJSON(w), findingView(f), false) == nil }) {
				return fmt.Errorf("%v is not among %v", w, found)
			}
		}
		return nil
	}
}

func validatePrompt(t *testing.T, c testCase) error {
	in := decode[struct {
		Template string `json:"template"`
	}](t, c.Input)
	usable, unknown := checkPrompt(in.Template)
	got := map[string]any{"error": "prompt_missing_required_variable"}
	if usable {
		warnings := min(len(unknown), 1) // however many, they share one
		got = map[string]any{"ok": true, "warnings": float64(warnings)}
	}
	return compareJSON(decode[any](t, c.Expected), got, true)
}

func validateFileRefs(t *testing.T, c testCase) error {
	in := decode[struct {
		YAML  string            `json:"yaml"`
		Files map[string]string `json:"files"`
	}](t, c.Input)
	found := fileRefFindings(parse(in.YAML), func(name string) (string, bool) {
		body, there := in.Files[path.Clean("/" + name)[1:]]
		return body, there
	})
	views := []any{}
	for _, f := range found {
		views = append(views, findingView(f))
	}
	if want := decode[any](t, c.Expected); !reflect.DeepEqual(toJSON(views), want) {
		return fmt.Errorf("found %v", found)
	}
	return nil
}

package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/head"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestValidatorTableKeys compares the field tables with what `agentv validate` reports for each key.
func TestValidatorTableKeys(t *testing.T) {
	for _, row := range []struct {
		name    string
		version agentv.Version
		table   *schema.Type
		around  [2]string // of a key with a null
		path    string
	}{
		{"stable file", agentv.V4, v4.EvalFile, [2]string{"", ""}, ""},
		{"stable test", agentv.V4, v4.TestType, [2]string{"tests: [{", "}]"}, "tests[0]."},
		{"head file", agentv.Head, head.EvalFile, [2]string{"", ""}, ""},
		{"head test", agentv.Head, head.TestType, [2]string{"prompts: P\ntests: [{", "}]"}, "tests[0]."},
		{"default test", agentv.Head, head.EvalFile.Field("default_test").Type.Choices[1], [2]string{"default_test: {", "}"}, "default_test."},
		{"options", agentv.Head, head.EvalFile.Field("evaluate_options").Type, [2]string{"evaluate_options: {", "}"}, "evaluate_options."},
		{"run", agentv.Head, head.TestType.Field("run").Type, [2]string{"tests: [{run: {", "}}]"}, "tests[0].run."},
	} {
		for _, f := range append(row.table.Fields, &schema.Field{Key: "nobody_knows"}) {
			for _, name := range f.Names() {
				body := row.around[0] + name + ": null" + row.around[1]
				verdict := "" // of the key, whatever is under it
				for _, found := range evalFindings(row.version, parse(body), surroundings{}) {
					if at := found.Path == row.path+name; at && strings.HasSuffix(found.Category, "_removed") {
						verdict = "removed"
					} else if at && strings.HasPrefix(found.Category, "unknown_field") {
						verdict = "unknown"
					}
				}
				want := ""
				switch {
				case f.Key == "nobody_knows":
					want = "unknown"
				case f.RemovedIn != "":
					want = "removed"
				}
				if verdict != want && !readByLoaderOnly[row.name+" "+name] {
					t.Errorf("%s: `%s` is %q to validate, %q in the table", row.name, name, verdict, want)
				}
			}
		}
	}
}

// readByLoaderOnly has the keys that a loader reads and its validator does not know.
var readByLoaderOnly = map[string]bool{
	"stable file cases":   true, // the name of a day in between
	"stable test note":    true,
	"head file execution": true, // each key in it is removed
}

// TestValidatorNames holds the table of names against the validators: what one of them
// does not know or has no more, its version does not read.
func TestValidatorNames(t *testing.T) {
	checked := 0
	for _, c := range agentv.Concepts {
		for _, term := range c.Terms {
			for _, v := range []agentv.Version{agentv.V4, agentv.Head} {
				body, path := "tests: []\n", term.Text
				switch term.Scope {
				case agentv.InFile:
					body = strings.ReplaceAll(body, term.Text+": []\n", "") + term.Text + ": []\n"
				case agentv.InCase:
					body, path = "tests: [{"+term.Text+": []}]\n", "tests[0]."+term.Text
				default:
					continue
				}
				checked++
				isUnread := func(f finding) bool {
					return f.Path == path && (strings.HasPrefix(f.Category, "unknown_field") || strings.HasSuffix(f.Category, "_removed"))
				}
				unread := slices.ContainsFunc(evalFindings(v, parse(body), surroundings{}), isUnread)
				if known := slices.Contains(agentv.VersionsReading(term.Text, term.Scope), v); known == unread {
					t.Errorf("%s of a %s is read in %s: %v, by its validator: %v", term.Text, term.Scope, v, known, !unread)
				}
			}
		}
	}
	if checked < 40 {
		t.Errorf("only %d names checked", checked)
	}
}

// TestValidatorTypeNames does the same for the types of graders. The newest validator
// takes an underscore for a hyphen, which its loader no longer does.
func TestValidatorTypeNames(t *testing.T) {
	for _, c := range agentv.Concepts {
		for _, term := range c.Terms {
			if term.Scope != agentv.InType {
				continue
			}
			for v, body := range map[agentv.Version]string{
				agentv.V4:   "tests: [{id: a, input: Q, assertions: [{type: '" + term.Text + "'}]}]\n",
				agentv.Head: "tests: []\nassert: [{type: '" + term.Text + "'}]\n",
			} {
				refused := len(evalFindings(v, parse(body), surroundings{})) > 0
				lenient := v == agentv.Head && strings.Contains(term.Text, "_")
				if known := slices.Contains(agentv.VersionsReading(term.Text, term.Scope), v); known == refused && !lenient {
					t.Errorf("type %s is read in %s: %v, by its validator: %v", term.Text, v, known, !refused)
				}
			}
		}
	}
}

// corpusTrees returns the eval files of a version's own project that have one of keys.
func corpusTrees(t *testing.T, name string, keys ...string) (trees []*yaml.Tree) {
	t.Helper()
	for _, file := range corpustest.Files(t, name, ".yaml") {
		isOne := func(key string) bool { return strings.Contains("\n"+file.Body, "\n"+key+":") }
		if slices.ContainsFunc(keys, isOne) && !strings.Contains(file.Path, "/.agentv/") {
			trees = append(trees, yaml.Parse(text.New(file.Path, file.Body)))
		}
	}
	if len(trees) == 0 {
		t.Fatalf("no file of %s has one of %q", name, keys)
	}
	return trees
}

// TestValidatorOwnCorpus repeats a measurement: the reference validator rejects some of
// its own project's eval files, and only for messages that its loader reads,
// those with data for content, those with tool calls alone and those of a tool.
func TestValidatorOwnCorpus(t *testing.T) {
	trees, rejected := corpusTrees(t, "agentv-seed", "evalcases"), 0
	for _, tree := range trees {
		found := seedFindings(tree)
		if len(found) > 0 {
			rejected++
		}
		for _, f := range found {
			if f.Category != "content_missing_or_wrong_type" && f.Category != "role_invalid" {
				t.Errorf("%s: %+v", tree.Source.Name, f)
			}
		}
	}
	if rejected == 0 || rejected == len(trees) {
		t.Fatalf("%d of %d files rejected", rejected, len(trees))
	}
	t.Logf("%d of %d files rejected", rejected, len(trees))
}

// TestValidatorHeadCorpus repeats another: the version of July 2026 flags some of the files that its
// loader reads, mainly those written for the one before.
func TestValidatorHeadCorpus(t *testing.T) {
	trees, rejected, warned := corpusTrees(t, "agentv-head", "tests", "scenarios"), 0, 0
	for _, tree := range trees {
		found := evalFindings(agentv.Head, tree, surroundings{Assertions: []string{"min-words"}})
		switch {
		case !accepts(agentv.Head, found):
			rejected++
		case len(found) > 0:
			warned++
		}
		for _, f := range found {
			switch f.Category {
			case "criteria_with_assert", "unsupported_assertion_type", "workspace_removed", "assertion_type_unknown":
			case "deprecated_field", "include_deprecated", "assert_item_no_type", "preprocessors_removed": // its loader reads them
			default:
				t.Errorf("%s: %+v", tree.Source.Name, f)
			}
		}
	}
	if rejected == 0 || rejected*2 > len(trees) {
		t.Errorf("%d of %d files rejected, %d more warned of", rejected, len(trees), warned)
	}
	t.Logf("%d of %d files rejected, %d more warned of", rejected, len(trees), warned)
}

// TestValidatorLaterRefuseTheSeed: no file of the seed's project passes later on.
func TestValidatorLaterRefuseTheSeed(t *testing.T) {
	for _, tree := range corpusTrees(t, "agentv-seed", "evalcases") {
		for _, v := range []agentv.Version{agentv.V4, agentv.Head} {
			if accepts(v, evalFindings(v, tree, surroundings{})) {
				t.Errorf("%s: %s passes", tree.Source.Name, v)
			}
		}
	}
}

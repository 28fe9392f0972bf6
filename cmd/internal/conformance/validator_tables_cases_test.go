package conformance

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/tables"
	"github.com/rubric-ls/rubric/core/schema"
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
		{"stable file", agentv.Stable, tables.StableEval, [2]string{"", ""}, ""},
		{"stable test", agentv.Stable, tables.StableTest, [2]string{"tests: [{", "}]"}, "tests[0]."},
		{"head file", agentv.Head, tables.HeadEval, [2]string{"", ""}, ""},
		{"head test", agentv.Head, tables.HeadTest, [2]string{"prompts: P\ntests: [{", "}]"}, "tests[0]."},
		{"default test", agentv.Head, tables.HeadEval.Field("default_test").Type.Choices[1], [2]string{"default_test: {", "}"}, "default_test."},
		{"options", agentv.Head, tables.HeadEval.Field("evaluate_options").Type, [2]string{"evaluate_options: {", "}"}, "evaluate_options."},
		{"run", agentv.Head, tables.HeadTest.Field("run").Type, [2]string{"tests: [{run: {", "}}]"}, "tests[0].run."},
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

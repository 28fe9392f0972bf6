package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
)

const cases = `evalcases:
  - id: a
    expected_outcome: O
    input: Q
    weight: 007
    evaluators: [&shared { name: x, type: latency, threshold: 5 }]
  - { id: b, expected_outcome: O, input: Q, evaluators: [*shared] }
`

// schemaProblems are the findings of the two rules about authors' schemas: the place, what
// stands there, and the message.
func schemaProblems(t *testing.T, dir, name, body string) (all []string) {
	t.Helper()
	schemas := &host.Schemas{}
	in := host.NewInput(filepath.Join(dir, name), body)
	in.LoadSchema = schemas.ForFile(in.Path)
	a := analysis.Of(in)
	for _, d := range a.Diagnostics() {
		if d.Code == "user-schema" || d.Code == "schema-not-applied" {
			line := a.Source().OffsetLine(d.Span.Start) + 1
			all = append(all, fmt.Sprintf("%d %s: %s %s", line, a.Source().Slice(d.Span), d.Severity, d.Message))
		}
	}
	return all
}

// adkFiles returns a function that lists the ADK files in the directory of path.
func adkFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOwnSchemas(t *testing.T) {
	const house = "house.schema.json"
	inCase := func(schema string) string {
		return `{"properties":{"evalcases":{"items":` + schema + `}}}`
	}
	for _, c := range []struct {
		name, schema, head string
		want               []string
	}{
		{"a missing key, at the first one", inCase(`{"required":["note"]}`), "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"3 id: warning `note` is missing", "8 id: warning `note` is missing"}},
		{"a key of its own", inCase(`{"required":["note"]}`), "$schema: ./house.schema.json\n",
			[]string{"3 id: warning `note` is missing", "8 id: warning `note` is missing"}},
		{"which the schema need not know", `{"additionalProperties":false,"properties":{"evalcases":{}}}`, "$schema: house.schema.json\n", nil},
		{"a key that is not allowed", inCase(`{"properties":{"weight":false},"propertyNames":{"enum":["id","input","expected_outcome","weight"]}}`), "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"6 007: warning nothing is allowed here", "7 evaluators: warning the key `evaluators` is not allowed here", "8 evaluators: warning the key `evaluators` is not allowed here"}},
		{"numbers as YAML reads them", inCase(`{"properties":{"weight":{"type":"string"}}}`), "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"6 007: warning expected a string, found an integer"}},
		{"a list, at its key", inCase(`{"properties":{"evaluators":{"minItems":2}}}`), "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"7 evaluators: warning array must have at least 2 items", "8 evaluators: warning array must have at least 2 items"}},
		{"what an alias repeats, at the alias", inCase(`{"properties":{"evaluators":{"items":{"required":["weight"]}}}}`), "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"7 name: warning `weight` is missing", "8 *shared: warning `weight` is missing"}},
		{"the file as a whole", `{"required":["description"]}`, "# yaml-language-server: $schema=house.schema.json\n", []string{"2 evalcases: warning `description` is missing"}},
		{"in YAML", "required: [description]\n", "# yaml-language-server: $schema=house.schema.json\n", []string{"2 evalcases: warning `description` is missing"}},
		{"not there", `{}`, "# yaml-language-server: $schema=no.json\n", []string{"1 no.json: warning the schema `no.json` is not applied: no such file or folder"}},
		{"a folder", `{}`, "# yaml-language-server: $schema=./\n", []string{"1 ./: warning the schema `./` is not applied: is a folder, not a file"}},
		{"larger than any", strings.Repeat(" ", 5<<20) + "{}", "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"1 house.schema.json: warning the schema `house.schema.json` is not applied: it is not a regular file of up to 4 MiB"}},
		{"cyclic", `{"$ref":"#"}`, "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"1 house.schema.json: warning the schema `house.schema.json` is not applied: the schema at `#` applies itself to the same value without end"}},
		{"referring out of itself", inCase(`{"$ref":"http://127.0.0.1:1/x"}`), "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"1 house.schema.json: warning the schema `house.schema.json` is not applied: its `$ref` to `http://127.0.0.1:1/x` refers to another schema, and other schemas are not loaded"}},
		{"no schema", `[1]`, "# yaml-language-server: $schema=house.schema.json\n",
			[]string{"1 house.schema.json: warning the schema `house.schema.json` is not applied: it is not a JSON Schema"}},
		{"broken", "{\n\"a\"", "# yaml-language-server: $schema=house.schema.json\n", []string{"1 house.schema.json: warning the schema `house.schema.json` is not applied: line 1 of it: "}},
		{"an address", `{}`, "# yaml-language-server: $schema=http://127.0.0.1:1/x.json\n",
			[]string{"1 http://127.0.0.1:1/x.json: info the schema `http://127.0.0.1:1/x.json` is not applied: schemas are not downloaded; name a file"}},
		{"an absolute path", `{}`, "# yaml-language-server: $schema=/etc/hostname\n",
			[]string{"1 /etc/hostname: warning the schema `/etc/hostname` is not applied: it is not a relative path"}},
		{"a version", `{"required":["description"]}`, "$schema: agentv-eval-v2\n", nil},
		{"silenced", `{"required":["description"]}`, "# yaml-language-server: $schema=house.schema.json\n# rubric: ignore user-schema -- later\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := adkFiles(t, map[string]string{house: c.schema})
			got := schemaProblems(t, dir, "x.eval.yaml", c.head+cases)
			if !slices.EqualFunc(got, c.want, strings.HasPrefix) || len(got) != len(c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestOwnSchemaOfBrokenText: an unreadable file is not reported as missing.
func TestOwnSchemaOfBrokenText(t *testing.T) {
	dir := adkFiles(t, map[string]string{"house.json": `{"required":["description"]}`})
	if got := schemaProblems(t, dir, "x.eval.yaml", "# yaml-language-server: $schema=house.json\ndescription: \"a\n"+cases); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// TestOwnSchemaIsReadAgain: a schema that was changed counts for the next
// analysis.
func TestOwnSchemaIsReadAgain(t *testing.T) {
	dir := adkFiles(t, map[string]string{"house.json": `{"required":["a"]}`})
	find := (&host.Schemas{}).ForFile(filepath.Join(dir, "x.yaml"))
	for _, want := range []string{"a", "a", "b"} {
		if want == "b" {
			if err := os.WriteFile(filepath.Join(dir, "house.json"), []byte(`{"required":["b"]}`), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		schema, err := find("house.json")
		if err != nil {
			t.Fatal(err)
		}
		found, err := schema(map[string]any{})
		if err != nil || len(found) != 1 || found[0].Message != "`"+want+"` is missing" {
			t.Fatalf("%v, %v, want %s", found, err, want)
		}
	}
}

// TestOwnSchemasOfCases applies schemas that look at cases one by one and together. An edit finds
// what the edited text has.
func TestOwnSchemasOfCases(t *testing.T) {
	const rest = `,"definitions":{"case":{"required":["note"],"properties":{"id":{"$ref":"#/definitions/id"}}},"id":{"pattern":"^x"},"cases":{"type":"array","items":{"$ref":"#/definitions/case"}}}`
	for name, body := range map[string]string{
		"items":                    `{"required":["description"],"properties":{"evalcases":{"items":{"required":["note"]}}}}`,
		"items that refer":         `{"additionalProperties":false,"properties":{"evalcases":{"title":"Cases","items":{"$ref":"#/definitions/case"}}}` + rest + `}`,
		"items that are forbidden": `{"properties":{"evalcases":{"items":false}}}`,
		"a length":                 `{"properties":{"evalcases":{"minItems":3,"items":{"required":["note"]}}}}`,
		"by place":                 `{"properties":{"evalcases":{"items":[{"required":["note"]}]}}}`,
		"nothing of cases":         `{"required":["description"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := adkFiles(t, map[string]string{"house.json": body})
			path := filepath.Join(dir, "x.eval.yaml")
			in := analysis.Input{Path: path, Text: "# yaml-language-server: $schema=house.json\n" + cases, LoadSchema: (&host.Schemas{}).ForFile(path)}
			found := func(a *analysis.Analysis) bool {
				return slices.ContainsFunc(a.Diagnostics(), func(d diag.Diagnostic) bool { return d.Code == "user-schema" })
			}
			if !found(analysis.Of(in)) {
				t.Error("nothing is found")
			}
			at := strings.Index(in.Text, "    input: Q\n")
			edited := in
			edited.Text = in.Text[:at] + "    note: x\n" + in.Text[at:]
			step := analysis.Of(in).Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: "    note: x\n"})
			if got, want := step.Diagnostics(), analysis.Of(edited).Diagnostics(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("after an edit:\n%v\nanew:\n%v", got, want)
			}
		})
	}
}

// TestRulePagesSchemas: the examples on rules' pages are what a validator finds.
func TestRulePagesSchemas(t *testing.T) {
	proved := 0
	for _, rule := range lint.All() {
		if rule.LoadSchema == nil {
			continue
		}
		proved++
		dir := adkFiles(t, rule.SiblingFiles)
		for _, example := range []string{rule.Bad, rule.Good} {
			body, _ := lint.ParseMarkers(example)
			in := analysis.RuleExample(rule, body)
			want := analysis.Of(in).Diagnostics()
			in.LoadSchema = (&host.Schemas{}).ForFile(filepath.Join(dir, in.Path))
			if got := analysis.Of(in).Diagnostics(); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v, want %v", rule.ID, got, want)
			}
		}
	}
	if proved == 0 {
		t.Error("no rule has a schema")
	}
}

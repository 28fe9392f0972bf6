package adk_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"

	"github.com/rubric-ls/rubric/core/conform"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/schema"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestTables checks that every entry is documented, every example is valid and the type names of a
// file are unique.
func TestTables(t *testing.T) {
	for _, kind := range adk.Files() {
		names := map[string]*schema.Type{}
		schema.Walk(kind.Type, func(typ *schema.Type) {
			if other := names[typ.Name]; typ.Name != "" && other != nil {
				t.Errorf("%s: two types are called %s", kind.Name, typ.Name)
			}
			names[typ.Name] = typ
			if typ.Name != "" && !strings.HasSuffix(typ.Doc, ".") {
				t.Errorf("%s: %s is not documented", kind.Name, typ.Name)
			}
			for _, f := range typ.Fields {
				if !strings.HasSuffix(f.Doc, ".") || f.Type == nil || f.OnInvalid == "" {
					t.Errorf("%s: %s of %s is not documented", kind.Name, f.Key, typ.Name)
				}
				if f.Example == nil {
					continue
				}
				raw, err := json.Marshal(f.Example)
				if err != nil {
					t.Fatal(err)
				}
				if found := conform.Check(f.Type, yaml.Parse(text.New("", string(raw))).Root()); len(found) > 0 {
					t.Errorf("%s: the example of %s does not fit: %v", kind.Name, f.Key, found[0].Kind)
				}
			}
		})
	}
}

// TestSchemas compares the emitted schemas, in an independent validator, with the tables.
func TestSchemas(t *testing.T) {
	good := map[string]string{
		"adk-evalset": set(`{"eval_id": "c", "conversation": [{` + asks + `, "intermediateData": {"invocationEvents": [{"author": "a"}]}}]}`),
		"adk-config":  `{"criteria": {"safety_v1": 0.8, "mine": {"threshold": 1}, "tool_trajectory_avg_score": {"threshold": 1, "match_type": "IN_ORDER"}}}`,
		"adk-results": `{"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": [{"eval_id": "c", "final_eval_status": 1, "eval_metric_result_per_invocation": [{"actual_invocation": {` + asks + `}}]}]}`,
		"adk-older":   `[{"name": "n", "data": [{"query": "q", "expected_tool_use": [{"tool_name": "t", "tool_input": {"a": 1}}]}]}]`,
		"adk-turns":   `[{"query": "q"}]`,
	}
	for _, kind := range adk.Files() {
		doc := schema.Document{Name: kind.Name, ID: "https://example.org/" + kind.Name, Title: kind.Title, Root: kind.Type}
		compiled, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(doc.JSON()))
		if err != nil {
			t.Errorf("%s: %v", kind.Name, err)
			continue
		}
		if good[kind.Name] == "" {
			t.Errorf("no example of %s", kind.Name)
		}
		for _, body := range []string{
			good[kind.Name],
			strings.Replace(good[kind.Name], `"threshold": 1`, `"threshold": 1, "matchtype": "EXACT"`, 1),
			strings.Replace(good[kind.Name], `"text"`, `"txt"`, 1), strings.Replace(good[kind.Name], `"eval_id"`, `"evalId"`, 1),
			strings.Replace(good[kind.Name], `"q"`, `7`, 1), strings.Replace(good[kind.Name], `0.8`, `1.8`, 1), `{}`, `[]`, `[7]`,
		} {
			found := conform.Check(kind.Type, yaml.Parse(text.New("x.json", body)).Root())
			result, err := compiled.Validate(gojsonschema.NewStringLoader(body))
			if err != nil || result.Valid() != (len(found) == 0) {
				t.Errorf("%s: the table finds %v, the schema %v %v in\n%s", kind.Name, found, result.Errors(), err, body)
			}
		}
		if found := conform.Check(kind.Type, yaml.Parse(text.New("x.json", good[kind.Name])).Root()); len(found) > 0 {
			t.Errorf("%s: the example has a %s", kind.Name, found[0].Kind)
		}
	}
}

package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/jsonschema"
)

// TestResultSchemas validates what commands print as JSON with the schema that `rubric schema` prints.
func TestResultSchemas(t *testing.T) {
	dir := write(t, map[string]string{
		"x.eval.yaml":   three,
		"x.labels.yaml": "labels: { a: { rubric-1: true }, b: { rubric-1: false } }",
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, out := range []string{"a.jsonl", "b.jsonl"} {
		target := map[string]string{"a.jsonl": "self", "b.jsonl": "mock:No."}[out]
		if code, _, stderr := rubric(t, "", "run", at("x.eval.yaml"), "--target", target, "--samples", "2", "--trials", "2", "--out", at(out)); code > 1 {
			t.Fatal(stderr)
		}
	}
	conversations := filepath.Join("..", "..", "..", "testdata", "quickstart", "banking")
	for _, c := range []struct {
		schema string
		args   []string
	}{
		{"result-run", []string{"run", at("x.eval.yaml"), "--min-pass-rate", "0.5", "--min-mean", "0.5"}},
		{"result-run", []string{"run", at("x.eval.yaml"), "--target", "mock:No."}},
		{"result-run", []string{"run", filepath.Join(conversations, "banking.evalset.json"), "--recorded", filepath.Join(conversations, "banking.evalset_result.json")}},
		{"result-run", []string{"runs", "show", at("a.jsonl")}},
		{"result-compare", []string{"runs", "compare", at("a.jsonl"), at("b.jsonl")}},
		{"result-rescore", []string{"rescore", at("b.jsonl"), at("x.eval.yaml")}},
		{"result-calibrate", []string{"calibrate", at("x.eval.yaml"), "--run", at("b.jsonl")}},
	} {
		_, stdout, stderr := rubric(t, "", append(c.args, "--format", "json")...)
		faults := schemaFaults(t, c.schema, stdout)
		if len(faults) > 0 || stdout == "" {
			t.Errorf("%v: %v\n%s", c.args, faults, stderr)
		}
		if broken := strings.Replace(stdout, `": [`, `": 7, "x": [`, 1); len(schemaFaults(t, c.schema, broken)) == 0 {
			t.Errorf("%s accepts a number in place of a list", c.schema)
		}
	}
	for line := range strings.Lines(readFile(t, at("b.jsonl"))) {
		if faults := schemaFaults(t, "result-record", line); len(faults) > 0 {
			t.Errorf("%v", faults)
		}
	}
}

// schemaFaults validates a document with the schema called name.
func schemaFaults(t *testing.T, name, document string) []string {
	t.Helper()
	_, text, _ := rubric(t, "", "schema", name)
	decode := func(text string) (value any) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		return value
	}
	faults, err := jsonschema.Validate(decode(text), decode(document), nil)
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

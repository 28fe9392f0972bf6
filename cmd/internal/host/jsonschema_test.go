package host_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
)

func exact(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func TestJSONSchema(t *testing.T) {
	const person = `{"$schema":"http://json-schema.org/draft-07/schema#","$id":"https://example.com/person","type":"object",
		"required":["name"],"additionalProperties":false,
		"properties":{"name":{"type":"string"},"age":{"$ref":"#/definitions/age"},"id":{"type":"string"},"a/b":{"type":"integer"}},
		"definitions":{"age":{"type":"integer","minimum":0}}}`
	const tree = `{"type":"object","properties":{"next":{"$ref":"#"},"n":{"type":"integer"}},"additionalProperties":false}`
	const either = `{"anyOf":[{"type":"string"},{"type":"object","properties":{"n":{"type":"integer"}}}]}`
	for _, c := range []struct {
		name, schema, document string
		faults                 []string
	}{
		{"valid", person, `{"name":"A","age":3,"id":"x"}`, nil},
		{"several faults, in order", person, `{"age":-1,"z":1,"y":1,"a/b":"c"}`, []string{
			"`a/b`: invalid type. Expected: integer, given: string",
			"`age`: must be greater than or equal to 0",
			"additional property y is not allowed", "additional property z is not allowed", "name is required",
		}},
		{"a number is one", `{"type":"string"}`, `42`, []string{"invalid type. Expected: string, given: integer"}},
		{"a schema that holds itself", tree, `{"next":{"next":{"n":1.5}}}`, []string{"`next/next/n`: invalid type. Expected: integer, given: number"}},
		{"the deeper fault", either, `{"n":"x"}`, []string{"`n`: invalid type. Expected: integer, given: string"}},
		{"no", `false`, `1`, []string{"false always fails validation"}},
		{"conditions", `{"if":{"type":"string"},"then":{"minLength":2},"else":{"not":{"type":"null"}},"dependencies":{"a":["b"],"c":{"required":["d"]}}}`,
			`{"a":1,"c":1}`, []string{"d is required", "has a dependency on b"}},
		{"data is no schema", `{"enum":[{"$ref":"http://x"}],"const":{"$id":"a"},"type":"object"}`, `3`, nil},
		{"a list of schemas", `{"items":[{"$ref":"#/definitions/n"},true],"definitions":{"n":{"type":"number"},"m":{"$ref":"#/items/0"}}}`,
			`["x"]`, []string{"`0`: invalid type. Expected: number, given: string"}},
		{"a later draft, as far as it is the same", `{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"id":{"type":"string"}},"properties":{"n":{"$ref":"#/$defs/id"}}}`,
			`{"n":1}`, []string{"`n`: invalid type. Expected: string, given: integer"}},
		{"a true reference", `{"$ref":"#/definitions/n","definitions":{"n":true}}`, `1`, nil},
		{"an escaped reference", `{"$ref":"#/definitions/a~1b%20c","definitions":{"a/b c":{"type":"null"}}}`, `1`, []string{"invalid type. Expected: null, given: integer"}},
		{"a document that is too deep", `{}`, strings.Repeat("[", 600) + strings.Repeat("]", 600), []string{"it is nested too deeply"}},
		{"a document's endless number", `{}`, `[1e999999]`, []string{"it holds a number that is too long to compare"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 5 {
				faults, err := host.JSONSchema(exact(t, c.schema), exact(t, c.document))
				if c.name == "data is no schema" {
					if err != nil || len(faults) == 0 {
						t.Fatalf("%q, %v", faults, err)
					}
					continue
				}
				if err != nil || !slices.Equal(faults, c.faults) {
					t.Fatalf("%q, %v, want %q", faults, err, c.faults)
				}
			}
		})
	}
}

func TestSchemasThatAreRefused(t *testing.T) {
	doublings := `{"definitions":{`
	for i := range 24 {
		doublings += fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/definitions/d%d"},{"$ref":"#/definitions/d%d"}]},`, i, i+1, i+1)
	}
	doublings += `"d24":{}},"$ref":"#/definitions/d0"}`
	for _, c := range []struct{ name, schema, says string }{
		{"itself", `{"$ref":"#"}`, "the schema at `#` applies itself to the same value without end"},
		{"itself through allOf", `{"allOf":[{"$ref":"#"}]}`, "applies itself to the same value without end"},
		{"a circle", `{"properties":{"p":{"$ref":"#/definitions/a"}},"definitions":{"a":{"not":{"$ref":"#/definitions/b"}},"b":{"if":{"$ref":"#/definitions/a"}}}}`, "applies itself to the same value without end"},
		{"a circle through a dependency", `{"dependencies":{"a/b":{"$ref":"#"}}}`, "applies itself to the same value without end"},
		{"an address", `{"properties":{"p":{"$ref":"http://127.0.0.1:1/x"}}}`, "its `$ref` to `http://127.0.0.1:1/x` leads out of it, and other schemas are not loaded"},
		{"a file", `{"items":[{"$ref":"file:///etc/passwd"}]}`, "leads out of it"},
		{"a relative file", `{"default":{"$ref":"other.json"}}`, "leads out of it"},
		{"a name", `{"$ref":"#name"}`, "its `$ref` to `name` leads out of it"},
		{"nowhere", `{"$ref":"#/definitions/x/y"}`, "its `$ref` to `#/definitions/x/y` leads nowhere"},
		{"past the end", `{"$ref":"#/items/2","items":[{}]}`, "leads nowhere"},
		{"an id of its own", `{"definitions":{"a":{"$id":"http://x/","$ref":"#/definitions/a"}}}`, "without end"},
		{"another id", `{"definitions":{"a":{"$id":"http://x/"}}}`, "the `$id` at `#/definitions/a` is not followed"},
		{"doublings", doublings, "applies more than 2000 others to one value"},
		{"depth", strings.Repeat(`{"not":`, 70) + "{}" + strings.Repeat("}", 70), "it is nested too deeply"},
		{"an endless number", `{"minimum":1e999999}`, "it holds a number that is too long to compare"},
		{"many digits", `{"minimum":1` + strings.Repeat("0", 2000) + `}`, "it holds a number that is too long to compare"},
		{"no schema", `{"type":"integr"}`, "integr"},
	} {
		t.Run(c.name, func(t *testing.T) {
			faults, err := host.JSONSchema(exact(t, c.schema), exact(t, `{}`))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q, error %v, want %q", faults, err, c.says)
			}
		})
	}
	if _, err := host.JSONSchema(map[string]any{"f": func() {}}, nil); err == nil {
		t.Error("what JSON has not became a schema")
	}
	if _, err := host.JSONSchema(true, func() {}); err == nil {
		t.Error("what JSON has not became a document")
	}
}

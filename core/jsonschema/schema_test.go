package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/jsonschema"
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
	grammar := `{"definitions":{"term":{},"any":{"anyOf":[` + strings.Repeat(`{"$ref":"#/definitions/term"},`, 300) + `{}]}},"properties":{"p":{"type":"null"}`
	for i := range 2000 { // many keys with many alternatives each
		grammar += fmt.Sprintf(`,"p%d":{"$ref":"#/definitions/any"}`, i)
	}
	grammar += "}}"
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
			"`name` is missing", "the key `y` is not allowed here", "the key `z` is not allowed here",
			"`a/b`: expected an integer, found a string", "`age`: expected at least 0, found -1",
		}},
		{"a number is one", `{"type":"string"}`, `42`, []string{"expected a string, found an integer"}},
		{"a schema that holds itself", tree, `{"next":{"next":{"n":1.5}}}`, []string{"`next/next/n`: expected an integer, found a number"}},
		{"the deeper fault", either, `{"n":"x"}`, []string{"`n`: expected an integer, found a string"}},
		{"no", `false`, `1`, []string{"nothing is allowed here"}},
		{"conditions", `{"if":{"type":"string"},"then":{"minLength":2},"else":{"not":{"type":"null"}},"dependencies":{"a":["b"],"c":{"required":["d"]}}}`,
			`{"a":1,"c":1}`, []string{"`b` is missing, which another key requires", "`d` is missing"}},
		{"data is no schema", `{"enum":[{"$ref":"http://x"}],"const":{"$id":"a"},"type":"object"}`, `3`, nil},
		{"a list of schemas", `{"items":[{"$ref":"#/definitions/n"},true],"definitions":{"n":{"type":"number"},"m":{"$ref":"#/items/0"}}}`,
			`["x"]`, []string{"`0`: expected a number, found a string"}},
		{"a later draft, as far as it is the same", `{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"id":{"type":"string"}},"properties":{"n":{"$ref":"#/$defs/id"}}}`,
			`{"n":1}`, []string{"`n`: expected a string, found an integer"}},
		{"a true reference", `{"$ref":"#/definitions/n","definitions":{"n":true}}`, `1`, nil},
		{"an escaped reference", `{"$ref":"#/definitions/a~1b%20c","definitions":{"a/b c":{"type":"null"}}}`, `1`, []string{"expected null, found an integer"}},
		{"values and their bounds", `{"properties":{"e":{"enum":["a","b"]},"c":{"const":1},"m":{"maximum":2},"p":{"pattern":"^x"},"f":{"format":"email"},
			"u":{"uniqueItems":true},"n":{"not":{}},"t":{"type":["string","null"]},"l":{"minLength":3},"o":{"oneOf":[{"type":"integer"},{"minimum":1}]}}}`,
			`{"e":"c","c":2,"m":3,"p":"y","f":"y","u":[1,2,1],"n":1,"t":true,"l":"ab","o":1}`, []string{
				"`c`: expected `1`, found `2`", "`e`: expected one of `\"a\", \"b\"`, found `\"c\"`", "`f`: `\"y\"` is not of the format `email`",
				"`l`: string length must be greater than or equal to 3", "`m`: expected at most 2, found 3", "`n`: the schema forbids this value",
				"`o`: it matches several alternatives, but must match exactly one", "`p`: `\"y\"` does not match the pattern `^x`",
				"`t`: expected a string or null, found a boolean", "`u`: its items 0 and 2, counted from 0, are the same",
			}},
		{"a key that no pattern allows", `{"propertyNames":{"maxLength":1},"additionalProperties":{"type":"null"}}`, `{"ab":null}`,
			[]string{"the key `ab` is not allowed here"}},
		{"a large grammar", grammar, `{"p":1}`, []string{"`p`: expected null, found an integer"}},
		{"a document that is too deep", `{}`, strings.Repeat("[", 600) + strings.Repeat("]", 600), []string{"it is nested too deeply"}},
		{"a document's endless number", `{}`, `[1e999999]`, []string{"it holds a number that is too long to compare"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 5 {
				faults, err := jsonschema.Validate(exact(t, c.schema), exact(t, c.document), nil)
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
		{"an address", `{"properties":{"p":{"$ref":"http://127.0.0.1:1/x"}}}`, "its `$ref` to `http://127.0.0.1:1/x` refers to another schema, and other schemas are not loaded"},
		{"a file", `{"items":[{"$ref":"file:///etc/passwd"}]}`, "refers to another schema"},
		{"a relative file", `{"default":{"$ref":"other.json"}}`, "refers to another schema"},
		{"a name", `{"$ref":"#name"}`, "its `$ref` to `#name` refers to another schema"},
		{"nowhere", `{"$ref":"#/definitions/x/y"}`, "its `$ref` to `#/definitions/x/y` leads nowhere"},
		{"past the end", `{"$ref":"#/items/2","items":[{}]}`, "leads nowhere"},
		{"an id of its own", `{"definitions":{"a":{"$id":"http://x/","$ref":"#/definitions/a"}}}`, "without end"},
		{"another id", `{"definitions":{"a":{"$id":"http://x/"}}}`, "the `$id` at `#/definitions/a` is not followed"},
		{"doublings", doublings, "or more than 2000 others to one value"},
		{"depth", strings.Repeat(`{"not":`, 70) + "{}" + strings.Repeat("}", 70), "it is nested too deeply"},
		{"an endless number", `{"minimum":1e999999}`, "it holds a number that is too long to compare"},
		{"many digits", `{"minimum":1` + strings.Repeat("0", 2000) + `}`, "it holds a number that is too long to compare"},
		{"a long enum", `{"enum":[` + strings.Repeat("1,", 499_999) + `1]}`, "it is too large: the list at `#/enum` has 500000 items, the limit is 10000"},
		{"many required names", `{"properties":{"a":{"required":[` + strings.Repeat(`"a",`, 200_000) + `"b"]}}}`, "it is too large: the list at `#/properties/a/required` has 200001 items, the limit is 10000"},
		{"many long enums", `{"anyOf":[` + strings.Repeat(`{"enum":[`+strings.Repeat("1,", 8999)+`1]},`, 5) + `true]}`, "it is too large: it has too many long lists"},
		{"no schema", `{"type":"integr"}`, "integr"},
	} {
		t.Run(c.name, func(t *testing.T) {
			faults, err := jsonschema.Validate(exact(t, c.schema), exact(t, `{}`), nil)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q, error %v, want %q", faults, err, c.says)
			}
		})
	}
	if _, err := jsonschema.Validate(map[string]any{"f": func() {}}, nil, nil); err == nil {
		t.Error("what JSON has not became a schema")
	}
	if faults, err := jsonschema.Validate(true, func() {}, nil); err == nil && len(faults) == 0 {
		t.Error("what JSON has not became a document")
	}
}

// TestSchemasThatTakeTooLong: what would take years is told in no time, and what
// people write is not held for it.
func TestSchemasThatTakeTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	nested := func(depth int) string { return strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth) }
	lists := strings.Repeat("[", 60) + "1" + strings.Repeat("]", 60)
	const recurring = `{"type":"object","properties":{"a":{"$ref":"#"}},"additionalProperties":{"$ref":"#"}}`
	for _, c := range []struct {
		name, schema, document string
		tooLong                bool
	}{
		{"two alternatives at each level", `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["b"]},{"properties":{"a":{"$ref":"#"}}}]}`, nested(60), true},
		{"of lists", `{"oneOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`, lists, true},
		{"by place", `{"allOf":[{"items":[{"$ref":"#"}]},{"items":[],"additionalItems":{"$ref":"#"}}]}`, lists, true},
		{"by the look of keys", `{"allOf":[{"patternProperties":{"^a":{"$ref":"#"}}},{"additionalProperties":{"$ref":"#"}}]}`, nested(60), true},
		{"conditions", `{"if":{"contains":{"$ref":"#"}},"then":{"items":{"$ref":"#"}},"else":{"items":{"$ref":"#"}}}`, lists, true},
		{"dependencies", `{"dependencies":{"a":{"properties":{"a":{"$ref":"#"}}}},"properties":{"a":{"$ref":"#"}}}`, nested(60), true},
		{"the same, of a shallow document", `{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}`, nested(10), false},
		{"one way down", recurring, nested(400), false},
		{"a large document", `{"items":{"$ref":"#/definitions/n"},"definitions":{"n":{"type":"integer"}}}`, "[" + strings.Repeat("1,", 20_000) + "1]", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := jsonschema.Validate(exact(t, c.schema), exact(t, c.document), nil)
			if tooLong := err != nil && strings.Contains(err.Error(), "takes too long"); tooLong != c.tooLong || err != nil && !tooLong {
				t.Errorf("%v", err)
			}
		})
	}
}

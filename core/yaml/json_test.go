package yaml_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func TestJSON(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"scalars", "[a, 'b', 1, 1.5, true, FALSE, ~, '', 0777, 0x1F, yes, 1e3]", `["a","b",1,1.5,true,false,null,"",777,31,"yes",1000]`},
		{"the order of keys", "z: 1\na: 2\nm: {y: 3, b: 4}\n", `{"z":1,"a":2,"m":{"y":3,"b":4}}`},
		{"empty collections", "a: {}\nb: []\nc:\n", `{"a":{},"b":[],"c":null}`},
		{"empty text", "", `null`},
		{"keys are text", "{1: a, true: b, ~: c, '': d}", `{"1":"a","true":"b","~":"c","":"d"}`},
		{"collections as keys", "{[a]: b, c: d}", `{"c":"d"}`},
		{"the last duplicate in the first one's place", "{a: 1, b: 2, a: 3}", `{"a":3,"b":2}`},
		{"merged keys follow", "b: &b {x: 1, y: 2}\nm:\n  z: 0\n  <<: *b\n  y: 3\n", `{"b":{"x":1,"y":2},"m":{"z":0,"y":3,"x":1}}`},
		{"merge of several", "[&x {a: 1}, &y {a: 2, b: 3}, {<<: [*x, *y]}]", `[{"a":1},{"a":2,"b":3},{"a":1,"b":3}]`},
		{"aliases", "a: &x [1, {b: c}]\nd: *x\n", `{"a":[1,{"b":"c"}],"d":[1,{"b":"c"}]}`},
		{"alias as key", "a: &x y\n*x : c", `{"a":"y","y":"c"}`},
		{"unknown alias", "[*x, 1]", `[null,1]`},
		{"alias inside its anchor", "&x [1, *x]", `[1,null]`},
		{"numbers that JSON has not", "[.nan, .inf, -.inf, 1e999]", `[null,null,null,null]`},
		{"large numbers", "[123456789012345678901234567890, 0.1, -0.0, 1e21]", `[1.2345678901234568e+29,0.1,-0,1e+21]`},
		{"no HTML escapes", `"<a href='x'>&</a>"`, `"<a href='x'>&</a>"`},
		{"escapes", `"q\"b\\n\nt\te\x01"`, `"q\"b\\n\nt\te\u0001"`},
		{"astral", "😀: \"\\ud83d\\ude00\"", `{"😀":"😀"}`},
		{"broken bytes", "a: b\xff", `{"a":"b�"}`},
		{"block scalars", "a: |\n  b\n  c\nd: >\n  e\n  f\n", `{"a":"b\nc\n","d":"e f\n"}`},
		{"a tag that claims otherwise", "a: !!int x\nb: !local 1\nc: !!str 1\n", `{"a":"x","b":"1","c":"1"}`},
	} {
		got := yaml.EncodeJSON(root(c.body), "")
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		sameAsAny(t, c.name, root(c.body))
	}
	if got := yaml.EncodeJSON(nil, ""); got != "null" {
		t.Errorf("nothing is %s", got)
	}
}

// sameAsAny wants JSON, indented or not, to say what Any says.
func sameAsAny(t *testing.T, name string, n *yaml.Node) {
	t.Helper()
	for _, indent := range []string{"", "  ", "\t"} {
		var read any
		if err := json.Unmarshal([]byte(yaml.EncodeJSON(n, indent)), &read); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want, err := json.Marshal(n.Any())
		got, _ := json.Marshal(read)
		if err == nil && !bytes.Equal(got, want) { // Any may hold what JSON has not
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestJSONIndent(t *testing.T) {
	body := "b: [1, {c: d}]\na: {}\ne: []\nf: '{\"x\": [1,2]}'\n"
	want := "{\n  \"b\": [\n    1,\n    {\n      \"c\": \"d\"\n    }\n  ],\n  \"a\": {},\n  \"e\": [],\n  \"f\": \"{\\\"x\\\": [1,2]}\"\n}"
	if got := yaml.EncodeJSON(root(body), "  "); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := yaml.EncodeJSON(root(body), "\t"); got != strings.ReplaceAll(want, "  ", "\t") {
		t.Errorf("got\n%s", got)
	}
	if got := yaml.EncodeJSON(root("a"), "  "); got != `"a"` {
		t.Errorf("a scalar is %s", got)
	}
}

// TestJSONBudget unfolds aliases no further than Any, and what is no alias all
// the way.
func TestJSONBudget(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("- &a0 [lol]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&laughs, "- &a%d [*a%d, *a%d]\n", i, i-1, i-1)
	}
	plain := strings.Repeat("- x\n", 2*yaml.MaxExpandedNodes)
	repeated := "- &a x\n" + strings.Repeat("- *a\n", yaml.MaxExpandedNodes/2)
	for _, c := range []struct {
		name, body  string
		least, most int
	}{
		{"billion laughs", laughs.String(), yaml.MaxExpandedNodes, 3 * yaml.MaxExpandedNodes},
		{"no aliases", plain, 2*yaml.MaxExpandedNodes + 1, 2*yaml.MaxExpandedNodes + 1},
		{"aliases within the budget", repeated, yaml.MaxExpandedNodes/2 + 2, yaml.MaxExpandedNodes/2 + 2},
	} {
		n := root(c.body)
		var read any
		if err := json.Unmarshal([]byte(yaml.EncodeJSON(n, "")), &read); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := count(read); got < c.least || got > c.most {
			t.Errorf("%s: %d values, want %d to %d", c.name, got, c.least, c.most)
		}
		if !reflect.DeepEqual(read, n.Any()) {
			t.Errorf("%s: JSON and Any disagree", c.name)
		}
	}
	if strings.Contains(yaml.EncodeJSON(root(repeated), ""), "null") {
		t.Error("an alias within the budget is null")
	}
}

// TestJSONTooDeepToIndent stays on one line, where indentation would be most of
// it.
func TestJSONTooDeepToIndent(t *testing.T) {
	var chain strings.Builder
	open, shut := strings.Repeat("[", yaml.MaxDepth-10), strings.Repeat("]", yaml.MaxDepth-10)
	chain.WriteString("- &a0 " + open + shut + "\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&chain, "- &a%d %s*a%d%s\n", i, open, i-1, shut)
	}
	items := root(chain.String()).List()
	last := items[len(items)-1]
	if got, want := yaml.EncodeJSON(last, "  "), yaml.EncodeJSON(last, ""); got != want || strings.Count(got, "[") != strings.Count(got, "]") {
		t.Errorf("%.40q, want %.40q", got, want)
	}
	if got := yaml.EncodeJSON(items[0], "  "); !strings.Contains(got, "\n") {
		t.Errorf("%.40q has one line", got)
	}
}

// TestJSONOfJSON gives back what a program wrote.
func TestJSONOfJSON(t *testing.T) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(evalJSON())); err != nil {
		t.Fatal(err)
	}
	if got := yaml.EncodeJSON(yaml.Parse(text.New("", evalJSON())).Root(), ""); got != compact.String() {
		t.Errorf("got\n%s\nwant\n%s", got, compact.String())
	}
}

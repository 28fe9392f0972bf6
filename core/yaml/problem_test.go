package yaml_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// described is a tree's problems: kind, what they span, what they note.
func described(tree *yaml.Tree) string {
	var all []string
	for _, p := range tree.Problems {
		s := fmt.Sprintf("%s %q", p.Kind, tree.Source.Slice(p.Span))
		if !p.Note.Empty() {
			s += fmt.Sprintf(" note %q@%d", tree.Source.Slice(p.Note), p.Note.Start)
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"none", "a: b\n", ""},
		{"duplicate key", "a: 1\nb: 2\na: 3\n", `duplicate-key "a" note "a"@0`},
		{"duplicate key written otherwise", "{a: 1, \"a\": 2}", `duplicate-key "\"a\"" note "a"@1`},
		{"three of a kind", "a: 1\na: 2\na: 3", `duplicate-key "a" note "a"@0, duplicate-key "a" note "a"@0`},
		{"two merges are no duplicates", "<<: {a: 1}\n<<: {b: 1}", ""},
		{"duplicates that are collections", "{[a]: b, [a]: c}", ""},
		{"unknown alias", "a: *x\n", `unknown-alias "*x"`},
		{"alias before its anchor", "[*x, &x a]", `unknown-alias "*x"`},
		{"alias of another document", "&x a\n---\n*x", `unknown-alias "*x"`},
		{"alias inside its anchor", "&x [a, *x]", `alias-cycle "*x" note "&x"@0`},
		{"alias deep inside its anchor", "a: &x !t {b: [{c: *x}]}", `alias-cycle "*x" note "&x !t"@3`},
		{"merge of a scalar", "a: 1\n<<: b\n", `bad-merge "b"`},
		{"merge of a list with a scalar", "<<: [{a: 1}, b]", `bad-merge "b"`},
		{"merge of a list of lists", "<<: [[{a: 1}]]", `bad-merge "[{a: 1}]"`},
		{"merge of nothing", "<<: []\na:\n  <<:\n", `bad-merge ""`},
		{"merge of an unknown alias", "<<: *x", `unknown-alias "*x", bad-merge "*x"`},
		{"merge of an alias to a scalar", "a: &x b\n<<: *x", `bad-merge "*x"`},
		{"empty key", "a: b\n: c\n", `empty-key ": c"`},
		{"empty key meant", "? \n: c", ""},
		{"tab on a line of its own", "a: b\n\t\nc: d", `tab "\t"`},
		{"tab behind spaces", "a:\n  \t \n  b: c", `tab "  \t "`},
		{"tabs that harm nobody", "a:\tb\t# c\nd: [e,\n\t\n\tf]\n", `indent "f]" note "["@12`},
		{"quote not indented", "a: \"b\nc\"", `indent "c\"" note "\""@3`},
		{"bracket under its key", "a: [\n  b\n]\nc: {\n}\n", ""},
		{"list not indented", "a:\n  - [b,\n  c]", `indent "c]" note "["@7`},
		{"at the root nothing is less deep", "[a,\nb]", ""},
		{"blank line deeper than the text", "a: |\n     \n  b\n", `indent "     ", syntax "b"`},
		{"broken bytes", "a: \xff\xfeb\nc: \xc3\n", `encoding "\xff\xfe", encoding "\xc3"`},
		{"control characters", "a: b\x00\x01\nc: d\x7f", `encoding "\x00\x01"`},
		{"characters that are none", "a: \uFFFEb", `encoding "\ufffe"`},
		{"UTF-16", "\xff\xfea\x00", `encoding "\xff\xfea\x00"`},
		{"line separators", "a: b\u2028c\nd: e\u0085", `line-break "\u2028", line-break "\u0085"`},
		{"half a line", "- id: a\n  expec\n  rubrics: [x]", `syntax "expec"`},
		{"two half lines", "- id: a\n  expec\n  b: c\n  foo: \"d\n- id: e\n  half\n  f: g", `syntax "expec", syntax "\"d", syntax "half"`},
		{"indented too far", "a: b\n  c: d\n", `syntax "c: d"`},
		{"the last quote", "a: b\nc: \"d\n", `syntax "\"d"`},
		{"deep in a list", "- - - \"a\n  - b\n", `syntax "\"a"`},
		{"bracket in a flow over lines", "a: [\n  b,\n  c]]\nd: e", `syntax "]"`},
	} {
		tree := yaml.Parse(text.New("", c.body))
		if got := described(tree); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s\n%v", c.name, got, c.want, tree.Problems)
		}
		nest(t, tree)
	}
}

// TestMessages are one sentence, lower case, without a final period.
func TestMessages(t *testing.T) {
	body := evalFile()
	for _, content := range snippets(t) {
		broken, _ := typed(body, "    question", content)
		for _, p := range yaml.Parse(text.New("", broken)).Problems {
			if strings.HasSuffix(p.Message, ".") || strings.ToLower(p.Message[:1]) != p.Message[:1] || strings.Contains(p.Message, "while scanning") {
				t.Errorf("%q: %s", content, p.Message)
			}
		}
	}
	for body, want := range map[string]string{
		"a: \"b\nc: d":            "the quote `\"` opened here is not closed",
		"a: [b\nc: d":             "the bracket `[` opened here is not closed",
		"a: b\n\tc: d":            "a tab indents this line, YAML indents with spaces",
		"- a: b\n  foo\n  c: d":   "`foo` is neither a `key: value` nor a list item",
		"a: b: c":                 "this line has a second `: `, put the value in quotes",
		"a: @b":                   "a value cannot start with `@`, put it in quotes",
		"a: {{ b }} c":            "a template's braces are brackets to YAML, put the value in quotes",
		"a: \"\\d\"":              "a double-quoted text has an escape that YAML does not know, write `\\\\` for a backslash",
		"a: *":                    "`*` needs a name right after it; as text it needs quotes",
		"a: |x\n":                 "only `+`, `-`, one digit and a comment may follow `|` or `>`",
		"<<<<<<< a\nb: c\n":       "a merge conflict is not resolved here",
		"%YAML 2 x\n---\na":       "YAML does not know this directive",
		"a: !<b c\n":              "`!` starts a tag, but this is not a tag; put text in quotes",
		"a: *x":                   "alias `*x` has no anchor `&x` before it",
		"a: 1\na: 2":              "key `a` is given twice in one mapping, the last one counts",
		"<<: b":                   "`<<` takes a mapping or a list of mappings, found `b`",
		"<<: [[]]":                "`<<` takes mappings, found a list",
		"<<: *x":                  "alias `*x` has no anchor `&x` before it",
		"<<: [~]":                 "`<<` takes mappings, found nothing",
		"&a [*a]":                 "alias `*a` is inside the value it names",
		strings.Repeat("[", 2000): "nested more than 1000 deep",
		"k: v\n" + strings.Repeat("long ", 20) + "\nl: v": "`long long long long long long long long…` is neither a `key: value` nor a list item",
	} {
		problems := yaml.Parse(text.New("", body)).Problems
		if len(problems) == 0 || problems[0].Message != want {
			t.Errorf("%.40q: %v, want %s", body, problems, want)
		}
	}
}

// TestRecovered marks what something may be missing from, and nothing else.
func TestRecovered(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "a: {b: c}", ""},
		{"a line of a mapping", "- id: a\n  expec\n  b: c\n- id: d\n", "[0]"},
		{"a value", "- id: a\n  b: \"c\n  d: e\n- id: f\n", "[0].b"},
		{"the last line of an item", "- id: a\n  b: c\n  expec\n- id: d\n", "[0]"},
		{"an item", "a:\n  - b\n  - \"c\n  - d\ne: f", "a[1]"},
		{"the start of an item", "- x: y\n- @foo\n  b: c\n- d: e\n", "[1]"},
		{"the start of a list in a list", "- x: y\n- - @foo\n    b: c\n- d: e\n", "[1][0]"},
		{"the rest of an item", "- x: y\n- foo\n  b: c\n- d: e\n", "[1]"},
		{"a line less deep than its list", "a:\n    - b: c\n  foo\n    - d: e\n", "a"},
		{"in brackets", "a: {b: c,\n  d e: f: g,\n  h: i}\nj: k\n", "a"},
		{"the second document", "a: b\n---\nc:\n  d: e\n  expec\nf: g\n", "c"},
		{"two lines", "- a: b\n  foo\n  bar\n  c: d\n- e: f\n", "[0]"},
		{"a top-level line", "a:\n  b: c\nexpec\nd: e\n", ""},
	} {
		var got []string
		tree := yaml.Parse(text.New("", c.body))
		for _, doc := range tree.Docs {
			yaml.Walk(doc.Root, func(n *yaml.Node) bool {
				if n.Recovered {
					got = append(got, n.Path())
				}
				return true
			})
		}
		if strings.Join(got, " ") != c.want || c.name != "nothing" && got == nil {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestEverythingBroken gives up on what cannot be read and on no more.
func TestEverythingBroken(t *testing.T) {
	for _, c := range []struct {
		body string
		want any
	}{
		{"{{{{", map[string]any{}},
		{"[{\"a\": 1, \"b\": [2,\n", []any{map[string]any{"a": 1.0, "b": []any{2.0}}}},
		{"{\"a\": [\n  {\"b\": 1},\n  {\"c\": 2, # it's [\n  'd': \"", map[string]any{"a": []any{map[string]any{"b": 1.0}, map[string]any{"c": 2.0, "d": nil}}}},
		{"{\"a\": 1,\n \"fo", map[string]any{"a": 1.0}},
		{"\"", nil},
		{"]\n]\n]\n]\n]\n]\n]\n]\n]\n]\n]\n]\n", nil},
		{"a: 1\n}\nb: 2", map[string]any{"a": 1.0, "b": 2.0}},
		{"<<<<<<< a\nb: 1\n=======\nb: 2\n>>>>>>> c\n", map[string]any{"b": 2.0}},
		{"- a: 1\n- b: [\n- c: 3\n", []any{map[string]any{"a": 1.0}, map[string]any{"b": nil}, map[string]any{"c": 3.0}}},
		{"a:\n  b: \"\n  c: d\ne: [\nf: g", map[string]any{"a": map[string]any{"b": nil, "c": "d"}, "e": nil, "f": "g"}},
		{"---\na: 1\n---\nb: \"\n---\nc: 3", map[string]any{"a": 1.0}},
	} {
		tree := yaml.Parse(text.New("", c.body))
		if got := tree.Root().Any(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q is %v, want %v: %v", c.body, got, c.want, tree.Problems)
		}
		if len(tree.Problems) == 0 {
			t.Errorf("%q has no problem", c.body)
		}
	}
}

func TestDocuments(t *testing.T) {
	body := "# c\n%YAML 1.2\n---\na: &x 1\n...\n# d\n---\nb: *x\n--- 'c'\n"
	tree := yaml.Parse(text.New("", body))
	if len(tree.Docs) != 3 || !tree.Docs[0].ExplicitStart || !tree.Docs[0].ExplicitEnd || tree.Docs[1].ExplicitEnd {
		t.Fatalf("%d documents", len(tree.Docs))
	}
	pos := 0
	for _, doc := range tree.Docs {
		if doc.Span.Start != pos {
			t.Errorf("a document starts at %d, want %d", doc.Span.Start, pos)
		}
		pos = doc.Span.End
	}
	if pos != len(body) || tree.Docs[2].Root.Value != "c" || described(tree) != `unknown-alias "*x"` {
		t.Errorf("the last document ends at %d: %v", pos, tree.Problems)
	}
}

func TestParseLines(t *testing.T) {
	body := "{\"a\": 1}\r\n\r\n  [2, \"\\ud83d\\ude00\"]  \r\n{\"a\": \r\n# note\r\n{\"b\": {\"c\": null, \"c\": *x}}\r\n\"d\""
	tree := yaml.ParseJSONL(text.New("", body))
	nest(t, tree)
	var lines []int
	var values []any
	for _, doc := range tree.Docs {
		lines = append(lines, tree.Source.OffsetLine(doc.Span.Start))
		values = append(values, doc.Root.Any())
	}
	if !reflect.DeepEqual(lines, []int{0, 2, 5, 6}) {
		t.Errorf("documents on lines %v", lines)
	}
	want := []any{map[string]any{"a": 1.0}, []any{2.0, "😀"}, map[string]any{"b": map[string]any{"c": nil}}, "d"}
	if !reflect.DeepEqual(values, want) {
		t.Errorf("values %v, want %v", values, want)
	}
	// A comment and an alias are YAML and not JSON.
	for _, part := range []string{`syntax "{\"a\": "`, `syntax "# note"`, `syntax "{\"b\": {`, `duplicate-key "\"c\""`, `unknown-alias "*x"`} {
		if got := described(tree); !strings.Contains(got, part) || len(tree.Problems) != 5 {
			t.Errorf("problems %s, without %s", got, part)
		}
	}
	if len(tree.Comments) != 1 {
		t.Errorf("%d comments", len(tree.Comments))
	}
	for _, body := range []string{"", "\n \n", "{", "\xff\xfe"} {
		tree := yaml.ParseJSONL(text.New("", body))
		if len(tree.Docs) != 1 || !tree.Root().IsNull() {
			t.Errorf("%q has %d documents", body, len(tree.Docs))
		}
	}
}

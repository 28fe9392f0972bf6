package yaml_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func root(body string) *yaml.Node { return yaml.Parse(text.New("", body)).Root() }

func TestAny(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       any
	}{
		{"scalars", "[a, 'b', 1, 1.5, true, ~, '', 0777, yes]", []any{"a", "b", 1.0, 1.5, true, nil, "", 777.0, "yes"}},
		{"nesting", "a: {b: [c]}\nd:\n  - e: f\n", map[string]any{"a": map[string]any{"b": []any{"c"}}, "d": []any{map[string]any{"e": "f"}}}},
		{"empty", "", nil},
		{"keys are text", "{1: a, true: b, ~: c}", map[string]any{"1": "a", "true": "b", "~": "c"}},
		{"collections as keys", "{[a]: b, c: d}", map[string]any{"c": "d"}},
		{"the last duplicate", "{a: 1, b: 2, a: 3}", map[string]any{"a": 3.0, "b": 2.0}},
		{"alias", "a: &x [1]\nb: *x\n*x : c", map[string]any{"a": []any{1.0}, "b": []any{1.0}}},
		{"alias as key", "a: &x y\n*x : c", map[string]any{"a": "y", "y": "c"}},
		{"the last anchor", "[&x 1, *x, &x 2, *x]", []any{1.0, 1.0, 2.0, 2.0}},
		{"unknown alias", "[*x, 1]", []any{nil, 1.0}},
		{"alias to what holds it", "&x [1, *x]", []any{1.0, nil}},
		{"merge", "a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n", map[string]any{"a": map[string]any{"b": 1.0, "c": 2.0}, "d": map[string]any{"b": 1.0, "c": 3.0}}},
		{"merge of several", "[&x {a: 1}, &y {a: 2, b: 3}, {<<: [*x, *y]}]", []any{map[string]any{"a": 1.0}, map[string]any{"a": 2.0, "b": 3.0}, map[string]any{"a": 1.0, "b": 3.0}}},
		{"merge of a merge", "[&x {a: 1}, &y {<<: *x, b: 2}, {<<: *y}]", []any{map[string]any{"a": 1.0}, map[string]any{"a": 1.0, "b": 2.0}, map[string]any{"a": 1.0, "b": 2.0}}},
		{"merge of its own", "{<<: {a: 1}, b: 2}", map[string]any{"a": 1.0, "b": 2.0}},
		{"the last duplicate merged", "{<<: {a: 1, a: 2}}", map[string]any{"a": 2.0}},
		{"no merge of a scalar", "{<<: a, b: 1}", map[string]any{"b": 1.0}},
		{"a quoted << is a key", "{'<<': {a: 1}}", map[string]any{"<<": map[string]any{"a": 1.0}}},
	} {
		if got := root(c.body).Any(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestEntries(t *testing.T) {
	n := root("base: &base {a: 1, b: 2}\nmine:\n  c: 3\n  <<: [*base, {a: 4, d: 5}]\n  b: 6\n  c: 7\n").Get("mine")
	var got []string
	for _, p := range n.Entries() {
		got = append(got, p.Key.Value+"="+p.Value.Value)
	}
	if want := "c=7 b=6 a=1 d=5"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	for _, p := range n.Entries() {
		if n.Pair(p.Key.Value) != p {
			t.Errorf("Pair and Entries disagree about %s", p.Key.Value)
		}
	}
	if n.Pair("e") != nil || n.Get("e") != nil || n.Get("c").Pair("x") != nil || len(n.Get("c").Entries()) != 0 {
		t.Error("something was found that is not there")
	}
}

// TestBudget unfolds no more than the budget, whoever asks.
func TestBudget(t *testing.T) {
	var b strings.Builder
	b.WriteString("- &a0 {k0: v}\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "- &a%d {k%d: v, l: [*a%d, *a%d], <<: [*a%d, *a%d]}\n", i, i, i-1, i-1, i-1, i-1)
	}
	items := root(b.String()).List()
	last := items[len(items)-1]
	if n := len(last.Entries()); n != 31 {
		t.Errorf("%d entries", n)
	}
	if last.Get("k0").Value != "v" || last.Get("nothing") != nil {
		t.Error("lookup through merges")
	}
	if n := count(root(b.String()).Any()); n > 3*yaml.MaxExpandedNodes {
		t.Errorf("unfolds to %d values", n)
	}
	plain := root("- x\n" + strings.Repeat("- y\n", 2*yaml.MaxExpandedNodes))
	if n := count(plain.Any()); n != 2*yaml.MaxExpandedNodes+2 {
		t.Errorf("a long list without aliases is cut to %d values", n)
	}
}

func count(value any) int {
	n := 1
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			n += count(item)
		}
	case map[string]any:
		for _, item := range value {
			n += count(item)
		}
	}
	return n
}

func TestReaders(t *testing.T) {
	n := root("s: &s text\ni: 1\nb: TRUE\nn:\nl: &l [a, b]\nm: {a: b}\nal: *s\nll: *l\nu: *u\n")
	if s, ok := n.Get("al").Str(); !ok || s != "text" {
		t.Error("a string behind an alias")
	}
	if b, ok := n.Get("b").Bool(); !ok || !b {
		t.Error("a boolean")
	}
	if _, ok := n.Get("i").Bool(); ok {
		t.Error("an int is no boolean")
	}
	if _, ok := n.Get("i").Str(); ok {
		t.Error("an int is no string")
	}
	if len(n.Get("ll").List()) != 2 || n.Get("m").List() != nil {
		t.Error("lists")
	}
	if !n.Get("n").IsNull() || !n.Get("u").IsNull() || n.Get("s").IsNull() || !n.Get("nothing").IsNull() {
		t.Error("nulls")
	}
	if !n.IsMap() || n.IsSeq() || !n.Get("ll").IsSeq() || n.Get("ll").IsMap() {
		t.Error("kinds")
	}
	deep := root("a:\n- b: [x, {c: d}]\n")
	for path, want := range map[string]*yaml.Node{
		"":            deep,
		"a[0]":        deep.Get("a").List()[0],
		"a[0].b[1].c": deep.Get("a").List()[0].Get("b").List()[1].Get("c"),
		"a[0].b[0]":   deep.Get("a").List()[0].Get("b").List()[0],
	} {
		if got := want.Path(); got != path {
			t.Errorf("path %q, want %q", got, path)
		}
	}
}

func TestAt(t *testing.T) {
	body := "# c\nkey: value\nlist:\n  - &x a\n  - {b: [c,d]}\nempty:\n---\nsecond: 'doc'\n"
	tree := yaml.Parse(text.New("", body))
	for _, c := range []struct {
		pos  string // the offset is that of the bar
		want string
	}{
		{"# c\n|key", "key"}, {"ke|y", "key"}, {"key|:", "key"}, {": |value", "value"}, {"value|\n", "value"},
		{"- |&x", "a"}, {"&x| a", "a"}, {"x a|\n", "a"}, {"{|b", "b"}, {"[|c", "c"}, {"c|,", "c"}, {",|d", "d"}, {"d|]", "d"}, {"d]|}", "[c,d]"}, {"empty:|", ""}, {"'do|c'", "'doc'"},
		{"|# c", "key: value\nlist:\n  - &x a\n  - {b: [c,d]}\nempty:"},
	} {
		before, after, _ := strings.Cut(c.pos, "|")
		offset := strings.Index(body, before+after) + len(before)
		if got := tree.Source.Slice(tree.NodeAt(offset).Span); got != c.want {
			t.Errorf("at %s: %q, want %q", c.pos, got, c.want)
		}
	}
	rootAt := func(offset int) *yaml.Node {
		n := tree.NodeAt(offset)
		for n.Parent != nil {
			n = n.Parent
		}
		return n
	}
	if rootAt(strings.Index(body, "second")) != tree.Docs[1].Root {
		t.Error("the wrong document")
	}
	if rootAt(-1) != tree.Docs[0].Root || rootAt(999) != tree.Docs[1].Root {
		t.Error("a document for places outside the text")
	}
}

func TestPairSpan(t *testing.T) {
	tree := yaml.Parse(text.New("", "a: b\nc: &x !t [d,\n  e] # f\ng:\n? h\n{i, j: k}: |\n  l\n\n"))
	want := []string{"a: b", "c: &x !t [d,\n  e]", "g:", "h", "{i, j: k}: |\n  l"}
	for i, p := range tree.Root().Pairs {
		if got := tree.Source.Slice(p.Span()); got != want[i] {
			t.Errorf("%q, want %q", got, want[i])
		}
	}
}

func TestEndless(t *testing.T) {
	for body, want := range map[string]bool{
		"a: &x [b]\nc: *x": false,
		"a: *x":            false,
		"a: &x [b, *x]":    true,
		"a: &x {<<: *x}":   true,
		"- &a x\n" + strings.Repeat("- *a\n", yaml.MaxExpandedNodes/2):                  false,
		"- &a [x, x]\n" + strings.Repeat("- *a\n", yaml.MaxExpandedNodes/2):             true,
		strings.Repeat("- x\n", 2*yaml.MaxExpandedNodes):                                false,
		"- &a {k: v}\n" + strings.Repeat("- {<<: *a}\n", yaml.MaxExpandedNodes) + "- b": true,
	} {
		if got := yaml.Parse(text.New("", body)).HasUnboundedAliases(); got != want {
			t.Errorf("%.40q: %v, want %v", body, got, want)
		}
	}
}

func TestWalk(t *testing.T) {
	var got []string
	yaml.Walk(root("a: &x [b, {c: d}]\ne: *x\nf: {g: h}"), func(n *yaml.Node) bool {
		if n.Kind == yaml.Scalar || n.Kind == yaml.Alias {
			got = append(got, n.Value)
		}
		return n.Path() != "f"
	})
	if want := "a b c d e x f"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
	yaml.Walk(nil, func(*yaml.Node) bool { t.Error("nothing to visit"); return true })
}

package yaml_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// sameAsYAML wants the tree of body, if it is JSON, to be the one that the library
// leads to, which is asked by way of a comment that JSON has not.
func sameAsYAML(t *testing.T, body string) (isJSON bool) {
	t.Helper()
	fast := yaml.ParseJSON(text.New("", body))
	if fast == nil {
		return false
	}
	slow := yaml.Parse(text.New("", body+"\n# so that it is no JSON"))
	if got, want := dump(fast), dump(slow); got != want {
		pos := 0
		for pos < min(len(got), len(want)) && got[pos] == want[pos] {
			pos++
		}
		pos = max(pos-80, 0)
		t.Errorf("%.300q\ngot  …%.160s\nwant …%.160s", body, got[pos:], want[pos:])
	}
	if whole := (text.Span{End: len(body)}); fast.Docs[0].Span != whole || len(fast.Comments) > 0 {
		t.Errorf("%.300q: the document spans %v, comments %v", body, fast.Docs[0].Span, fast.Comments)
	}
	return true
}

// dump is all that a tree says, but for its comments and the spans of documents.
func dump(tree *yaml.Tree) string {
	var b strings.Builder
	for _, doc := range tree.Docs {
		fmt.Fprintln(&b, "document", doc.ExplicitStart, doc.ExplicitEnd)
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			fmt.Fprintln(&b, n.Kind, n.Style, n.Tag, n.Tagged, n.Span, n.Props, n.Anchor, n.Recovered, n.Target != nil, n.Index, placed(n))
			fmt.Fprintf(&b, "%q %d %d\n", n.Value, len(n.Items), len(n.Pairs))
			return true
		})
	}
	for _, p := range tree.Problems {
		fmt.Fprintln(&b, "problem", p)
	}
	return b.String()
}

// placed says how a node hangs on the one around it, and where it does not.
func placed(n *yaml.Node) string {
	switch up := n.Parent; {
	case up == nil:
		return fmt.Sprint("root ", n.Key == nil)
	case up.Kind == yaml.Sequence:
		return fmt.Sprint("item ", n.Key == nil && up.Items[n.Index] == n)
	case n.Key == nil:
		return fmt.Sprint("key ", up.Pairs[n.Index].Key == n)
	default:
		return fmt.Sprint("value ", up.Pairs[n.Index] == n.Key && n.Key.Value == n)
	}
}

// someJSON is what JSON may look like, all of it read by the scanner.
var someJSON = []string{
	`{}`, `[]`, `[[],{},[{}]]`, `{"":""}`, `[null,true,false,"null","true","1"]`,
	`[0,-0,1,-1,10,123456789012345678901234567890,0.5,-0.5e3,1E+5,1e-5,1.50,0e0,1e999]`,
	"\n\n {\"a\" : 1 ,\r\n\t\"b\"\t:\t[\r\t1\r,2]}\r\n \n", "\uFEFF{\"a\": 1}", "\uFEFF\r\n[\r\n]\r\n", "{\"a\"\n:\n1}",
	`["\"\\\/\b\f\n\r\t", "\u0000\u001f\u0041\u00e9\u20AC\uFFFD", "\u0085\u2028\u2029\uFEFF\ufffe\uffff"]`,
	`["\ud83d\ude00", "\uD83D\uDE00x", "\ud83d", "\ude00", "\ud83d\ud83d\ude00", "\ude00\ud83d", "\ud83dx\ude00", "\ud83d\u0041", "\ud83d\\ude00", "\\ud83d\ude00"]`,
	"[\"é\", \"日本語\", \"😀\", \"\x7f\", \"\u0080\u009f\", \"\uFEFFa\uFEFF\", \"a # b\", \"%\", \"'\", \"\uF000\"]", `{"日本": "😀\n"}`,
	`{"a": 1, "a": 2, "b": {"c": 1, "c": {"d": 1, "d": 1}, "c": 3}, "a": 3}`, `{"<<": {"a": 1}, "*x": "&y", "!": "? - :", "<<": 1}`, `{"\u0061": 1, "a": 2}`,
	`[{"a":1},{"b":2}]`, `[[1],[[2],3]]`, `{"a":{"b":[{"c":{}}]}}`,
	`{"` + strings.Repeat("long key ", 300) + `": "` + strings.Repeat("long ", 3000) + `"}`,
	strings.Repeat("[", yaml.MaxDepth) + strings.Repeat("]", yaml.MaxDepth), strings.Repeat(`{"a":`, yaml.MaxDepth-1) + `[]` + strings.Repeat("}", yaml.MaxDepth-1),
	manyKeys(40), evalJSON(),
}

// manyKeys is a mapping with as many keys, of which one is there twice.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\"key %d\": %d,\n", i%(n-1), i)
	}
	return "{" + strings.TrimSuffix(b.String(), ",\n") + "}"
}

// noJSON is what the scanner leaves to others, though some of it looks like JSON.
var noJSON = []string{
	"", " ", "null", `"a"`, "1", "a: 1", "{", "[", `{"a"`, `{"a":`, `{"a":1`, `["a`, `["a\`, `["\u12`, `["\u12"]`, `["\x41"]`, `["\u00g0"]`, `["\u00:0"]`, "[\"a\nb\"]", "[\"a\tb\"]", "[\"\x00\"]",
	`[1 2]`, `[1,]`, `{"a": [1, {"b": 2 , },], }`, "[\"a\"\n,\n]", `[,]`, `[1,,]`, `[,1]`, `{,}`, `{"a":1,,}`, `{"a"}`, `{"a",}`, `{a: 1}`, `{'a': 1}`, `[a]`, `['a']`, `[True]`, `[nul]`, `[nulls]`, `[true1]`, `[NaN]`, `[Infinity]`, `[-]`, `[01]`, `[-01]`, `[1.]`, `[.5]`, `[1.e5]`, `[1e]`, `[1e+]`, `[+1]`, `[0x1F]`, `[1_000]`,
	`{"a":1}}`, `[1]]`, `{"a":1]`, `[1}`, `{"a":1} x`, `{"a":1}{"b":2}`, "[1]\n---\n[2]", "# a\n[1]", "[1] # a", "[1 # a\n]", "[1, // a\n2]", "\t[1]", "[1]\n\t", "\uFEFF\uFEFF[1]", "[\uFEFF1]",
	"[\"\xff\"]", "[\"\xc3\"]", "[\"\xed\xa0\x80\"]", "[\"a\u0085b\"]", "[\"\u2028\"]", "[\"\u2029\"]", "[\"\uFFFE\"]", "[\"\uFFFF\"]", "[\xff]", "{\"a\u2028\": 1}", "[1]\x00", "[\u00a01]",
	strings.Repeat("[", yaml.MaxDepth+1) + strings.Repeat("]", yaml.MaxDepth+1), strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18),
}

func TestJSONIsReadAsTheYAMLItIs(t *testing.T) {
	t.Parallel()
	for _, body := range someJSON {
		if !sameAsYAML(t, body) {
			t.Errorf("%.300q is not taken for JSON", body)
		}
		nest(t, yaml.Parse(text.New("", body)))
	}
	for _, body := range noJSON {
		if tree := yaml.ParseJSON(text.New("", body)); tree != nil {
			t.Errorf("%.300q is taken for JSON", body)
		}
	}
}

// TestJSONLines reads lines as they are read among others, of which one is no JSON.
func TestJSONLines(t *testing.T) {
	t.Parallel()
	lines := []string{`{"a": 1, "a": [2]}`, "  [1] ", "", "\t{\"b\": \"\\ud83d\"}\t", `{"a": {"c": 1, "c": 2}, "b": [}`, `{"a": 1, "a": 2,}`, "\uFEFF{}", "[\"\u2028\"]", `"text"`, "[1] # x", `["é\u00e9"]`}
	for n := range 1 << len(lines) {
		var chosen []string
		for i, line := range lines {
			if n>>i&1 == 1 {
				chosen = append(chosen, line)
			}
		}
		all := strings.Join(chosen, "\n")
		tree := yaml.ParseJSONL(text.New("", all))
		nest(t, tree)
		var got, want []string
		for _, doc := range tree.Docs {
			got = append(got, all[doc.Span.Start:doc.Span.End]+yaml.EncodeJSON(doc.Root, ""))
		}
		problems := 0
		for _, line := range chosen {
			alone := yaml.ParseJSONL(text.New("", line))
			problems += len(alone.Problems)
			if !alone.Root().Span.Empty() {
				want = append(want, line+yaml.EncodeJSON(alone.Root(), ""))
			}
		}
		if len(want) == 0 {
			want = append(want, all+"null")
		}
		if !slices.Equal(got, want) || len(tree.Problems) != problems {
			t.Fatalf("%q\ngot  %q\nwant %q\n%v", all, got, want, tree.Problems)
		}
	}
}

// TestJSONBesidesPrivateUse is the one text that is read otherwise than as YAML,
// which has no escapes for halves of characters: they are read by way of characters
// for private use, which must not be in the text then.
func TestJSONBesidesPrivateUse(t *testing.T) {
	body := "[\"\\ud83d\\ude00\", \"\ue000\"]"
	tree := yaml.Parse(text.New("", body))
	if got := tree.Root().Any(); len(tree.Problems) > 0 || fmt.Sprint(got) != "[😀 \ue000]" {
		t.Errorf("%q, %v", got, tree.Problems)
	}
	if tree := yaml.Parse(text.New("", body+"\n# no JSON")); len(tree.Problems) == 0 {
		t.Error("as YAML it is read as well: there is no difference any more")
	}
}

// TestJSONFiles reads all JSON that there is, lines and texts within texts too.
func TestJSONFiles(t *testing.T) {
	t.Parallel()
	read := 0
	for _, file := range corpustest.All(t, ".json", ".jsonl") {
		for _, body := range append(strings.Split(file.Body, "\n"), file.Body) {
			read += readAllWithin(t, body)
		}
	}
	if read < 100 {
		t.Errorf("only %d texts were JSON", read)
	}
}

// readAllWithin reads body and the texts in it, and counts those that are JSON.
func readAllWithin(t *testing.T, body string) (n int) {
	if tree := yaml.ParseJSON(text.New("", body)); tree != nil {
		yaml.Walk(tree.Root(), func(node *yaml.Node) bool {
			if node.Kind == yaml.Scalar {
				n += readAllWithin(t, node.Value)
			}
			return true
		})
	}
	if sameAsYAML(t, body) {
		n++
	}
	return n
}

// TestJSONAtRandom reads what a program might write, laid out in any way.
func TestJSONAtRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(1500) {
		g := &generator{rand.New(rand.NewPCG(seed, 7)), strings.Builder{}}
		g.collection(5)
		body := g.String()
		if !json.Valid([]byte(body)) {
			t.Fatalf("not even JSON: %q", body)
		}
		if !sameAsYAML(t, body) {
			t.Errorf("%q is not taken for JSON", body)
		}
	}
}

// FuzzJSON wants all that is taken for JSON to be JSON, and to be the YAML it is.
func FuzzJSON(f *testing.F) {
	for _, body := range slices.Concat(someJSON, noJSON) {
		if len(body) < 1<<12 {
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 1<<12 {
			return
		}
		tree := yaml.ParseJSON(text.New("", body))
		if tree == nil {
			return
		}
		clean := []byte(strings.TrimPrefix(body, "\uFEFF"))
		reader := json.NewDecoder(bytes.NewReader(clean))
		reader.UseNumber()
		var want any
		if err := reader.Decode(&want); err != nil || !json.Valid(clean) {
			t.Fatalf("%q is taken for JSON: %v", body, err)
		}
		if got := tree.Root().Exact(); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %v, want %v", body, got, want)
		}
		if !strings.ContainsAny(body, privateUse) && !strings.Contains(strings.ToLower(body), `\ue`) {
			sameAsYAML(t, body)
		}
	})
}

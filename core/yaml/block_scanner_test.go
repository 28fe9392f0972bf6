package yaml_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// sameAsLibrary wants the tree of body, if it is read as a block, to be the one that the
// library leads to, which is asked by way of a comment.
func sameAsLibrary(t *testing.T, body string) (isBlock bool) {
	t.Helper()
	fast := yaml.ParseBlock(text.New("", body))
	if fast == nil {
		return false
	}
	slow := yaml.Parse(text.New("", body+"\n# so that it is none"))
	if got, want := dump(fast), dump(slow); got != want {
		pos := 0
		for pos < min(len(got), len(want)) && got[pos] == want[pos] {
			pos++
		}
		pos = max(pos-80, 0)
		t.Errorf("%.600q\ngot  …%.160s\nwant …%.160s", body, got[pos:], want[pos:])
	}
	if whole := (text.Span{End: len(body)}); fast.Docs[0].Span != whole || len(fast.Docs) > 1 || len(fast.Comments) > 0 {
		t.Errorf("%.300q: the document spans %v, comments %v", body, fast.Docs[0].Span, fast.Comments)
	}
	return true
}

// someBlocks are read by indentation.
var someBlocks = []string{
	"a: 1", "a: 1\n", "a:", "a:\n", "a: \n", "- a", "-", "- ", "-\n-\n", "  a: 1\n  b: 2\n", "\n\n  - a\n\n  - b\n\n",
	"a:\n  b:\n    c: d\n  e: f\ng:\n", "a:\n- b\n- c\nd: e\n", "a:\n  - b\n  - c: d\n    e: f\n  -\n    g: h\n  -\n  - i\nj:\n", "- - a\n  - b\n- c\n-   - d\n    - e: f\n      g:\n      - h\n",
	"- a:\n  b:\n  - c\n  d:\n", "a:\n  b", "a:\n   b: c\n   d: e\nf:\n g: h\n", "a :  b  \nc d  e: f  g\n", "a: 'it''s'\nb: \"c \\\"d\\\" \\u00e9\"\nc: ''\nd: \"\"\n",
	"a: http://b.c:80/d?e=f#g\nb: -1\n", "a: -1\nb: 1.5\nc: 0x1F\nd: ~\ne: null\nf: yes\ng: true\nh: 1e3\ni: .5\nj: 0o7\nk: 2026-01-01\n", "0: a\n5: b\n1.5: c\ntrue: d\nnull: e\n-1: f\n--: g\n",
	"a: |\n  b\n  c\n", "a: |-\n  b\n\n    c\n  d\n\n\ne: |\n  f\n", "- |\n a\n   \n b\n    \n\n- |-\n  c\n   \n\n- d\n", "a:\n  - b: |\n      c\n      # d: e\n      - f\n    g: |-\n     h\n",
	"a: [1, 2]\nb: {\"c\": [true, null, \"d\"]}\nc: []\nd: {}\n", "a: 1\na: 2\nb:\n  c: 1\n  c: 2\n", "a: b#c\n", "é: ü\n日本: 語\n", "a.b-c_d/e(f): g\n", "a: b, c\nd: e ] } , f\n", "a: \x7f\n", "a: =\n=: b\n",
	"a: b\n\n\n\nc: d\n   \n  \n", "a:    \n  b: c\n", "-   a: b\n    c: d\n", strings.Repeat("a: b\n", 3) + "c: d\n",
}

// noBlocks are left to the library, whether they are YAML or not.
var noBlocks = []string{
	"", " ", "\n", "a", "\"a\"", "[1]", "{}", "|\n a\n", "a: b\n# c", "a: b # c", "a: # b\n  c", "# a\nb: c", "a: &b c", "a: *b", "a: !!str b", "&a b: c", "? a\n: b", "a: >\n  b\n", "a: |2\n   b\n", "a: |+\n  b\n", "a: |\n\n  b\n", "a: |\n  b", "a: |\nb: c\n", "a: | \n  b\n",
	"a: b\n  c", "a: b\n  c: d\n", "a:\n  b: c\n d: e\n", "a: b: c\n", "a: b:\n", "a:\n    b\n  c\n", "- a\nb: c\n", "a: b\n- c\n", "a:\n  - b\n c: d\n", "a: 'b\n", "a: 'b''\n", "a: '\n", "a: \"b\n", "a: \"b\" c\n", "a: 'b' c\n", "a: 'b\n  c'\n", "a: [b]\n", "a: [1,]\n", "a: [1,\n  2]\n", "a: [1] b\n", "[1]: a\n", "\"a\": b\n", "'a': b\n",
	"---\na: b\n", "a: b\n---\nc: d\n", "a: b\n...\n", "%YAML 1.2\n---\na: b\n", "a:\tb\n", "a: b\r\nc: d\r\n", "\uFEFFa: b\n", "a: \x00\n", "a: \u2028\n", "<<: a\n", "a: @b\n", "a: `b`\n", "a: %b\n", "a: , b\n", "a: ]\n", ": a\n", "a: ?b\n", "a: :b\n", "- -\n  a\n b\n",
	strings.Repeat("k", 1001) + ": v\n", strings.Repeat("- ", 101) + "a\n",
}

// TestBlocksAreReadAsByTheLibrary and everything else is left to it.
func TestBlocksAreReadAsByTheLibrary(t *testing.T) {
	t.Parallel()
	for _, body := range someBlocks {
		if !sameAsLibrary(t, body) {
			t.Errorf("%q is not read as a block", body)
		}
	}
	for _, body := range noBlocks {
		if yaml.ParseBlock(text.New("", body)) != nil {
			t.Errorf("%.100q is read as a block", body)
		}
	}
}

// TestBlockFiles reads all texts that there are, whole and by paragraphs and items, for
// what is read as a block.
func TestBlockFiles(t *testing.T) {
	t.Parallel()
	read := 0
	for _, file := range corpustest.All(t, ".yaml", ".yml", ".md", ".txtar", "_test.go") {
		body := file.Body
		if sameAsLibrary(t, body) {
			read++
		}
		for from, line := 0, 0; line < len(body); line++ {
			if body[line] != '\n' || line+1 < len(body) && body[line+1] != '\n' && body[line+1] != '-' {
				continue
			}
			if sameAsLibrary(t, body[from:line]) {
				read++
			}
			from = line + 1
		}
	}
	if read < 100 {
		t.Errorf("only %d texts were blocks", read)
	}
	t.Log(read)
}

// TestBlocksAtRandom reads texts of what blocks are made of, most of which are none.
func TestBlocksAtRandom(t *testing.T) {
	t.Parallel()
	content := []string{"a: ", "b:", "c", "- ", "-", "\n", "\n", "\n", "\n  ", "\n    ", "\n ", " ", "|", "|-", "'", "''", "\"", "[1]", "{\"d\": 2}", ":", "#", "1", "e: f", "k: |\n", "~"}
	read := 0
	for seed := range uint64(30000) {
		random := rand.New(rand.NewPCG(seed, 3))
		var body strings.Builder
		for range 1 + random.IntN(14) {
			body.WriteString(content[random.IntN(len(content))])
		}
		if sameAsLibrary(t, body.String()) {
			read++
		}
		if t.Failed() {
			return
		}
	}
	if read < 1000 {
		t.Errorf("only %d texts were blocks", read)
	}
}

// FuzzBlock wants whatever is read as a block to be the tree that the library leads to.
func FuzzBlock(f *testing.F) {
	for _, body := range append(someBlocks, noBlocks...) {
		if len(body) < 1<<12 {
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) < 1<<12 {
			sameAsLibrary(t, body)
		}
	})
}

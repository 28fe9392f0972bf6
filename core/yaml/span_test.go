package yaml_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/corpustest"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// nasty are places where spans go wrong most easily.
var nasty = []string{
	"a: b", "a:\n  b:\n", "- \n-\n- c", "? a\n: b\n? c\n", "? - a\n  - b\n: - c", ": a", "",
	"a: b # c", "a: b #c\n#d\n  #e", "a: b#c", "# only", "a: 'b # c' # d", "a: [b, # c\n  d] # e", "a: | # b\n  c # d\n# e",
	"a: plain\n  over\n\n  lines  \nb: c", "a: x  y\tz\nb: c", "a: b\n c\n\n\n d\n", "a:\n  b c\n  d\n",
	`a: "q\"\\" `, "a: \"q\n  r\\\n   s\"", "a: 'it''s'", "a: '''' ", "'a': \"b\"", "a: ''\nb: \"\"",
	"a: |\n  b\n   c\n\n d: e", "a: |\n  b\n   c\n\nd: e", "a: |-\n  b\n", "a: |+\n  b\n\n\nc: d", "a: |+\n\n\nc: d", "a: |\nb: c", "a: >2\n    b\n   c\n  d", "a: |1-\n  b\n c\n", "- |2\n    b\n- >-\n  c\n", "|\n a\n b", "--- |\n a", "- - |\n   a\n   b\n  - c", "a: |\n  b", "a: >\n\n\n  b\n    c\n  d\n", "a:\n- |\n b\n- c",
	"a: [b, c]", "a: [ b , c , ]", "a: [[b], [c, [d]]]", "a: {b: c, d: {e: f}}", "a: {b, c: , d:}", "a: []\nb: {}", "[a: b, c]", "[{a: b}: c]", "[? a : b]", "{? a, b}", "{?}", "[?, a]", "[a, [b: c]]", "{\"a\":1,\"b\":[2]}", "a: [b,\n  c,\n  d\n]", "{a: 'b', \"c\": d, 'e':f}", "[\"a\":b]", "a: [b, {c: d}: e]",
	"a: &x b\nc: *x", "&a b: &c d", "a: &x\n  b: c", "&x\na: b", "- &x a\n- *x", "a: !t b", "a: !!str 1", "a: !<tag:x,y> b", "a: &x !t b\nc: !t &y d", "a: !t\n  - b", "a: !t &x\nb: &y", "a: !\nb: ! c", "*x : a", "{*x : a}", "[*x, *y]", "a: &x # b\n  c", "--- !t &x\na: b",
	"a: b\r\nc: |\r\n  d\r\n  e\r\nf: g\r\n", "a: b\rc: d\r", "a: |\r  b\r  c\rd: e", "\uFEFFa: b", "\uFEFF# c\na: b", "\uFEFF\uFEFFa: b\nc: d", " \uFEFFa: b", "a: b\n\uFEFFc: d\n\uFEFF  e: f", "--- \uFEFFa", "[\uFEFFa, b]", "a: \U0001F600 b\nc: 'é'", "é: \U0001F600\n日本: 語",
	"a: x\u2028y\nb: c", "a: x\u0085y\nb: |\n  c\u2029d\ne: f", "a: \xff\nb: c\x00d", "a: \"\xc3\x28\"",
	"---\na\n---\nb\n...\n---\nc", "a\n...\n", "%YAML 1.2\n---\na: b", "%TAG !e! tag:e,1:\n---\n!e!x a", "---\n---\n", "--- a\n--- 'b'\n--- [c]", "# a\n---\n# b\nc: d\n# e\n...\n# f\n---\n# g\n",
	"- - - a\n    - b\n  - c\n- d", "- a: b\n  c: d\n-   e: f\n    g: h", "-\n  a: b\n-\n  - c", "a:\n- b\n- c\nd:\n  - e",
	"a: -1\nb: - \n", "a: http://x/y:z#w", "a: b: c", "a:b: c", "a?: ?b\n-c: -d", "a: '\n  b\n\n  c '", "\"a b\": c\n'd e' : f", "? |\n  a\n: b", "? >-\n  a\n: |\n  b\nc: d",
}

func TestNastySpans(t *testing.T) {
	for _, body := range nasty {
		t.Run(body, func(t *testing.T) {
			tree := yaml.Parse(text.New("", body))
			nest(t, tree)
			reread(t, tree)
		})
	}
}

func TestCorpusSpans(t *testing.T) {
	files, scalars := corpustest.Files(t, "", ".jsonl", ".yaml", ".yml"), 0
	for _, file := range files {
		parse := yaml.Parse
		if filepath.Ext(file.Path) == ".jsonl" {
			parse = yaml.ParseJSONL
		}
		for _, ending := range []string{"\n", "\r\n", "\r"} {
			tree := parse(text.New(file.Path, strings.ReplaceAll(file.Body, "\n", ending)))
			nest(t, tree)
			scalars += reread(t, tree)
			for _, p := range tree.Problems {
				if p.Kind == yaml.SyntaxProblem {
					t.Errorf("%s: %v", file.Path, p)
				}
			}
		}
	}
	t.Logf("%d scalars of %d files read the same by themselves", scalars, len(files))
}

// reread parses every scalar's text by itself and wants the same value. Every value is somewhere.
func reread(t *testing.T, tree *yaml.Tree) int {
	t.Helper()
	count := 0
	for _, doc := range tree.Docs {
		yaml.Walk(doc.Root, func(n *yaml.Node) bool {
			if n.Kind == yaml.Scalar && n.Value != "" && n.Span.Empty() {
				t.Errorf("%q is nowhere", n.Value)
			}
			if n.Kind != yaml.Scalar || n.Span.Empty() || n.Value == "-" || n.Value == "?" {
				return true
			}
			count++
			alone := yaml.Parse(text.New("", standIn(tree, n))).Root()
			if alone.IsMap() {
				alone = alone.Get("k")
			}
			if alone.Value != n.Value || alone.Style != n.Style || !n.Tagged && alone.Tag != n.Tag {
				t.Errorf("%q is %q, but by itself %q", tree.Source.Slice(n.Span), n.Value, alone.Value)
			}
			return true
		})
	}
	return count
}

// standIn is a document with nothing but n. A block scalar stands under a key
// as deep as the block it came from.
func standIn(tree *yaml.Tree, n *yaml.Node) string {
	content := tree.Source.Slice(n.Span)
	if n.Style != yaml.Literal && n.Style != yaml.Folded {
		return " " + content // a space, for `---` is a document's start only at a line's
	}
	if n.Span.End < len(tree.Source.Body) {
		content += tree.Source.Body[n.Span.End : n.Span.End+1] // the line's own end
	}
	if n.Parent == nil {
		return content
	}
	line := tree.Source.LineSpan(tree.Source.OffsetLine(n.Parent.Span.Start))
	column := n.Parent.Span.Start - line.Start
	return strings.Repeat(" ", column) + "k: " + content
}

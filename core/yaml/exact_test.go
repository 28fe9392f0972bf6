package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// TestExactSpans draws what every span covers: scalars in order, each with its
// properties; `^` and an offset for an absent one. Collections follow after a
// bar, comments after another.
func TestExactSpans(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"pairs", "a: b\nc: d\n", "a|b|c|d # a: b\nc: d"},
		{"absent value", "a:\nb:  \nc:", "a|^2|b|^5|c|^10 # a:\nb:  \nc:"},
		{"absent items", "-\n- \n- a", "^1|^3|a # -\n- \n- a"},
		{"absent key", "? \n: a", "^1|a # ? \n: a"},
		{"key alone", "? a\n? b\n", "a|^3|b|^7 # ? a\n? b"},
		{"absent in brackets", "{a, b: , c:}", "a|^2|b|^6|c|^11 # {a, b: , c:}"},
		{"absent with an anchor", "a: &x\nb: !!str", "a|&x ^5|b|!!str ^14 # a: &x\nb: !!str"},
		{"plain over lines", "a: b\n  c\n\n  d \ne: f", "a|b\n  c\n\n  d|e|f # a: b\n  c\n\n  d \ne: f"},
		{"literal", "a: |\n  b\n   c\n\nd: e", "a||\n  b\n   c|d|e # a: |\n  b\n   c\n\nd: e"},
		{"literal that keeps", "a: |+\n  b\n\nd: e", "a||+\n  b\n|d|e # a: |+\n  b\n\nd: e"},
		{"literal without text", "a: |-\nb: c", "a||-|b|c # a: |-\nb: c"},
		{"folded with indent", "a: >2-\n   b\n  c\n", "a|>2-\n   b\n  c # a: >2-\n   b\n  c"},
		{"quotes", `"a" : 'it''s'`, `"a"|'it''s' # "a" : 'it''s'`},
		{"brackets", "a: [ b, {c: d} , ]", "a|b|c|d # a: [ b, {c: d} , ] # [ b, {c: d} , ] # {c: d}"},
		{"lone pair in a list", "[a: b, {c: d}: e]", "a|b|c|d|e # [a: b, {c: d}: e] # a: b # {c: d}: e # {c: d}"},
		{"block in block", "a:\n  - b: c\n    d: e\n  - f\ng: h", "a|b|c|d|e|f|g|h # a:\n  - b: c\n    d: e\n  - f\ng: h # - b: c\n    d: e\n  - f # b: c\n    d: e"},
		{"properties", "&m !t\na: &x !!str b\nc: !u &y\n  - *x", "a|&x !!str b|c|*x # &m !t a: &x !!str b\nc: !u &y\n  - *x # !u &y - *x"},
		{"comments", "# 1\na: b # 2\n# 3\nc: [d, # 4\n  e] # 5\nf: | # 6\n  # text\n # 7\ng: 'h # text' #8\n#9", "a|b|c|d|e|f|| # 6\n  # text|g|'h # text' # a: b # 2\n# 3\nc: [d, # 4\n  e] # 5\nf: | # 6\n  # text\n # 7\ng: 'h # text' # [d, # 4\n  e] ## # 1|# 2|# 3|# 4|# 5|# 6|# 7|#8|#9"},
		{"no comments", "a: b#c\nd: 'e #f'\ng: \"h #i\"\nj: http://k#l", "a|b#c|d|'e #f'|g|\"h #i\"|j|http://k#l # a: b#c\nd: 'e #f'\ng: \"h #i\"\nj: http://k#l"},
		{"astral", "😀: 日本 # é\n\"é\": 😀", "😀|日本|\"é\"|😀 # 😀: 日本 # é\n\"é\": 😀 ## # é"},
		{"crlf", "a: b # c\r\nd: |\r\n  e\r\n  f\r\n", "a|b|d||\r\n  e\r\n  f # a: b # c\r\nd: |\r\n  e\r\n  f ## # c"},
		{"lone cr", "a: b # c\rd: |\r  e\r  f\rg: 'h\r  i'\r", "a|b|d||\r  e\r  f|g|'h\r  i' # a: b # c\rd: |\r  e\r  f\rg: 'h\r  i' ## # c"},
		{"byte order mark before a comment", "\uFEFF# c\n- a", "a # - a ## # c"},
		{"byte order mark", "\uFEFFa: b", "a|b # a: b"},
		{"separators are text", "a: b\u2028c\u2029d\u0085e\nf: g", "a|b\u2028c\u2029d\u0085e|f|g # a: b\u2028c\u2029d\u0085e\nf: g"},
		{"broken bytes", "a: b\xffc\nd: \x01e", "a|b\xffc|d|\x01e # a: b\xffc\nd: \x01e"},
	} {
		tree := yaml.Parse(text.New("", c.body))
		if got := drawn(tree); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func drawn(tree *yaml.Tree) string {
	var scalars, collections, comments []string
	yaml.Walk(tree.Root(), func(n *yaml.Node) bool {
		content := tree.Source.Slice(n.Span)
		if n.Span.Empty() {
			content = fmt.Sprintf("^%d", n.Span.Start)
		}
		if !n.Props.Empty() {
			content = tree.Source.Slice(n.Props) + " " + content
		}
		if n.Kind == yaml.Mapping || n.Kind == yaml.Sequence {
			collections = append(collections, content)
		} else {
			scalars = append(scalars, content)
		}
		return true
	})
	out := strings.Join(scalars, "|") + " # " + strings.Join(collections, " # ")
	for _, c := range tree.Comments {
		comments = append(comments, tree.Source.Slice(c.Span))
	}
	if comments != nil {
		out += " ## " + strings.Join(comments, "|")
	}
	return out
}

func TestValuesAreWhole(t *testing.T) {
	for body, want := range map[string]string{
		"a\u2028b\u0085c\u2029d":             "a\u2028b\u0085c\u2029d",
		"|\n a\u2028b\n c":                   "a\u2028b\nc",
		"a\xffb\xc3":                         "a\uFFFDb\uFFFD",
		"'a\x00b'":                           "a\uFFFDb",
		"a\uFFFEb\x7F\x01":                   "a\uFFFDb\x7F\x7F",
		`"\ud83d\ude00"`:                     "😀",
		`"\uD83D\uDE00!\u00e9"`:              "😀!é",
		`"\ud83d"`:                           "\uFFFD",
		`"\ude00\ud83dx\ud83d\ud83d\ude00"`:  "\uFFFD\uFFFDx\uFFFD😀",
		`"\\ud83d"`:                          `\ud83d`,
		`'\ud83d'`:                           `\ud83d`,
		`\uD83D\uDE00 \\ud83d`:               `\uD83D\uDE00 \\ud83d`,
		"|\n  {\"a\": \"\\uD83d\\ude00\"}\n": "{\"a\": \"\\uD83d\\ude00\"}\n",
		"\uFEFF# c\n\"\uFEFFa\"":             "\uFEFFa",
		"\"\\ud83d\\ude00\uE000\"":           "", // both areas in use: a problem, not a mix-up
	} {
		tree := yaml.Parse(text.New("", body))
		if got := tree.Root().Value; got != want {
			t.Errorf("%q is %q, want %q", body, got, want)
		}
	}
}

func TestCommentText(t *testing.T) {
	tree := yaml.Parse(text.New("", "#a\n# b\n#  c \nd: e # \xff\n#"))
	want := []string{"a", "b", " c ", "\xff", ""}
	for i, c := range tree.Comments {
		if c.Text != want[i] {
			t.Errorf("comment %q, want %q", c.Text, want[i])
		}
	}
	if len(tree.Comments) != len(want) {
		t.Errorf("%d comments", len(tree.Comments))
	}
}

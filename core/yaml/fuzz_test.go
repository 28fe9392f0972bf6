// Much, one thing after another: the race detector is ten times as long over it and has
// nothing to see.

//go:build !race

package yaml_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// FuzzParse wants of any text: an answer, at least one
// document, and spans that nest and lie inside the text.
func FuzzParse(f *testing.F) {
	for _, body := range nasty {
		f.Add(body)
	}
	for _, body := range []string{
		"- id: a\n  expec\n  rubrics: [x]\n- id: b", "a: \"b\nc: d\n", "a: [b\nc: d", "<<<<<<< a\nb: c\n=======\n>>>>>>> d",
		"\ta: b\n- c", "a: &a [*a, *b]\nc: {<<: *a, <<: d}", "[[[[[[", "a:\n - b\n  - c\n d", "\"\\ud83d\\ude00\\ud83d\"", "%YAML 1.3\n%X\n--- |\n%",
		"? ? ? a\n: : b", "a: |\n  \n b\n", "- - - \"x\n    y", "{a: [b}, c]", "a\r\nb: \"c\r\n\r\n", "...\n---\n...", "a: 'b\n--- c", "{\"a\": [1,\n {\"b\": \"c", "- a\nb: c\n- d\ne: f", "- - @a\n    b\n    \"c", "{a: b}: c\nd", "\uFEFF\uFEFFa: \uFEFFb",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 1<<11 {
			return
		}
		src := text.New("", body)
		for _, tree := range []*yaml.Tree{yaml.Parse(src), yaml.ParseJSONL(src)} {
			nest(t, tree)
			for _, doc := range tree.Docs {
				doc.Root.Any()
				if !json.Valid([]byte(yaml.EncodeJSON(doc.Root, ""))) {
					t.Fatalf("not JSON: %s", yaml.EncodeJSON(doc.Root, ""))
				}
				for _, p := range doc.Root.Entries() {
					doc.Root.Get(p.Key.Value)
				}
			}
			for offset := range len(body) + 1 {
				if tree.NodeAt(offset) == nil {
					t.Fatalf("nothing at %d", offset)
				}
			}
		}
	})
}

// FuzzTypedLine types any one line into a case and wants all other cases as they
// are, by their values and places.
func FuzzTypedLine(f *testing.F) {
	for _, content := range snippets(f) {
		f.Add(content)
	}
	body := evalFile()
	whole := yaml.Parse(text.New("", body))
	f.Fuzz(func(t *testing.T, content string) {
		if len(content) > 1<<8 || strings.ContainsAny(content, "\r\n") {
			return
		}
		content = "    " + content
		broken, span := typed(body, "    question", content)
		tree := yaml.Parse(text.New("", broken))
		nest(t, tree)
		span.End++
		if kind, detail := (edited{whole, tree, span}).damage(); kind == "file" {
			t.Errorf("%s\n%v", detail, tree.Problems)
		}
	})
}

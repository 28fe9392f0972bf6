package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// edited is a text, its unbroken form, and what was typed into it.
type edited struct {
	whole, broken *yaml.Tree
	span          text.Span // of what was typed and the line break after it
}

// damage says what a tree lacks of the unbroken one, values and places alike:
// "" for nothing but what was typed, "case" for parts of the broken case,
// "file" for more than that.
func (e edited) damage() (kind, detail string) {
	was, is := e.whole.Root(), e.broken.Root()
	for _, p := range was.Pairs {
		if key := p.Key.Value; key != "cases" {
			if detail := e.differs(p.Value, is.Get(key)); detail != "" {
				return "file", detail
			}
		}
	}
	before, after := was.Get("cases").List(), is.Get("cases").List()
	if len(after) != len(before) {
		return "file", fmt.Sprintf("%d cases", len(after))
	}
	for i := range before {
		if i == brokenAt {
			continue
		}
		if detail := e.differs(before[i], after[i]); detail != "" {
			return "file", detail
		}
	}
	for _, p := range before[brokenAt].Pairs {
		if detail := e.differs(p.Value, after[brokenAt].Get(p.Key.Value)); detail != "" {
			return "case", detail
		}
	}
	return "", ""
}

// differs names the first difference between a node of the unbroken tree and
// what it is in the broken one, "" if only its place has moved along.
func (e edited) differs(was, is *yaml.Node) string {
	switch {
	case is == nil:
		return was.Path() + " is missing"
	case is.Kind != was.Kind || is.Style != was.Style || is.Tag != was.Tag || is.Value != was.Value:
		return fmt.Sprintf("%s is %s %q, not %s %q", was.Path(), is.Tag, is.Value, was.Tag, was.Value)
	case is.Span != e.moved(was.Span):
		return fmt.Sprintf("%s is %q", was.Path(), e.broken.Source.Slice(is.Span))
	case is.Recovered:
		return was.Path() + " is marked as recovered"
	case len(is.Items) != len(was.Items) || len(is.Pairs) != len(was.Pairs):
		return fmt.Sprintf("%s has %d entries", was.Path(), len(is.Items)+len(is.Pairs))
	}
	for i, item := range was.Items {
		if detail := e.differs(item, is.Items[i]); detail != "" {
			return detail
		}
	}
	for i, p := range was.Pairs {
		for _, detail := range []string{e.differs(p.Key, is.Pairs[i].Key), e.differs(p.Value, is.Pairs[i].Value)} {
			if detail != "" {
				return detail
			}
		}
	}
	return ""
}

// moved is where a span of the unbroken text is in the broken one.
func (e edited) moved(span text.Span) text.Span {
	if span.Start >= e.span.Start {
		return span.Shift(e.span.Len())
	}
	return span
}

var typedBefore = []string{"    expected_outcome", "    question", "    rubrics", "    note", "    threshold"}

func TestHalfTyped(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	body := evalFile()
	whole := yaml.Parse(text.New("", body))
	total, exact := 0, 0
	for _, key := range typedBefore {
		for _, content := range snippets(t) {
			broken, span := typed(body, key, content)
			tree := yaml.Parse(text.New("", broken))
			span.End++
			kind, detail := edited{whole, tree, span}.damage()
			total++
			switch kind {
			case "":
				exact++
			case "file":
				t.Errorf("%q before %s: lost more than the case: %s\n%v", content, key, detail, tree.Problems)
			default:
				t.Logf("%q before %s: %s\n%v", content, key, detail, tree.Problems)
			}
		}
	}
	t.Logf("%d of %d lost only what was typed", exact, total)
	if exact*100 < total*98 {
		t.Errorf("only %d of %d lost no more than what was typed", exact, total)
	}
}

// TestHalfTypedAnyEnding does not mind how lines end.
func TestHalfTypedAnyEnding(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	body := evalFile()
	for name, write := range map[string]func(string) string{
		"CRLF":            func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"lone CR":         func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
		"byte order mark": func(s string) string { return "\uFEFF" + s },
		"astral":          func(s string) string { return strings.ReplaceAll(s, "second", "😀\u2028") },
	} {
		whole := yaml.Parse(text.New("", write(body)))
		for i, content := range snippets(t) {
			key := typedBefore[i%len(typedBefore)]
			if key == "    rubrics" {
				continue
			}
			broken, span := typed(body, key, content)
			written := text.Span{Start: len(write(broken[:span.Start])), End: len(write(broken[:span.End]))}
			tree := yaml.Parse(text.New("", write(broken)))
			nest(t, tree)
			written.End = len(write(broken[:span.End+1]))
			if kind, detail := (edited{whole, tree, written}).damage(); kind != "" {
				t.Errorf("%s: %q before %s: lost more than the typed line: %s\n%v", name, content, key, detail, tree.Problems)
			}
		}
	}
}

// TestConflict keeps both sides of a merge conflict, as if its markers were not
// there.
func TestConflict(t *testing.T) {
	body := evalFile()
	whole := yaml.Parse(text.New("", body))
	for _, content := range []string{
		"<<<<<<< HEAD\n    mine: 1\n=======\n    theirs: 2\n>>>>>>> branch",
		"<<<<<<< HEAD\n    mine: 1\n||||||| base\n    base: 0\n=======\n    theirs: 2\n>>>>>>> branch",
		"<<<<<<< HEAD\n=======\n    mine: [1,\n      2]\n    theirs: 2\n>>>>>>> branch",
	} {
		broken, span := typed(body, "    question", content)
		tree := yaml.Parse(text.New("", broken))
		span.End++
		if kind, detail := (edited{whole, tree, span}).damage(); kind != "" {
			t.Errorf("%q: lost more than the markers: %s", content, detail)
		}
		in := tree.Root().Get("cases").List()[brokenAt]
		if in.Get("mine") == nil || in.Get("theirs") == nil {
			t.Errorf("%q: a side is missing", content)
		}
		for _, p := range tree.Problems {
			if p.Message != "a merge conflict is not resolved here" {
				t.Errorf("%q: %s", content, p.Message)
			}
		}
	}
}

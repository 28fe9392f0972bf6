package yaml_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

const kB = 1 << 10

// hostile texts made some YAML reader run for minutes or out of memory.
var hostile = []struct {
	name, body string
	want       yaml.ProblemKind // "" for none
}{
	{"brackets", strings.Repeat("[", 100*kB), yaml.DepthProblem},
	{"braces", strings.Repeat("{", 100*kB), yaml.DepthProblem},
	{"braces with keys", strings.Repeat("{a: ", 50*kB), yaml.DepthProblem},
	{"closed brackets", strings.Repeat("[", 5*kB) + strings.Repeat("]", 5*kB), yaml.DepthProblem},
	{"closing brackets", strings.Repeat("]", 100*kB), yaml.SyntaxProblem},
	{"bracket lines", strings.Repeat("[\n", 50*kB), yaml.DepthProblem},
	{"dashes", strings.Repeat("- ", 100*kB), yaml.DepthProblem},
	{"keys in one line", strings.Repeat("a: ", 100*kB), yaml.SyntaxProblem},
	{"question marks", strings.Repeat("? ", 100*kB), yaml.DepthProblem},
	{"colons", strings.Repeat(": ", 100*kB), yaml.DepthProblem},
	{"deep keys", deep(1500, "a:"), yaml.DepthProblem},
	{"deep dashes", deep(1500, "-"), yaml.DepthProblem},
	{"quotes", strings.Repeat("\"", 100*kB+1), yaml.SyntaxProblem},
	{"apostrophes", strings.Repeat("'", 100*kB+1), yaml.SyntaxProblem},
	{"anchors", strings.Repeat("&a ", 50*kB), yaml.SyntaxProblem},
	{"aliases", "- &a x\n" + strings.Repeat("- *a\n", 50*kB), yaml.ExpansionBudget},
	{"unknown aliases", strings.Repeat("- *a\n", 20*kB), yaml.UnknownAlias},
	{"tags", strings.Repeat("!a ", 50*kB), yaml.SyntaxProblem},
	{"billion laughs", laughs(12, "[%s]"), yaml.ExpansionBudget},
	{"billion keys", laughs(12, "{<<: [%s]}"), yaml.ExpansionBudget},
	{"a line of a megabyte", "a: " + strings.Repeat("word ", 200*kB), ""},
	{"a broken line of a megabyte", "a: \"" + strings.Repeat("word ", 200*kB), yaml.SyntaxProblem},
	{"json in one line", "[" + strings.Repeat(`{"a": [1, 2, {"b": "c"}]}, `, 10*kB) + "1]", ""},
	{"broken json in one line", "[" + strings.Repeat(`{"a": [1, 2, {"b": "c"}]}, `, 10*kB) + "{]", yaml.SyntaxProblem},
	{"one key many times", strings.Repeat("a: 1\n", 50*kB), yaml.DuplicateKey},
	{"comments", strings.Repeat("# a\n", 100*kB), ""},
	{"documents", strings.Repeat("---\n", 20*kB), ""},
	{"blank lines", strings.Repeat("\n", 500*kB), ""},
	{"control characters", strings.Repeat("\x00\x01", 50*kB), yaml.EncodingProblem},
	{"bytes", strings.Repeat("\xff\x80\xc0", 30*kB), yaml.EncodingProblem},
	{"every item broken", strings.Repeat("- id: \"a\n  b: c\n", 2000), yaml.SyntaxProblem},
	{"every line broken", strings.Repeat("a b\n", 20*kB) + "c: d", yaml.SyntaxProblem},
	{"tabs", strings.Repeat("\t", 100*kB) + "a: b", yaml.SyntaxProblem},
	{"carriage returns", strings.Repeat("a: [\r", 1000), yaml.SyntaxProblem},
	{"percent signs", strings.Repeat("%\n", 50*kB), yaml.SyntaxProblem},
	{"block scalar headers", strings.Repeat("|\n", 50*kB), ""},
}

// deep is n lines, each one column deeper.
func deep(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + line + "\n")
	}
	return b.String()
}

// laughs is levels of anchors, each with ten aliases to the one before.
func laughs(levels int, ten string) string {
	var b strings.Builder
	b.WriteString("a0: &a0 {k: lol}\n")
	for i := 1; i < levels; i++ {
		fmt.Fprintf(&b, "a%d: &a%d "+ten+"\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return b.String()
}

// TestHostile: that these finish is the test; what they are found to be is
// asserted besides.
func TestHostile(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := yaml.Parse(text.New("", c.body))
			nest(t, tree)
			tree.Root().Any()
			tree.Root().Entries()
			if c.want != "" && !hasProblem(tree, c.want) {
				t.Errorf("no %s among %d problems", c.want, len(tree.Problems))
			}
			if c.want == "" && len(tree.Problems) > 0 {
				t.Errorf("problems: %v", tree.Problems[0])
			}
			// Lines are read one by one, so that a part of them says as much.
			nest(t, yaml.ParseJSONL(text.New("", c.body[:min(len(c.body), 32*kB)])))
		})
	}
}

// TestTooDeep leaves out what is nested too deep, by indentation or in brackets,
// and keeps what is around it.
func TestTooDeep(t *testing.T) {
	var steps strings.Builder
	for i := range yaml.MaxDepth + 200 {
		steps.WriteString(strings.Repeat(" ", i+1) + "k:\n")
	}
	for name, deep := range map[string]string{
		"by indentation": "\n" + steps.String(),
		"and back":       "\n" + steps.String() + "  z: 3\n",
		"in brackets":    " " + strings.Repeat("[", yaml.MaxDepth+200) + strings.Repeat("]", yaml.MaxDepth+200) + "\n",
		"dashes":         "\n" + strings.Repeat("- ", yaml.MaxDepth+200) + "x\n",
	} {
		tree := yaml.Parse(text.New("", "a: 1\nb:"+deep+"c: 2\n"))
		nest(t, tree)
		if !hasProblem(tree, yaml.DepthProblem) || tree.Root().Get("a").Any() != 1.0 || tree.Root().Get("c").Any() != 2.0 {
			t.Errorf("%s: %v", name, tree.Problems)
		}
	}
}

// TestLarge loses one line of ten megabytes.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const cases = 2500
	one := "- id: x\n  transcript: |\n" + strings.Repeat("    What was said in the course of a long conversation, line by line.\n", 60)
	half := strings.Repeat(one, cases/2)
	whole := text.Span{Start: len(half), End: len(half) + len("  foo: \"bar")}
	tree := yaml.Parse(text.New("", half+"  foo: \"bar\n"+half))
	if n := len(tree.Root().List()); n != cases || len(tree.Source.Body) < 10<<20 {
		t.Errorf("%d of %d cases are left of %d bytes", n, cases, len(tree.Source.Body))
	}
	if len(tree.Problems) != 1 || !whole.Contains(tree.Problems[0].Span) {
		t.Errorf("problems %v, want one in %v", tree.Problems, whole)
	}
}

func TestTooLarge(t *testing.T) {
	tree := yaml.Parse(text.New("", strings.Repeat("a", yaml.MaxBytes+1)))
	if !hasProblem(tree, yaml.TooLargeProblem) || !tree.Root().IsNull() {
		t.Errorf("problems %v", tree.Problems)
	}
}

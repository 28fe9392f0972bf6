package yaml_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

const (
	caseCount = 20
	brokenAt  = 10 // the case that is typed into
)

// evalFile is an eval file of twenty cases, each with every shape of value.
func evalFile() string {
	var b strings.Builder
	b.WriteString("description: twenty cases # a comment\nversion: \"1.0\"\ncases:\n")
	for i := range caseCount {
		fmt.Fprintf(&b, `  - id: case-%d
    expected_outcome: "Says that it's %d, no more"
    question: What is %d?
    content: |
      First line: of text

      - second "line"
    rubrics:
      - id: first
        weight: 2
        expected_outcome: 'names "the" number'
      - plain rubric
    tags: [a, "b", {c: d}]
    note: >-
      folded
      text
    reference_answer: "it is %d"
    threshold: 0.%d
`, i, i, i, i, i+1)
	}
	b.WriteString("execution:\n  target: default\n  evaluators:\n    - name: judge\n      type: llm\n")
	return b.String()
}

// typed puts words before the line that starts with key in the broken case.
func typed(body, key, words string) (string, text.Span) {
	at := strings.Index(body, fmt.Sprintf("- id: case-%d\n", brokenAt))
	at += strings.Index(body[at:], "\n"+key) + 1
	return body[:at] + words + "\n" + body[at:], text.Span{Start: at, End: at + len(words)}
}

func snippets(t *testing.T) []string {
	t.Helper()
	file, err := os.ReadFile("../../testdata/yaml/halftyped.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && line[0] != '#' {
			all = append(all, strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(line))
		}
	}
	if len(all) < 100 {
		t.Fatalf("only %d snippets", len(all))
	}
	return all
}

// damage says what a tree lacks of the unbroken file: "" for nothing but what
// was typed, "case" for parts of the broken case, "file" for more than that.
func damage(whole, broken any) (kind, detail string) {
	was, is := asMap(whole), asMap(broken)
	for key, value := range was {
		if key != "cases" && !reflect.DeepEqual(value, is[key]) {
			return "file", fmt.Sprintf("%s is %v", key, is[key])
		}
	}
	before, _ := was["cases"].([]any)
	after, _ := is["cases"].([]any)
	if len(after) != len(before) {
		return "file", fmt.Sprintf("%d cases", len(after))
	}
	for i := range before {
		if i != brokenAt && !reflect.DeepEqual(before[i], after[i]) {
			return "file", fmt.Sprintf("case %d is %v", i, after[i])
		}
	}
	for key, value := range asMap(before[brokenAt]) {
		if got := asMap(after[brokenAt])[key]; !reflect.DeepEqual(value, got) {
			return "case", fmt.Sprintf("%s is %v", key, got)
		}
	}
	return "", ""
}

func asMap(value any) map[string]any {
	m, _ := value.(map[string]any)
	return m
}

func TestHalfTypedWithHint(t *testing.T) {
	body := evalFile()
	whole := yaml.Parse(text.New("", body)).Root().Any()
	for _, key := range []string{"    expected_outcome", "    question", "    rubrics", "    note", "    threshold"} {
		for _, words := range snippets(t) {
			if key == "    rubrics" && strings.HasPrefix(words, "      ") {
				continue // text of the block scalar above it: nothing is broken
			}
			t.Run(strings.TrimSpace(key)+"/"+words, func(t *testing.T) {
				broken, span := typed(body, key, words)
				tree := yaml.ParseEdited(text.New("", broken), span)
				if kind, detail := damage(whole, tree.Root().Any()); kind != "" {
					t.Errorf("lost more than the typed line: %s\n%v", detail, tree.Problems)
				}
			})
		}
	}
}

func TestHalfTypedWithoutHint(t *testing.T) {
	body := evalFile()
	whole := yaml.Parse(text.New("", body)).Root().Any()
	total, exact := 0, 0
	for _, key := range []string{"    expected_outcome", "    question", "    rubrics", "    note", "    threshold"} {
		for _, words := range snippets(t) {
			broken, _ := typed(body, key, words)
			tree := yaml.Parse(text.New("", broken))
			kind, detail := damage(whole, tree.Root().Any())
			total++
			switch kind {
			case "":
				exact++
			case "file":
				t.Errorf("%q before %s: lost more than the case: %s\n%v", words, key, detail, tree.Problems)
			default:
				t.Logf("%q before %s: %s\n%v", words, key, detail, tree.Problems)
			}
		}
	}
	t.Logf("%d of %d lost only what was typed", exact, total)
	if exact*100 < total*90 {
		t.Errorf("only %d of %d lost no more than what was typed", exact, total)
	}
}

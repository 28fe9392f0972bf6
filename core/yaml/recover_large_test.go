package yaml_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/text"
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
func typed(body, key, content string) (string, text.Span) {
	pos := strings.Index(body, fmt.Sprintf("- id: case-%d\n", brokenAt))
	pos += strings.Index(body[pos:], "\n"+key) + 1
	return body[:pos] + content + "\n" + body[pos:], text.Span{Start: pos, End: pos + len(content)}
}

// evalJSON is an eval file of twenty cases as a program writes it.
func evalJSON() string {
	var b strings.Builder
	b.WriteString("{\n  \"name\": \"twenty\",\n  \"cases\": [\n")
	for i := range caseCount {
		fmt.Fprintf(&b, `    {
      "id": "case-%d",
      "conversation": [
        {
          "user": {"parts": [{"text": "What's %d? \"It\""}]},
          "tools": [
            "a",
            {"b": 1}
          ]
        }
      ],
      "state": {},
      "threshold": %d
    },
`, i, i, i+1)
	}
	return strings.TrimSuffix(b.String(), ",\n") + "\n  ],\n  \"version\": 2\n}\n"
}

// snippets are lines that somebody is in the middle of typing.
func snippets(t testing.TB) []string {
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

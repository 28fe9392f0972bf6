package lsp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// labels returns the labels of a completion and whether the list is incomplete.
func labels(e *lsptest.Editor, line, character int) (all []string, cut bool) {
	var list struct {
		IsIncomplete bool
		Items        []struct{ Label string }
	}
	e.RequestInto(&list, "textDocument/completion", at(line, character))
	for _, i := range list.Items {
		all = append(all, i.Label)
	}
	return all, list.IsIncomplete
}

// TestNames checks that references to tests complete with the names in the file and in its dataset,
// and templates with the variables in scope.
func TestNames(t *testing.T) {
	const head = "name: shop\ntests:\n"
	const sibling = head + "  - { id: pay, input: Q, criteria: C }\n  - { id: greet, input: Q, criteria: C }\n"
	folder := lsptest.NewFolder(map[string]string{
		"/evals/0.eval.yaml": sibling, "/evals/c.eval.yaml": strings.Replace(sibling, "shop", "other", 1),
	})
	e := start(t, folder, "{}", `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
	e.Open(doc, head+"  - id: greet\n    criteria: It works\n    vars: { customer: Ann }\n    assert: [It greets]\n"+
		"  - id: refund\n    input: Hello {{ c }}\n    criteria: It works\n    depends_on: []\n")
	e.Await("what is found among the files", func(m lsptest.Message) bool {
		return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), "duplicate-case-id")
	})
	if got, cut := labels(e, 9, 17); !slices.Equal(got, []string{"greet", "pay"}) || cut {
		t.Errorf("tests: %v", got)
	}
	if got, _ := labels(e, 7, 21); !slices.Contains(got, "customer") {
		t.Errorf("variables: %v", got)
	}
}

// TestManyNames checks that a long list contains the names that match the typed text.
func TestManyNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("tests:\n")
	for i := range 500 {
		fmt.Fprintf(&b, "  - { id: t%d, input: Q, criteria: C }\n", i)
	}
	e := start(t, nil, "{}")
	e.Open(doc, b.String()+"  - id: last\n    input: Q\n    criteria: C\n    depends_on: [t49]\n")
	if got, cut := labels(e, 504, 17); !cut || len(got) != 200 {
		t.Errorf("%d, cut: %v", len(got), cut)
	}
	if got, cut := labels(e, 504, 20); cut || len(got) != 11 || !slices.Contains(got, "t499") {
		t.Errorf("%v, cut: %v", got, cut)
	}
}

package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/lsp/lsptest"
)

// refersTo returns an eval file that refers to another file.
func refersTo(reference string) string {
	return "evalcases:\n  - id: a # kept\n    expected_outcome: It works\n    input:\n      - role: user\n        content:\n          - { type: file, value: " + reference + " }\n"
}

// TestRenamedFiles checks that links to renamed files are updated in their own style, in open and
// closed files.
func TestRenamedFiles(t *testing.T) {
	for _, c := range []struct{ name, reference, old, new, want string }{
		{"a file", "there.md", "/evals/there.md", "/evals/here.md", "here.md"},
		{"with a dot", "./there.md", "/evals/there.md", "/evals/docs/there.md", "./docs/there.md"},
		{"with its scheme", "file://there.md", "/evals/there.md", "/evals/here.md", "file://here.md"},
		{"out of the folder", "there.md", "/evals/there.md", "/there.md", "../there.md"},
		{"the folder that it is in", "docs/there.md", "/evals/docs", "/evals/notes", "notes/there.md"},
		{"the eval itself", "there.md", "/evals/a.eval.yaml", "/evals/more/a.eval.yaml", "../there.md"},
		{"the folder of both", "there.md", "/evals", "/tests", ""},
		{"another file", "there.md", "/evals/other.md", "/evals/here.md", ""},
		{"a name that begins alike", "docs/there.md", "/evals/doc", "/evals/notes", ""},
		{"where there is nothing", "gone.md", "/evals/gone.md", "/evals/here.md", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := lsptest.NewFolder(map[string]string{
				"/evals/a.eval.yaml": refersTo(c.reference), "/evals/there.md": "x", "/evals/docs/there.md": "x",
			})
			for _, open := range []bool{false, true} {
				e := start(t, folder, "{}", `"workspaceFolders":[{"uri":"file:///evals","name":"evals"}]`)
				if open {
					e.Open(doc, refersTo(c.reference))
				}
				raw := e.Request("workspace/willRenameFiles", fmt.Sprintf(`{"files":[{"oldUri":"file://%s","newUri":"file://%s"}]}`, c.old, c.new))
				var answer struct{ Changes map[string][]edit }
				if err := json.Unmarshal(raw, &answer); err != nil {
					t.Fatalf("%s: %v", raw, err)
				}
				edits := answer.Changes[doc]
				if c.want == "" {
					if string(raw) != "null" {
						t.Errorf("%s", raw)
					}
				} else if len(edits) != 1 || edits[0].Range.Start.Line != 6 || strings.Trim(edits[0].NewText, `"'`) != c.want {
					t.Errorf("%s, want %s", raw, c.want)
				}
			}
		})
	}
}

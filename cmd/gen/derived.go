package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/lint"
)

// derived gives the text of every derived file by its path.
func derived(root string) (map[string][]byte, error) {
	files := map[string][]byte{
		"core/dialect/agentv/README.md": []byte(reference()),
		"core/lint/README.md":           []byte(rules()),
	}
	for _, doc := range dialect.Schemas() {
		files["editors/schema/"+doc.Name+".schema.json"] = doc.JSON()
	}
	const example = "testdata/readme/refund.eval.yaml"
	body, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(example)))
	if err != nil {
		return nil, err
	}
	files["testdata/readme/check.svg"] = picture(filepath.Base(example), string(body))
	return files, nil
}

const notice = "<!-- Written by `make generate` from the program. Do not edit. -->\n\n"

func reference() string {
	var b strings.Builder
	b.WriteString("# AgentV eval files\n\n" + notice +
		"What may stand in a file, from the table that validation uses too. Names separated by commas mean the same; " +
		"the first that is there counts. The same as JSON Schema: `rubric schema NAME`, or [the files](../../../editors/schema).\n\n")
	for _, doc := range dialect.Schemas() {
		fmt.Fprintf(&b, "- %s: `%s`\n", doc.Title, doc.Name)
	}
	seen := map[string]bool{}
	for _, doc := range dialect.Schemas() {
		b.WriteByte('\n')
		for section := range strings.SplitSeq(doc.Markdown(2), "\n## ") {
			heading, _, _ := strings.Cut(section, "\n")
			if heading = strings.TrimPrefix(heading, "## "); seen[heading] {
				continue // a type that an earlier file has too
			}
			seen[heading] = true
			b.WriteString("## " + strings.TrimPrefix(strings.TrimRight(section, "\n"), "## ") + "\n\n")
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func rules() string {
	var b strings.Builder
	b.WriteString("# Rules\n\n" + notice + "`rubric explain RULE` shows a page too.\n\n| rule | severity | |\n|---|---|---|\n")
	for _, r := range lint.All() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Summary)
	}
	for _, r := range lint.All() {
		page := strings.ReplaceAll(analysis.Page(r, false), "\n## ", "\n### ")
		b.WriteString("\n" + strings.Replace(page, "# ", "## ", 1))
	}
	return b.String()
}

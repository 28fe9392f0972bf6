// Command gen writes all derived files: the field references, the JSON Schemas, the rule
// pages, the commands' reference and manual pages, the pictures of terminals, the settings of the VS
// Code extension and the help of the Neovim plugin. A test fails when one of them is stale.
// `gen modules` builds the WebAssembly modules, which are not in the repository. `gen prices FILE DATE`
// writes the table of prices from a copy of the public list.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/cli"

	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/schema"
)

func main() {
	write := writeDerived
	switch args := os.Args[1:]; {
	case slices.Contains(args, "modules"):
		write = buildModules
	case len(args) == 3 && args[0] == "prices":
		write = func(root string) error { return writePrices(root, args[1], args[2]) }
	}
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// writeDerived writes the derived files below the repository's root.
func writeDerived(root string) error {
	files, err := derivedFiles(root)
	if err != nil {
		return err
	}
	for name, body := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, body, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// derivedFiles returns the text of every derived file by path.
func derivedFiles(root string) (map[string][]byte, error) {
	files := map[string][]byte{
		"core/lint/README.md": []byte(rulesMarkdown()), "wasm/npm/methods.js": []byte(apiMethods()),
		"wasm/api/README.md": []byte(apiReference()), vscodeProvidersPath: []byte(providersSource()),
	}
	all := references
	for _, o := range dialect.Others() {
		intro := fmt.Sprintf("The keys are those of %s %s.\n\n", o.Name, o.Version)
		all = append(all, reference{o.Name, "", o.Name + "/README.md", "first", o.Files[0].Title + "s", intro})
	}
	for _, r := range all {
		files["core/dialect/"+r.path] = []byte(r.markdown())
	}
	addSchemas(files)
	writers := map[string]func(root string) ([]byte, error){
		"wasm/npm/api.d.ts": apiTypes, "editors/playground/policies.json": policies,
		vscodeManifestPath: vscodeManifest, neovimHelpPath: neovimHelpText, catalogPath: catalog,
	}
	for _, p := range pictures {
		writers[p.path] = p.draw
	}
	for path, write := range writers {
		var err error
		if files[path], err = write(root); err != nil {
			return nil, err
		}
	}
	return files, addCommandFiles(files)
}

// policies returns the content security policies of the page and its workers.
func policies(string) ([]byte, error) {
	ofPage, ofWorkers := page.Policies()
	return json.MarshalIndent(map[string]any{"page": ofPage, "workers": ofWorkers}, "", "  ")
}

const generatedNotice = "<!-- Written by `make generate` from the program. Do not edit. -->\n\n"

// A reference describes the file keys of one version of a dialect.
type reference struct {
	dialect string
	version agentv.Version
	path    string // below core/dialect
	winner  string // which of several synonyms counts: first or last
	title   string
	intro   string
}

var references = []reference{
	{agentv.Name, "", "agentv/README.md", "first", "AgentV eval files", "Later versions have other keys: [4.42.4](v4/README.md) of June 2026 and [5.3.1-next.1](head/README.md) of July 2026.\n\n"},
	{agentv.Name, agentv.V4, "agentv/v4/README.md", "first", "AgentV 4.42.4 eval files", ""},
	{agentv.Name, agentv.Head, "agentv/head/README.md", "first", "AgentV 5.3.1-next.1 eval files", ""},
	{adk.Name, "", "adk/README.md", "last", "ADK eval files", "rubric also reads configurations in YAML.\n\n"},
}

func (r reference) markdown() string {
	var b strings.Builder
	b.WriteString("# " + r.title + "\n\n" + generatedNotice +
		"The keys of these files, from the table that validation uses. Names separated by commas are synonyms; " +
		"if a file has several, the " + r.winner + " counts. `rubric schema NAME` prints the same as JSON Schema.\n\n" + r.intro)
	var docs []schema.Document
	for _, f := range dialect.Files() {
		if f.Dialect == r.dialect && f.Version == r.version {
			docs = append(docs, f.Document)
			fmt.Fprintf(&b, "- %s: `%s`\n", f.Title, f.Name)
		}
	}
	seen := map[string]bool{}
	for _, doc := range docs {
		b.WriteByte('\n')
		for section := range strings.SplitSeq(doc.Markdown(2), "\n## ") {
			heading, _, _ := strings.Cut(section, "\n")
			if heading = strings.TrimPrefix(heading, "## "); seen[heading] {
				continue // a type of an earlier file
			}
			seen[heading] = true
			b.WriteString("## " + strings.TrimPrefix(strings.TrimRight(section, "\n"), "## ") + "\n\n")
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func rulesMarkdown() string {
	var b strings.Builder
	b.WriteString("# Rules\n\n" + generatedNotice + "`rubric explain RULE` shows a page too.\n\n| rule | severity | reports |\n|---|---|---|\n")
	for _, r := range lint.All() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.ID, r.ID, r.DefaultSeverity(), r.Summary)
	}
	for _, r := range lint.All() {
		page := strings.ReplaceAll(analysis.RulePage(r, false), "\n## ", "\n### ")
		b.WriteString("\n" + strings.Replace(page, "# ", "## ", 1))
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD") // one example is not UTF-8
}

// addSchemas adds the JSON Schemas of files and results, and their list.
func addSchemas(files map[string][]byte) {
	schemas := "# JSON Schemas\n\n" + generatedNotice + "`rubric schema NAME` prints these, and the documentation site has each at its `$id`.\n\n| schema | file |\n|---|---|\n"
	for _, doc := range cli.Schemas() {
		name := doc.Name + ".schema.json"
		files["editors/schema/"+name] = doc.JSON()
		schemas += fmt.Sprintf("| [%s](%s) | %s |\n", doc.Name, name, doc.Title)
	}
	files["editors/schema/README.md"] = []byte(schemas)
}

package core_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
)

const module = "github.com/rubric-ls/rubric/"

// ban forbids an import. A trailing "/..." in importer or imported includes all packages
// below.
type ban struct {
	importer, imported string
	transitive         bool // also forbid it through other packages
	exceptions         []string
	reason             string
}

var bans = []ban{
	{importer: "core/...", imported: "os", exceptions: []string{"core/corpustest"}, reason: "the engine runs in a browser; a test of it needs no machine"},
	{importer: "core/...", imported: "os/exec", transitive: true, reason: "nothing runs that the host did not agree to run"},
	{importer: "core/...", imported: "net/...", transitive: true, reason: "net/http alone is 2.8 MB of gzipped WASM", exceptions: []string{"net/netip", "net/url", "core/jsonschema"}},
	{importer: "core/...", imported: "regexp", reason: "compiling patterns at start-up would take most of it; use core/pattern", exceptions: []string{"core/pattern", "core/jsonschema"}},
	{importer: "core/...", imported: "log", reason: "a library does not log"},
	{importer: "core/...", imported: "log/slog", reason: "a library does not log"},
	{importer: "core/...", imported: "math/rand", reason: "replays must be exact"},
	{importer: "core/...", imported: "math/rand/v2", reason: "replays must be exact"},
	{importer: "core/...", imported: "syscall/js", reason: "only wasm/ knows the browser"},
	{importer: "core/...", imported: "text/template", transitive: true, reason: "1.7 MB of WASM for what a few lines do", exceptions: []string{"core/jsonschema"}},
	{importer: "core/...", imported: module + "cmd/...", reason: "direction"},
	{importer: "core/...", imported: module + "lsp/...", reason: "direction"},
	{importer: "core/...", imported: module + "wasm/...", reason: "direction"},
	{importer: "core/text", imported: module + "core/...", reason: "a leaf"},
	{importer: "core/schema", imported: module + "core/...", reason: "a leaf: a table of facts"},
	{importer: "core/judge", imported: module + "core/...", exceptions: []string{module + "core/excerpt"}, reason: "a judge returns text; grade interprets it"},
	{importer: "core/yaml", imported: module + "core/dialect/...", transitive: true, reason: "direction"},
	{importer: "core/dialect/agentv", imported: module + "core/dialect/agentv/...", reason: "what versions share knows no version"},
	{importer: "core/dialect/agentv/seed", imported: module + "core/dialect/agentv/v4", transitive: true, reason: "each version builds on the one before"},
	{importer: "core/dialect/agentv/v4", imported: module + "core/dialect/agentv/head", reason: "each version builds on the one before"},
	{importer: "core/conform", imported: module + "core/dialect/...", transitive: true, reason: "direction"},
	{importer: "core/lint/rules/...", imported: module + "core/lint/rules/...", exceptions: []string{"core/lint/rules"}, reason: "an area knows no other; core/lint has what they share"},
	{importer: "core/score", imported: module + "core/grade", transitive: true, reason: "rules reason about verdicts without judges"},
	{importer: "core/score", imported: module + "core/judge/...", transitive: true, reason: "rules reason about verdicts without judges"},
	{importer: "core/score", imported: module + "core/yaml", transitive: true, reason: "a run needs meaning, not syntax"},
	{importer: "core/grade", imported: module + "core/yaml", transitive: true, reason: "a run needs meaning, not syntax"},
	{importer: "core/metric", imported: module + "core/yaml", transitive: true, reason: "a metric needs conversations, not syntax"},
	{importer: "core/metric", imported: module + "core/dialect/...", transitive: true, reason: "a metric is the same however its conversation is written"},
	{importer: "core/run", imported: module + "core/yaml", transitive: true, reason: "a run needs meaning, not syntax"},
	{importer: "core/run", imported: module + "core/dialect/...", transitive: true, reason: "a run is the same for every dialect"},
	{importer: "core/jsonschema", imported: "time", reason: "the host has the clock and sets limits"},
	{importer: "wasm/...", imported: module + "cmd/...", reason: "direction"},
	{importer: "wasm/...", imported: "net/http", reason: "the module's size budget; its own test looks at what it links"},
	{importer: "wasm/...", imported: module + "lsp/...", reason: "a page runs the engine, not a server"},
	{importer: "lsp/...", imported: "os/exec", reason: "a session starts no process; the host does, on request"},
	{importer: "lsp/transport", imported: module + "...", reason: "a transport carries messages; it knows no session and no file"},
	{importer: "lsp/internal/cache", imported: module + "lsp", transitive: true, reason: "methods ask the workspace, which knows no method"},
	{importer: "lsp/internal/cache", imported: module + "core/ide/requests", transitive: true, reason: "methods ask the workspace, which knows no method"},
	{importer: "lsp/internal/cache", imported: "net", reason: "only a transport connects"},
	{importer: "lsp", imported: "net", reason: "only a transport connects"},
	{importer: "lsp", imported: module + "lsp/lsptest", transitive: true, reason: "a server must not contain the editor of its tests"},
	{importer: "cmd/...", imported: module + "lsp/lsptest", transitive: true, reason: "a server must not contain the editor of its tests"},
	{importer: "cmd/rubric", imported: "github.com/nats-io/...", transitive: true, reason: "only rubric-queue has clients of other systems, which few people need"},
	{importer: "cmd/rubric", imported: "github.com/minio/...", transitive: true, reason: "only rubric-queue has clients of other systems, which few people need"},
	{importer: "cmd/rubric", imported: "go.opentelemetry.io/...", transitive: true, reason: "only rubric-queue has clients of other systems, which few people need"},
	{importer: "cmd/internal/report", imported: "os", reason: "a report is a function of records and a writer"},
	{importer: "cmd/internal/host/disk", imported: module + "cmd/...", reason: "a leaf: files know nothing of what is in them"},
	{importer: "cmd/internal/host/process", imported: module + "cmd/internal/host/targets", transitive: true, reason: "direction"},
	{importer: "cmd/internal/host/resultstore", imported: module + "cmd/internal/host", transitive: true, reason: "results need no project"},
	{importer: "cmd/internal/host", imported: module + "cmd/internal/host/targets", transitive: true, reason: "direction"},
	{importer: "cmd/...", imported: "os/exec", exceptions: []string{"cmd/internal/host/process"}, reason: "all I/O is in one folder, which is easy to audit"},
	{importer: "cmd/...", imported: "net/http", exceptions: []string{"cmd/internal/host/targets", "cmd/internal/host/provider", "cmd/internal/host/page", "cmd/internal/host/labelpage", "cmd/internal/host/queue/telemetry"}, reason: "all I/O is in one folder, which is easy to audit"},
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// TestImports checks the bans for the whole module.
func TestImports(t *testing.T) {
	packages := goList(t)
	for _, b := range bans {
		for _, p := range packages {
			from := strings.TrimPrefix(p.ImportPath, module)
			if !matchesPattern(b.importer, from) || slices.Contains(b.exceptions, from) {
				continue
			}
			imports := p.Imports
			if b.transitive {
				imports = p.Deps
			}
			for _, i := range imports {
				if matchesPattern(b.imported, i) && i != p.ImportPath && !slices.Contains(b.exceptions, i) {
					t.Errorf("%s imports %s: %s", from, i, b.reason)
				}
			}
		}
	}
}

// TestThirdParties allows four libraries in the engine, each behind one package.
func TestThirdParties(t *testing.T) {
	behind := map[string]string{
		"core/yaml": "go.yaml.in/yaml/v4", "core/yaml/recover": "go.yaml.in/yaml/v4", "core/jsonschema": "github.com/xeipuuv/gojsonschema",
		"core/nfkc": "golang.org/x/text/unicode/norm", "core/dialect/promptfoo/nunjucks": "github.com/ardanlabs/jinja",
	}
	for _, p := range goList(t) {
		from := strings.TrimPrefix(p.ImportPath, module)
		if !matchesPattern("core/...", from) {
			continue
		}
		for _, i := range p.Imports {
			thirdParty := strings.Contains(strings.SplitN(i, "/", 2)[0], ".") && !strings.HasPrefix(i, module)
			if thirdParty && i != behind[from] {
				t.Errorf("%s imports %s: the engine has no other dependencies", from, i)
			}
		}
	}
}

// TestOneWebFile allows web packages in one file of the language server only.
func TestOneWebFile(t *testing.T) {
	const home = "lsp/transport/websocket.go"
	web := []string{"net/http", "github.com/gorilla/websocket"}
	eachGoFile(t, func(path string, _ []byte, file *ast.File, _ *token.FileSet) {
		if !strings.HasPrefix(path, "lsp/") || strings.HasPrefix(path, "lsp/lsptest/") || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, i := range file.Imports {
			if slices.Contains(web, strings.Trim(i.Path.Value, `"`)) && path != home {
				t.Errorf("%s imports %s, which is for %s alone", path, i.Path.Value, home)
			}
		}
	})
}

// TestOneEngine lets only core/run construct runners, so that no host decides by itself who answers,
// who judges and under which names.
func TestOneEngine(t *testing.T) {
	eachGoFile(t, func(path string, src []byte, _ *ast.File, _ *token.FileSet) {
		if !strings.HasSuffix(path, "_test.go") && bytes.Contains(src, []byte("run.Runner{")) {
			t.Errorf("%s constructs a runner; use run.Open", path)
		}
	})
}

func matchesPattern(pattern, path string) bool {
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == below || strings.HasPrefix(path, below+"/")
	}
	return pattern == path
}

func goList(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// TestSizes limits the length of files and functions.
func TestSizes(t *testing.T) {
	const median, p90, most, function = 200, 350, 600, 60
	var sizes []int
	eachGoFile(t, func(path string, src []byte, file *ast.File, set *token.FileSet) {
		lines := bytes.Count(src, []byte("\n"))
		if lines > most {
			t.Errorf("%s has %d lines, over the limit of %d", path, lines, most)
		}
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		sizes = append(sizes, lines)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > function {
					t.Errorf("%s: %s has %d lines, over the limit of %d", path, f.Name.Name, n, function)
				}
			}
		}
	})
	sort.Ints(sizes)
	if n := sizes[len(sizes)/2]; n > median {
		t.Errorf("the median file has %d lines, over %d", n, median)
	}
	if n := sizes[len(sizes)*9/10]; n > p90 {
		t.Errorf("nine in ten files have up to %d lines, over %d", n, p90)
	}
}

// TestDocs requires a package comment, and doc comments that start with the exported name.
func TestDocs(t *testing.T) {
	documented := map[string]bool{}
	eachGoFile(t, func(path string, _ []byte, file *ast.File, set *token.FileSet) {
		dir := filepath.Dir(path)
		documented[dir] = documented[dir] || file.Doc != nil
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if ast.IsExported(d.Name.Name) && (d.Recv == nil || exportedReceiver(d)) {
					checkDoc(t, path, d.Name.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if ts, ok := s.(*ast.TypeSpec); ok && ts.Name.IsExported() {
						doc := ts.Doc
						if doc == nil {
							doc = d.Doc
						}
						checkDoc(t, path, ts.Name.Name, doc)
					}
				}
			}
		}
	})
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

func exportedReceiver(f *ast.FuncDecl) bool {
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	name, ok := typ.(*ast.Ident)
	return ok && name.IsExported()
}

func checkDoc(t *testing.T, path, name string, doc *ast.CommentGroup) {
	t.Helper()
	text := doc.Text()
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	if !strings.HasPrefix(text, name) {
		t.Errorf("%s: %s needs a doc comment that starts with its name", path, name)
	}
}

// TestWords forbids names that say nothing about their content.
func TestWords(t *testing.T) {
	banned := []string{"util", "utils", "helper", "helpers", "common", "manager", "misc"}
	eachGoFile(t, func(path string, _ []byte, file *ast.File, _ *token.FileSet) {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".go"), "_test")
		if slices.Contains(banned, file.Name.Name) || slices.Contains(banned, base) {
			t.Errorf("%s: name it after the thing it holds", path)
		}
	})
}

// TestOneVoice allows only rules, by their framework, to create diagnostics.
func TestOneVoice(t *testing.T) {
	eachGoFile(t, func(path string, src []byte, _ *ast.File, _ *token.FileSet) {
		if filepath.Dir(path) != filepath.Join("core", "lint") && !strings.HasSuffix(path, "_test.go") && bytes.Contains(src, []byte("diag.Diagnostic{")) {
			if !bytes.Contains(src, []byte("[]diag.Diagnostic{")) {
				t.Errorf("%s creates a diagnostic; only the rules in core/lint may, so that every code has a page", path)
			}
		}
	})
}

// TestNoClock forbids the clock in the engine.
func TestNoClock(t *testing.T) {
	eachGoFile(t, func(path string, _ []byte, file *ast.File, set *token.FileSet) {
		if !strings.HasPrefix(path, "core"+string(filepath.Separator)) || strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains([]string{"Now", "Since", "Sleep", "After", "Tick"}, sel.Sel.Name) {
					t.Errorf("%s: time.%s: the host has the clock; a replay must be exact", set.Position(n.Pos()), sel.Sel.Name)
				}
			}
			return true
		})
	})
}

// TestPages checks that the relative links of every page lead to files and headings, and that the files
// anchors returns the addresses of a page's headings, as GitHub and the documentation site make them.
func anchors(page string) (all []string) {
	page = regexp.MustCompile("(?ms)^ *```.*?^ *```$").ReplaceAllString(page, "")
	dropped := regexp.MustCompile(`[^\p{L}\p{N}\p{M} _-]|\]\([^)]*\)`)
	for _, m := range regexp.MustCompile(`(?m)^#+ +(.*?)\s*$`).FindAllStringSubmatch(page, -1) {
		anchor := strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		for n := 1; slices.Contains(all, anchor); n++ {
			anchor = strings.TrimSuffix(anchor, fmt.Sprintf("-%d", n-1)) + fmt.Sprintf("-%d", n)
		}
		all = append(all, anchor)
	}
	return all
}

// named in the pages about the code are there and have the functions that are named with them.
func TestPages(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)
	headings := map[string][]string{}
	eachFile(t, ".md", func(path string, src []byte) error {
		headings[path] = anchors(string(src))
		return nil
	})
	found := 0
	eachFile(t, ".md", func(path string, src []byte) error {
		for _, m := range link.FindAllSubmatch(src, -1) {
			found++
			to, anchor := filepath.Join(filepath.Dir(path), string(m[1])), string(m[2])
			if len(m[1]) == 0 {
				to = path
			}
			if _, err := os.Stat(filepath.Join("..", to)); err != nil {
				t.Errorf("%s leads to %s, which is not there", path, m[1])
			} else if known, isPage := headings[to]; anchor != "" && isPage && !slices.Contains(known, anchor) {
				t.Errorf("%s leads to #%s of %s, which has no such heading", path, anchor, to)
			}
		}
		return nil
	})
	site, err := os.ReadFile("../docs/site/.vitepress/pages.js")
	if err != nil {
		t.Fatal(err)
	}
	for path := range headings {
		if filepath.Dir(path) == "docs" && !strings.Contains(string(site), `"`+filepath.ToSlash(path)+`"`) {
			t.Errorf("docs/site/.vitepress/pages.js has no row for %s", path)
		}
	}
	if found < 100 {
		t.Errorf("only %d links are found", found)
	}
	const name = "`((?:core|cmd|lsp|wasm|editors|testdata)/[a-z0-9_/-]+[.](?:go|ts|js))`"
	file := regexp.MustCompile(name)
	function := regexp.MustCompile(name + `\s+\(` + "`([A-Za-z]+)`" + `|` + "`([A-Za-z]+)`" + `\s+in\s+` + name)
	for _, page := range []string{"CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/GLOSSARY.md", "docs/RATIONALE.md"} {
		src, err := os.ReadFile(filepath.Join("..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range file.FindAllSubmatch(src, -1) {
			if _, err := os.Stat(filepath.Join("..", string(m[1]))); err != nil {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
		for _, m := range function.FindAllSubmatch(src, -1) {
			path, word := string(m[1])+string(m[4]), string(m[2])+string(m[3])
			code, _ := os.ReadFile(filepath.Join("..", path)) // a missing file is reported above
			declared := `(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t|(?:export )?(?:async )?function )` + word + `\b`
			if strings.HasSuffix(path, ".go") && !regexp.MustCompile(declared).Match(code) || !regexp.MustCompile(`\b`+word+`\b`).Match(code) {
				t.Errorf("%s names `%s` in %s, which does not declare it", page, word, path)
			}
		}
	}
}

func eachGoFile(t *testing.T, visit func(path string, src []byte, file *ast.File, set *token.FileSet)) {
	t.Helper()
	eachFile(t, ".go", func(path string, src []byte) error {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join("..", path), src, parser.ParseComments)
		if err == nil {
			visit(path, src, file, set)
		}
		return err
	})
}

func eachFile(t *testing.T, ending string, visit func(path string, src []byte) error) {
	t.Helper()
	root := ".."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ending) {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return visit(rel, src)
	})
	if err != nil {
		t.Fatal(err)
	}
}

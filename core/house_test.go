package core_test

import (
	"bytes"
	"encoding/json"
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

// ban is an import that a part of the tree may not have. A trailing "/..." in
// From or Import takes in everything below.
type ban struct {
	from, imports string
	deep          bool // not even through other packages
	except        []string
	why           string
}

var bans = []ban{
	{from: "core/...", imports: "os", except: []string{"core/corpustest"}, why: "the engine runs in a browser; a test of it needs no machine"},
	{from: "core/...", imports: "os/exec", deep: true, why: "nothing runs that the host did not agree to run"},
	{from: "core/...", imports: "net/...", deep: true, why: "net/http alone is 2.8 MB of gzipped WASM", except: []string{"net/netip", "net/url", "core/jsonschema"}},
	{from: "core/...", imports: "regexp", why: "compiled at the start, patterns are most of a start", except: []string{"core/pattern", "core/grade", "core/jsonschema"}},
	{from: "core/...", imports: "log", why: "a library has no voice of its own"},
	{from: "core/...", imports: "log/slog", why: "a library has no voice of its own"},
	{from: "core/...", imports: "math/rand", why: "replays must be exact"},
	{from: "core/...", imports: "math/rand/v2", why: "replays must be exact"},
	{from: "core/...", imports: "syscall/js", why: "only wasm/ knows the browser"},
	{from: "core/...", imports: "text/template", deep: true, why: "1.7 MB of WASM for what a few lines do", except: []string{"core/jsonschema"}},
	{from: "core/...", imports: module + "cmd/...", why: "direction"},
	{from: "core/...", imports: module + "lsp/...", why: "direction"},
	{from: "core/...", imports: module + "wasm/...", why: "direction"},
	{from: "core/text", imports: module + "core/...", why: "a leaf"},
	{from: "core/diagjson", imports: module + "core/...", except: []string{module + "core/text"}, why: "it knows what was said, not what is meant"},
	{from: "core/schema", imports: module + "core/...", why: "a leaf: a table of facts"},
	{from: "core/judge", imports: module + "core/...", except: []string{module + "core/excerpt"}, why: "a judge answers text; meaning lives in grade"},
	{from: "core/yaml", imports: module + "core/dialect/...", deep: true, why: "direction"},
	{from: "core/conform", imports: module + "core/dialect/...", deep: true, why: "direction"},
	{from: "core/score", imports: module + "core/grade", deep: true, why: "rules reason about verdicts without judges"},
	{from: "core/score", imports: module + "core/judge/...", deep: true, why: "rules reason about verdicts without judges"},
	{from: "core/score", imports: module + "core/yaml", deep: true, why: "a run needs meaning, not syntax"},
	{from: "core/grade", imports: module + "core/yaml", deep: true, why: "a run needs meaning, not syntax"},
	{from: "core/metric", imports: module + "core/yaml", deep: true, why: "a metric needs conversations, not syntax"},
	{from: "core/metric", imports: module + "core/dialect/...", deep: true, why: "a metric is the same however its conversation is written"},
	{from: "core/run", imports: module + "core/yaml", deep: true, why: "a run needs meaning, not syntax"},
	{from: "core/run", imports: module + "core/dialect/...", deep: true, why: "a run is the same for every dialect"},
	{from: "core/jsonschema", imports: "time", why: "who has a clock gives a limit"},
	{from: "wasm/...", imports: module + "cmd/...", why: "direction"},
	{from: "wasm/...", imports: "net/http", deep: true, why: "the module's size budget"},
	{from: "wasm/...", imports: module + "lsp/...", why: "a page has the engine, not a server"},
	{from: "lsp/...", imports: "os/exec", why: "a session runs nothing; what a person asks to be run, the host runs"},
	{from: "lsp/frame", imports: "go.lsp.dev/protocol", deep: true, why: "framing knows no method"},
	{from: "lsp", imports: module + "lsp/lsptest", deep: true, why: "a server does not bring its tests' editor along"},
	{from: "cmd/...", imports: module + "lsp/lsptest", deep: true, why: "a server does not bring its tests' editor along"},
	{from: "cmd/internal/report", imports: "os", why: "a report is a function of records and a writer"},
	{from: "cmd/...", imports: "os/exec", except: []string{"cmd/internal/host"}, why: "one door for I/O: one folder to audit"},
	{from: "cmd/...", imports: "net/http", except: []string{"cmd/internal/host", "cmd/internal/host/provider", "cmd/internal/host/page"}, why: "one door for I/O: one folder to audit"},
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// TestImports holds the bans above against the whole module.
func TestImports(t *testing.T) {
	packages := goList(t)
	for _, b := range bans {
		for _, p := range packages {
			from := strings.TrimPrefix(p.ImportPath, module)
			if !covers(b.from, from) || slices.Contains(b.except, from) {
				continue
			}
			imports := p.Imports
			if b.deep {
				imports = p.Deps
			}
			for _, i := range imports {
				if covers(b.imports, i) && i != p.ImportPath && !slices.Contains(b.except, i) {
					t.Errorf("%s imports %s: %s", from, i, b.why)
				}
			}
		}
	}
}

// TestThirdParties keeps third-party code out of the engine, but for two libraries, each
// behind a package of ours.
func TestThirdParties(t *testing.T) {
	behind := map[string]string{"core/yaml": "go.yaml.in/yaml/v4", "core/jsonschema": "github.com/xeipuuv/gojsonschema"}
	for _, p := range goList(t) {
		from := strings.TrimPrefix(p.ImportPath, module)
		if !covers("core/...", from) {
			continue
		}
		for _, i := range p.Imports {
			thirdParty := strings.Contains(strings.SplitN(i, "/", 2)[0], ".") && !strings.HasPrefix(i, module)
			if thirdParty && i != behind[from] {
				t.Errorf("%s imports %s: the engine is ours to read in an afternoon", from, i)
			}
		}
	}
}

// TestOneWebFile keeps the web in the one file of the language server that is
// there for it.
func TestOneWebFile(t *testing.T) {
	const home = "websocket.go"
	web := []string{"net/http", "github.com/tliron/glsp", "github.com/gorilla/websocket"}
	eachGoFile(t, func(path string, _ []byte, file *ast.File, _ *token.FileSet) {
		if filepath.Dir(path) != "lsp" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, i := range file.Imports {
			if slices.Contains(web, strings.Trim(i.Path.Value, `"`)) && filepath.Base(path) != home {
				t.Errorf("%s imports %s, which is for lsp/%s alone", path, i.Path.Value, home)
			}
		}
	})
}

func covers(pattern, path string) bool {
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return path == below || strings.HasPrefix(path, below+"/")
	}
	return pattern == path
}

func goList(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// TestSizes keeps files and functions small: a file at its limit lacks a noun.
func TestSizes(t *testing.T) {
	const median, p90, most, function = 150, 350, 600, 60
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

// TestDocs asks for a package comment everywhere and for a sentence that starts
// with the name on everything exported.
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

// TestWords keeps rooms without a name out of the house.
func TestWords(t *testing.T) {
	banned := []string{"util", "utils", "helper", "helpers", "common", "manager", "misc"}
	eachGoFile(t, func(path string, _ []byte, file *ast.File, _ *token.FileSet) {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".go"), "_test")
		if slices.Contains(banned, file.Name.Name) || slices.Contains(banned, base) {
			t.Errorf("%s: name it after the thing it holds", path)
		}
	})
}

// TestOneVoice lets only rules make diagnostics.
func TestOneVoice(t *testing.T) {
	eachGoFile(t, func(path string, src []byte, _ *ast.File, _ *token.FileSet) {
		if filepath.Dir(path) != filepath.Join("core", "lint") && !strings.HasSuffix(path, "_test.go") && bytes.Contains(src, []byte("diag.Diagnostic{")) {
			if !bytes.Contains(src, []byte("[]diag.Diagnostic{")) {
				t.Errorf("%s makes a diagnostic: every code has one page and one voice, in core/lint", path)
			}
		}
	})
}

// TestNoClock lets nobody in the engine ask what time it is.
func TestNoClock(t *testing.T) {
	eachGoFile(t, func(path string, _ []byte, file *ast.File, set *token.FileSet) {
		if !strings.HasPrefix(path, "core"+string(filepath.Separator)) || strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains([]string{"Now", "Since", "Sleep", "After", "Tick"}, sel.Sel.Name) {
					t.Errorf("%s: time.%s: clocks are the host's; a replay must be exact", set.Position(n.Pos()), sel.Sel.Name)
				}
			}
			return true
		})
	})
}

// TestPages leads every page's links to files that are there.
func TestPages(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]+)[^):\s]*\)`)
	found := 0
	eachFile(t, ".md", func(path string, src []byte) error {
		for _, m := range link.FindAllSubmatch(src, -1) {
			found++
			if _, err := os.Stat(filepath.Join("..", filepath.Dir(path), string(m[1]))); err != nil {
				t.Errorf("%s leads to %s, which is not there", path, m[1])
			}
		}
		return nil
	})
	if found < 20 {
		t.Errorf("only %d links are found", found)
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

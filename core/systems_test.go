package core_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestOtherSystems checks the types of all packages and their tests for the systems that no test
// runs on. It reads dependencies without the bodies of their functions, which takes seconds where a
// build for these systems takes minutes.
func TestOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all packages and their dependencies")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	isOurs := func(file string) bool { return strings.HasPrefix(file, root+string(filepath.Separator)) }
	for _, system := range []string{"windows", "darwin"} {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			all, err := packages.Load(&packages.Config{
				Mode: packages.LoadAllSyntax, Dir: root, Tests: true,
				Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
				ParseFile: func(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
					file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
					if file != nil && !isOurs(name) {
						dropBodies(file)
					}
					return file, err
				},
			}, "./...")
			if err != nil || len(all) < 200 {
				t.Fatalf("%d packages: %v", len(all), err)
			}
			packages.Visit(all, nil, func(p *packages.Package) {
				for _, fault := range p.Errors {
					if len(p.GoFiles) == 0 || isOurs(p.GoFiles[0]) {
						t.Error(fault)
					}
				}
			})
		})
	}
}

// dropBodies removes the bodies of a file's functions.
func dropBodies(file *ast.File) {
	for _, declaration := range file.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok {
			function.Body = nil
		}
	}
}

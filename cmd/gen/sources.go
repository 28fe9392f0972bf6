package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

const module = "github.com/rubric-ls/rubric/"

// sources is what the source of packages says of their types that the types
// themselves do not know.
type sources struct {
	root     string
	packages map[string]*source
}

// source is one package's: docs by `Type` and `Type.Field`, and the values of the
// constants of a type, as they are written.
type source struct {
	docs      map[string]string
	constants map[string][]string
}

func newSources(root string) *sources { return &sources{root, map[string]*source{}} }

// of gives the package of a type of this module.
func (s *sources) of(t reflect.Type) (*source, error) {
	path, ours := strings.CutPrefix(t.PkgPath(), module)
	if !ours {
		return &source{}, nil
	}
	if known := s.packages[path]; known != nil {
		return known, nil
	}
	p := &source{map[string]string{}, map[string][]string{}}
	s.packages[path] = p
	dir := filepath.Join(s.root, filepath.FromSlash(path))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("source of %s: %w", t, err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.read(file)
	}
	return p, nil
}

func (p *source) read(file *ast.File) {
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				p.readType(group, spec)
			case *ast.ValueSpec:
				p.readConstants(group, spec)
			}
		}
	}
}

func (p *source) readType(group *ast.GenDecl, spec *ast.TypeSpec) {
	p.docs[spec.Name.Name] = group.Doc.Text()
	body, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range body.Fields.List {
		for _, name := range f.Names {
			p.docs[spec.Name.Name+"."+name.Name] = f.Doc.Text() + f.Comment.Text()
		}
	}
}

func (p *source) readConstants(group *ast.GenDecl, spec *ast.ValueSpec) {
	named, ok := spec.Type.(*ast.Ident)
	if group.Tok != token.CONST || !ok {
		return
	}
	for _, value := range spec.Values {
		if text, ok := value.(*ast.BasicLit); ok && text.Kind == token.STRING {
			p.constants[named.Name] = append(p.constants[named.Name], text.Value)
		}
	}
}

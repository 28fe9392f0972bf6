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

// sourceDocs reads doc comments and constants from the source of packages.
type sourceDocs struct {
	root     string
	packages map[string]*packageDoc
}

// A packageDoc holds the comments of `Type` and `Type.Field`, and the literal values of
// typed string constants.
type packageDoc struct {
	docs      map[string]string
	constants map[string][]string
}

func newSources(root string) *sourceDocs { return &sourceDocs{root, map[string]*packageDoc{}} }

// load returns the docs of the package of t.
func (s *sourceDocs) load(t reflect.Type) (*packageDoc, error) {
	path, inModule := strings.CutPrefix(t.PkgPath(), module)
	if !inModule {
		return &packageDoc{}, nil
	}
	if known := s.packages[path]; known != nil {
		return known, nil
	}
	p := &packageDoc{map[string]string{}, map[string][]string{}}
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
		p.addFile(file)
	}
	return p, nil
}

func (p *packageDoc) addFile(file *ast.File) {
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				p.addType(group, spec)
			case *ast.ValueSpec:
				p.addConstants(group, spec)
			}
		}
	}
}

func (p *packageDoc) addType(group *ast.GenDecl, spec *ast.TypeSpec) {
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

func (p *packageDoc) addConstants(group *ast.GenDecl, spec *ast.ValueSpec) {
	typeName, ok := spec.Type.(*ast.Ident)
	if group.Tok != token.CONST || !ok {
		return
	}
	for _, value := range spec.Values {
		if text, ok := value.(*ast.BasicLit); ok && text.Kind == token.STRING {
			p.constants[typeName.Name] = append(p.constants[typeName.Name], text.Value)
		}
	}
}

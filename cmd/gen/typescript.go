package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/wasm/api"
)

// typescript writes the types of the evaluator API from the Go types of its parameters
// and results, with their comments.
type typescript struct {
	docs     *sourceDocs
	declared map[string]reflect.Type
	body     strings.Builder
}

const typescriptNotice = "// Written by `make generate` from package wasm/api. Do not edit.\n"

// apiTypes returns the npm package's type declarations.
func apiTypes(root string) (string, error) {
	ts := &typescript{docs: newSources(root), declared: map[string]reflect.Type{}}
	var methods strings.Builder
	for _, m := range api.Methods() {
		params, err := ts.params(m)
		if err != nil {
			return "", err
		}
		result, err := ts.typeOf(m.Result)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&methods, "  /** "+m.Summary+" */\n  %s: { params: %s; result: %s };\n", m.Name, params, result)
	}
	if _, err := ts.typeOf(reflect.TypeFor[ide.DocumentEdit]()); err != nil { // what a tag names
		return "", err
	}
	return typescriptNotice + ts.body.String() +
		"\n/** Methods maps each evaluator method to its parameters and result. */\nexport interface Methods {\n" + methods.String() + "}\n", nil
}

// apiMethods returns the npm package's list of methods.
func apiMethods() string {
	var names []string
	for _, m := range api.Methods() {
		names = append(names, m.Name)
	}
	list, _ := json.Marshal(names) // strings cannot fail
	return typescriptNotice + "export const methods = " + strings.ReplaceAll(string(list), ",", ", ") + ";\n"
}

// params declares a method's parameters as an interface.
func (ts *typescript) params(m api.Method) (string, error) {
	name := strings.ToUpper(m.Name[:1]) + m.Name[1:] + "Params"
	if m.Params.NumField() == 0 {
		return "Record<string, never>", nil
	}
	return name, ts.declare(name, m.Params, fmt.Sprintf("%s holds the parameters of `%s`.", name, m.Name))
}

// typeOf returns the TypeScript type of a Go type and declares named types.
func (ts *typescript) typeOf(t reflect.Type) (string, error) {
	switch {
	case t == reflect.TypeFor[json.RawMessage](), t.Implements(reflect.TypeFor[json.Marshaler]()):
		return "unknown", nil
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return "string", nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean", nil
	case reflect.Interface:
		return "unknown", nil
	case reflect.String:
		return ts.stringType(t)
	case reflect.Pointer:
		inner, err := ts.typeOf(t.Elem())
		return inner + " | null", err
	case reflect.Slice:
		item, err := ts.typeOf(t.Elem())
		if strings.Contains(item, "|") {
			item = "(" + item + ")"
		}
		return item + "[]", err
	case reflect.Array:
		item, err := ts.typeOf(t.Elem())
		return "[" + strings.Join(strings.Fields(strings.Repeat(item+" ", t.Len())), ", ") + "]", err
	case reflect.Map:
		value, err := ts.typeOf(t.Elem())
		return "Record<string, " + value + ">", err
	case reflect.Struct:
		name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
		return name, ts.declare(name, t, "")
	}
	if t.ConvertibleTo(reflect.TypeFor[float64]()) {
		return "number", nil
	}
	return "", fmt.Errorf("%s has no TypeScript", t)
}

// stringType returns string, or the union of the constants of the type.
func (ts *typescript) stringType(t reflect.Type) (string, error) {
	if t.PkgPath() == "" {
		return "string", nil
	}
	p, err := ts.docs.load(t)
	if err != nil || len(p.constants[t.Name()]) == 0 {
		return "string", err
	}
	return strings.Join(p.constants[t.Name()], " | "), nil
}

// declare writes a struct as an interface, once.
func (ts *typescript) declare(name string, t reflect.Type, doc string) error {
	if existing, ok := ts.declared[name]; ok {
		if existing != t {
			return fmt.Errorf("both %s and %s are `%s` in TypeScript", existing, t, name)
		}
		return nil
	}
	ts.declared[name] = t
	var b strings.Builder
	if err := ts.writeFields(&b, t); err != nil {
		return err
	}
	if doc == "" {
		p, err := ts.docs.load(t)
		if err != nil {
			return err
		}
		doc = p.docs[t.Name()]
	}
	ts.body.WriteString("\n" + jsDoc("", doc) + "export interface " + name + " {\n" + b.String() + "}\n")
	return nil
}

func (ts *typescript) writeFields(b *strings.Builder, t reflect.Type) error {
	optional := t.Kind() == reflect.Pointer // an embedded pointer may be nil
	if optional {
		t = t.Elem()
	}
	p, err := ts.docs.load(t)
	if err != nil {
		return err
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			if err := ts.writeFields(b, f.Type); err != nil {
				return err
			}
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		fieldType, err := ts.typeOf(f.Type)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t, f.Name, err)
		}
		if tag := f.Tag.Get("ts"); tag != "" { // what the Go type does not say
			fieldType = tag
		}
		if optional || strings.Contains(options, "omit") {
			name += "?"
			fieldType = strings.TrimSuffix(fieldType, " | null")
		}
		b.WriteString(jsDoc("  ", p.docs[t.Name()+"."+f.Name]) + "  " + name + ": " + fieldType + ";\n")
	}
	return nil
}

// docLink matches a name in brackets, a link in Go comments.
var docLink = regexp.MustCompile(`\[([A-Z]\w*(?:\.\w+)?)\]`)

func jsDoc(indent, doc string) string {
	doc = strings.TrimSpace(strings.ReplaceAll(doc, "\n", " "))
	if doc == "" {
		return ""
	}
	return indent + "/** " + strings.ReplaceAll(docLink.ReplaceAllString(doc, "`$1`"), "*/", "* /") + " */\n"
}

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

// apiReference returns the list of the evaluator's methods in Markdown.
func apiReference() string {
	var b strings.Builder
	b.WriteString("# The evaluator's methods\n\n" + generatedNotice +
		"A request is `{\"id\":1,\"method\":\"check\",\"params\":{…}}`, its response `{\"id\":1,\"result\":{…}}` or\n" +
		"`{\"id\":1,\"error\":{\"code\":\"…\",\"message\":\"…\"}}`. [api.d.ts](../npm/api.d.ts) declares parameters and results.\n\n" +
		"A file is given as `text` with a `path` that implies its format, or as an open `document`. The results of editor\n" +
		"methods (such as `diagnose` and `hover`) have the shapes of the Language Server Protocol, as in `rubric lsp`.\n" +
		"Positions are in UTF-16, as in the protocol.\n\n" +
		"| method | parameters | answers |\n|---|---|---|\n")
	for _, m := range api.Methods() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.Name, strings.Join(parameterNames(m.Params), " "), m.Summary)
	}
	b.WriteString("\n`rubric-small.wasm` lacks " + quoteList(api.OnlyWhole) + " and users' JSON Schemas. It answers such a method with\n" +
		"the code `" + api.NotIncluded + "`: load `rubric.wasm`, which has every method, open the documents there, and call it again.\n")
	b.WriteString("\nAn error's `code` is one of " + quoteList(api.Codes) + "; these codes are stable.\n")
	return b.String()
}

// parameterNames returns the JSON fields of a struct; `?` marks optional ones.
func parameterNames(t reflect.Type) (names []string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			names = append(names, parameterNames(f.Type)...)
			continue
		case strings.Contains(options, "omit"):
			name += "?"
		}
		names = append(names, "`"+name+"`")
	}
	return names
}

func quoteList(all []string) string { return "`" + strings.Join(all, "`, `") + "`" }

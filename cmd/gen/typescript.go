package main

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/wasm/api"
)

// typescript writes the types of the evaluator API from the Go types of its parameters
// and results, with their comments.
type typescript struct {
	root     string // of the repository
	packages map[string]*packageDoc
	declared map[string]reflect.Type
	body     strings.Builder
	errs     []error
}

const typescriptNotice = "// Written by `make generate` from package wasm/api. Do not edit.\n"

// apiTypes returns the npm package's type declarations.
func apiTypes(root string) ([]byte, error) {
	ts := &typescript{root: root, packages: map[string]*packageDoc{}, declared: map[string]reflect.Type{}}
	var methods strings.Builder
	for _, m := range api.Methods() {
		params := "Record<string, never>"
		if m.Params.NumField() > 0 {
			params = strings.ToUpper(m.Name[:1]) + m.Name[1:] + "Params"
			ts.declare(params, m.Params, fmt.Sprintf("%s holds the parameters of `%s`.", params, m.Name))
		}
		fmt.Fprintf(&methods, "  /** "+m.Summary+" */\n  %s: { params: %s; result: %s };\n", m.Name, params, ts.typeOf(m.Result))
	}
	ts.typeOf(reflect.TypeFor[ide.DocumentEdit]()) // what a tag names
	return []byte(typescriptNotice + ts.body.String() +
		"\n/** Methods maps each evaluator method to its parameters and result. */\nexport interface Methods {\n" + methods.String() + "}\n"), errors.Join(ts.errs...)
}

// apiMethods returns the npm package's list of methods.
func apiMethods() string {
	names := generic.Map(api.Methods(), func(m api.Method) string { return m.Name })
	list, _ := json.Marshal(names) // strings cannot fail
	return typescriptNotice + "export const methods = " + strings.ReplaceAll(string(list), ",", ", ") + ";\n"
}

// typeOf returns the TypeScript type of a Go type and declares named types.
func (ts *typescript) typeOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage](), t.Implements(reflect.TypeFor[json.Marshaler]()), t.Kind() == reflect.Interface:
		return "unknown"
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return "string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return cmp.Or(strings.Join(ts.load(t).constants[t.Name()], " | "), "string")
	case reflect.Pointer:
		return ts.typeOf(t.Elem()) + " | null"
	case reflect.Slice:
		item := ts.typeOf(t.Elem())
		if strings.Contains(item, "|") {
			item = "(" + item + ")"
		}
		return item + "[]"
	case reflect.Array:
		return "[" + strings.Join(slices.Repeat([]string{ts.typeOf(t.Elem())}, t.Len()), ", ") + "]"
	case reflect.Map:
		return "Record<string, " + ts.typeOf(t.Elem()) + ">"
	case reflect.Struct:
		name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
		ts.declare(name, t, ts.load(t).docs[t.Name()])
		return name
	}
	if !t.ConvertibleTo(reflect.TypeFor[float64]()) {
		ts.errs = append(ts.errs, fmt.Errorf("%s has no TypeScript", t))
	}
	return "number"
}

// declare writes a struct as an interface, once.
func (ts *typescript) declare(name string, t reflect.Type, doc string) {
	switch existing := ts.declared[name]; existing {
	case t:
		return
	case nil:
	default:
		ts.errs = append(ts.errs, fmt.Errorf("both %s and %s are `%s` in TypeScript", existing, t, name))
	}
	ts.declared[name] = t
	var b strings.Builder
	ts.writeFields(&b, t)
	ts.body.WriteString("\n" + jsDoc("", doc) + "export interface " + name + " {\n" + b.String() + "}\n")
}

func (ts *typescript) writeFields(b *strings.Builder, t reflect.Type) {
	optional := t.Kind() == reflect.Pointer // an embedded pointer may be nil
	if optional {
		t = t.Elem()
	}
	docs := ts.load(t).docs
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			ts.writeFields(b, f.Type)
			continue
		case !f.IsExported() || name == "-":
			continue
		}
		fieldType := cmp.Or(f.Tag.Get("ts"), ts.typeOf(f.Type)) // a tag has what the Go type does not say
		name = cmp.Or(name, f.Name)
		if optional || strings.Contains(options, "omit") {
			name += "?"
			fieldType = strings.TrimSuffix(fieldType, " | null")
		}
		b.WriteString(jsDoc("  ", docs[t.Name()+"."+f.Name]) + "  " + name + ": " + fieldType + ";\n")
	}
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

// A packageDoc holds the comments of `Type` and `Type.Field`, and the literal values of
// typed string constants.
type packageDoc struct {
	docs      map[string]string
	constants map[string][]string
}

// load reads doc comments and constants from the source of a type's package.
func (ts *typescript) load(t reflect.Type) *packageDoc {
	path, inModule := strings.CutPrefix(t.PkgPath(), module)
	if !inModule {
		return &packageDoc{}
	}
	if known := ts.packages[path]; known != nil {
		return known
	}
	p := &packageDoc{map[string]string{}, map[string][]string{}}
	ts.packages[path] = p
	files, _ := filepath.Glob(filepath.Join(ts.root, filepath.FromSlash(path), "*.go")) // the pattern is valid
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			ts.errs = append(ts.errs, err)
			continue
		}
		for _, d := range file.Decls {
			if group, ok := d.(*ast.GenDecl); ok {
				p.add(group)
			}
		}
	}
	return p
}

func (p *packageDoc) add(group *ast.GenDecl) {
	for _, spec := range group.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			p.docs[spec.Name.Name] = group.Doc.Text()
			if body, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range body.Fields.List {
					for _, name := range f.Names {
						p.docs[spec.Name.Name+"."+name.Name] = f.Doc.Text() + f.Comment.Text()
					}
				}
			}
		case *ast.ValueSpec:
			typeName, ok := spec.Type.(*ast.Ident)
			for _, value := range spec.Values {
				if text, isLiteral := value.(*ast.BasicLit); ok && group.Tok == token.CONST && isLiteral && text.Kind == token.STRING {
					p.constants[typeName.Name] = append(p.constants[typeName.Name], text.Value)
				}
			}
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

package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/rubric-ls/rubric/wasm/api"
)

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

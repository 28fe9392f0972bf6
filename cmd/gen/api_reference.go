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
		"`{\"id\":1,\"error\":{\"code\":\"…\",\"message\":\"…\"}}`. What parameters and results hold, [api.d.ts](../npm/api.d.ts) says.\n\n" +
		"A file is given as `text`, with a `path` that tells its format, or as the `document` that it was opened as. What\n" +
		"editors ask (`diagnose`, `hover` and the like) has the protocol's shapes as results, and those of `rubric lsp`.\n" +
		"Positions are the Language Server Protocol's, in UTF-16.\n\n" +
		"| method | parameters | answers |\n|---|---|---|\n")
	for _, m := range api.Methods() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.Name, strings.Join(parameterNames(m.Params), " "), m.Summary)
	}
	b.WriteString("\nAn error's `code` is one of " + quoteList(api.Codes) + "; these are stable for ever.\n")
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

package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

var versionDirective = pattern.New(`^%YAML[ \t]+[0-9]+\.[0-9]+[ \t]*($|[ \t]#)`)

// hideDirectives hides from the library what it stops at though it need not: a
// version other than 1.1, and directives that YAML reserves and readers ignore.
// They only stand before the `---` of a document; elsewhere a `%` is text.
func hideDirectives(out []byte, body string) {
	before := true
	var pending []text.Span
	for pos := 0; pos < len(body); pos = nextLine(body, lineEnd(body, pos)) {
		span := text.Span{Start: pos, End: lineEnd(body, pos)}
		if strings.HasPrefix(body[pos:], byteOrderMark) {
			span.Start += len(byteOrderMark)
		}
		line := body[span.Start:span.End]
		content := strings.TrimLeft(line, " \t")
		switch {
		case isDocumentMark(body, span.Start):
			before = line[0] == '.'
			if before {
				pending = nil
			}
			for _, directive := range pending {
				hideDirective(out[directive.Start:directive.End], body[directive.Start:directive.End])
			}
			pending = nil
		case before && strings.HasPrefix(line, "%"):
			pending = append(pending, span)
		case content != "" && content[0] != '#':
			before, pending = false, nil
		}
	}
}

func hideDirective(out []byte, line string) {
	switch {
	case versionDirective().MatchString(line):
		dot := strings.IndexByte(line, '.')
		for i := len("%YAML"); i < len(line) && line[i] != '#'; i++ {
			if line[i] >= '0' && line[i] <= '9' {
				out[i] = ' '
			}
		}
		out[dot], out[dot-1], out[dot+1] = '.', '1', '1'
	case !strings.HasPrefix(line, "%YAML ") && !strings.HasPrefix(line, "%TAG "):
		for i := 0; i < len(line) && !(line[i] == '#' && isBlank(line[i-1])); i++ {
			out[i] = ' '
		}
	}
}

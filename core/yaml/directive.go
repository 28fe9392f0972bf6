package yaml

import (
	"regexp"
	"strings"
)

var versionDirective = regexp.MustCompile(`^%YAML[ \t]+[0-9]+\.[0-9]+[ \t]*($|[ \t]#)`)

// directives hides from the library what it stops at though it need not: a
// version other than 1.1, and directives that YAML reserves and readers ignore.
// They only stand before a document; elsewhere a `%` is text.
func directives(out []byte, body string) {
	before := true
	for at := 0; at < len(body); {
		end := lineEnd(body, at)
		line := strings.TrimPrefix(body[at:end], byteOrderMark)
		words := strings.TrimLeft(line, " \t")
		switch {
		case isDocumentMark(body, at):
			before = strings.HasPrefix(line, "...")
		case before && strings.HasPrefix(line, "%"):
			hideDirective(out[end-len(line):end], line)
		case words != "" && words[0] != '#':
			before = false
		}
		at = nextLine(body, end)
		if end == len(body) {
			return
		}
	}
}

func hideDirective(out []byte, line string) {
	switch {
	case versionDirective.MatchString(line):
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

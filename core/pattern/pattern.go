package pattern

import (
	"regexp"
	"sync"
)

// Lazy gives a regular expression, which is compiled when it is first asked for.
type Lazy func() *regexp.Regexp

// New is the regular expression of an expression in the syntax of [regexp], which
// has to be well-formed.
func New(expression string) Lazy {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

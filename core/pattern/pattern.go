// Package pattern compiles the engine's own regular expressions on first use.
// Compiling the hundred of them at start-up, as regexp.MustCompile does, took two
// thirds of the start-up time, which is longest in WebAssembly. Patterns and words that
// users write are those of package ecmascript.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a regular expression and compiles it on the first call.
type Lazy func() *regexp.Regexp

// New returns the regular expression for expression, in the syntax of [regexp]. The
// first use panics if expression is invalid.
func New(expression string) Lazy {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

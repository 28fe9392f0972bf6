// Package ecmascript matches regular expressions as JavaScript does, with lookaround, back
// references and named groups. Its rules are those of ECMA-262, with its Annex B for patterns
// without flag u. The flag v and properties that package unicode lacks are errors.
//
// Matching backtracks, so that a pattern may need exponential time. It stops after a number of
// steps, the same on every machine and in WebAssembly, where no clock could stop it.
package ecmascript

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

const (
	maxSteps   = 7_000_000 // of one match
	maxDepth   = 100_000   // of nodes that wait for what is after them
	maxPattern = 100_000   // characters
)

// ErrTooComplex says that a match was stopped.
var ErrTooComplex = errors.New("the regular expression needs too many steps on this text")

// Regexp is a compiled pattern. It is safe for concurrent use.
type Regexp struct {
	flags
	root   *node
	groups int
}

// flags are those of JavaScript that affect whether a pattern matches.
type flags struct{ ignoreCase, multiline, dotAll, unicode, sticky bool }

// Compile parses a pattern with flags in JavaScript's notation.
func Compile(pattern, flagLetters string) (*Regexp, error) {
	f, err := parseFlags(flagLetters)
	if err != nil {
		return nil, err
	}
	p := &parser{flags: f, source: f.decode(pattern)}
	root, err := p.parse()
	if err != nil {
		return nil, err
	}
	return &Regexp{flags: f, root: root, groups: p.groups}, nil
}

func parseFlags(letters string) (f flags, err error) {
	known := map[rune]*bool{'i': &f.ignoreCase, 'm': &f.multiline, 's': &f.dotAll, 'u': &f.unicode, 'y': &f.sticky, 'g': new(bool), 'd': new(bool)}
	for i, letter := range letters {
		flag := known[letter]
		switch {
		case flag == nil:
			return f, fmt.Errorf("the flag `%c` of the regular expression is not supported", letter)
		case strings.ContainsRune(letters[:i], letter):
			return f, fmt.Errorf("the flag `%c` of the regular expression is repeated", letter)
		}
		*flag = true
	}
	return f, nil
}

// decode returns the characters of a text: code points with flag u, else UTF-16 units.
func (f flags) decode(text string) []rune {
	if f.unicode {
		return []rune(text)
	}
	units := make([]rune, 0, len(text))
	for _, r := range text {
		if high, low := utf16.EncodeRune(r); high != '\uFFFD' {
			units = append(units, high, low)
		} else {
			units = append(units, r)
		}
	}
	return units
}

// MatchString reports whether the pattern matches anywhere in text. The error is [ErrTooComplex].
func (re *Regexp) MatchString(text string) (bool, error) {
	m := &matcher{Regexp: re, text: re.decode(text), captures: slices.Repeat([]int{-1}, 2*re.groups+2)}
	matched := false
	for start := 0; start <= len(m.text) && !matched && !m.stopped && !(re.sticky && start > 0); start++ {
		matched = m.match(re.root, start, false, m.succeed)
	}
	if m.stopped {
		return false, ErrTooComplex
	}
	return matched, nil
}

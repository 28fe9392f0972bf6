package cli

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

// An output is standard output or standard error. Files, models and commands may hold
// characters that steer a terminal: an output writes them as JSON escapes such as \u001b,
// whatever the format. JSON means the same with them.
type output struct {
	stream io.Writer
	colors bool // the colours of our own styles pass; see colored

	mu   sync.Mutex
	rest []byte // the begin of a character or a colour, whose end the next write has
}

// color is how our own styles set a colour, as far as it is there.
var color = pattern.Of(`^\x1b(?:\[(?:[02]|(?:1;?)?(?:3[1-6]?)?))?(m?)`)

// Write writes p with its steering characters escaped.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.rest) == 0 && !bytes.ContainsFunc(p, func(r rune) bool { return r == utf8.RuneError || text.IsSteering(r) }) {
		return o.stream.Write(p)
	}
	safe, rest := o.escaped(append(o.rest, p...), false)
	o.rest = rest
	if _, err := o.stream.Write(safe); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes what still waits for its end.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.rest) > 0 {
		safe, _ := o.escaped(o.rest, true)
		_, _ = o.stream.Write(safe) // nothing is left that could report an error
		o.rest = nil
	}
}

// escaped gives what can be written, and what has to wait for more. Nothing waits at the
// end.
func (o *output) escaped(p []byte, end bool) (safe, rest []byte) {
	for len(p) > 0 {
		size := 1
		switch c := p[0]; {
		case !end && (!utf8.FullRune(p) || c == '\r' && len(p) == 1):
			return safe, p
		case c == '\r' && len(p) > 1 && p[1] == '\n':
			safe = append(safe, c)
		default:
			if c == '\x1b' && o.colors {
				begun := color().FindSubmatch(p)
				size = len(begun[0])
				if len(begun[1]) > 0 {
					safe = append(safe, begun[0]...)
					break
				}
				if !end && size == len(p) {
					return safe, p
				}
			}
			var r rune
			r, size = utf8.DecodeRune(p)
			if text.IsSteering(r) {
				safe = fmt.Appendf(safe, `\u%04x`, r)
			} else {
				safe = utf8.AppendRune(safe, r)
			}
		}
		p = p[size:]
	}
	return safe, nil
}

// direct is the stream behind an output: for protocols, for documents that go to a file,
// and for a line that redraws itself.
func direct(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.stream
	}
	return w
}

// document is where a whole document in the format of others is written: as it is, unless
// a person looks at it.
func (s *session) document() io.Writer {
	if isTerminal(s.stdout) {
		return s.stdout
	}
	return direct(s.stdout)
}

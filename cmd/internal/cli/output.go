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
	stream      io.Writer
	allowColors bool // the colours of our own styles pass; see colored

	mu      sync.Mutex
	pending []byte // the begin of a character or a colour, whose end the next write has
}

// colorSequence is how our own styles set a colour, as far as it is there.
var colorSequence = pattern.New(`^\x1b(?:\[(?:[02]|(?:1;?)?(?:3[1-6]?)?))?(m?)`)

// Write writes p with its steering characters escaped.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.pending) == 0 && !bytes.ContainsFunc(p, func(r rune) bool { return r == utf8.RuneError || text.IsDisplayControl(r) }) {
		return o.stream.Write(p)
	}
	safe, pending := o.escape(append(o.pending, p...), false)
	o.pending = pending
	if _, err := o.stream.Write(safe); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes what still waits for its end.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.pending) > 0 {
		safe, _ := o.escape(o.pending, true)
		_, _ = o.stream.Write(safe) // nothing is left that could report an error
		o.pending = nil
	}
}

// escape gives what can be written, and what has to wait for more. Nothing waits at the
// end.
func (o *output) escape(p []byte, atEnd bool) (safe, pending []byte) {
	for len(p) > 0 {
		size := 1
		switch c := p[0]; {
		case !atEnd && (!utf8.FullRune(p) || c == '\r' && len(p) == 1):
			return safe, p
		case c == '\r' && len(p) > 1 && p[1] == '\n':
			safe = append(safe, c)
		default:
			if c == '\x1b' && o.allowColors {
				match := colorSequence().FindSubmatch(p)
				size = len(match[0])
				if len(match[1]) > 0 {
					safe = append(safe, match[0]...)
					break
				}
				if !atEnd && size == len(p) {
					return safe, p
				}
			}
			var r rune
			r, size = utf8.DecodeRune(p)
			if text.IsDisplayControl(r) {
				safe = fmt.Appendf(safe, `\u%04x`, r)
			} else {
				safe = utf8.AppendRune(safe, r)
			}
		}
		p = p[size:]
	}
	return safe, nil
}

// rawWriter is the stream behind an output: for protocols, for documents that go to a file,
// and for a line that redraws itself.
func rawWriter(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.stream
	}
	return w
}

// documentWriter is where a whole document in the format of others is written: as it is, unless
// a person looks at it.
func (s *session) documentWriter() io.Writer {
	if isTerminal(s.stdout) {
		return s.stdout
	}
	return rawWriter(s.stdout)
}

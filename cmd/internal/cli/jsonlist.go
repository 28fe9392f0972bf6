package cli

import (
	"bytes"
	"encoding/json"
	"io"
)

// jsonList writes a list of JSON item by item, as encoding/json would all of it:
// ten thousand findings need not be in memory as text at once.
type jsonList struct {
	out    io.Writer
	indent string // of the line that the list begins on
	begun  bool
	err    error // the first of writing
}

func (l *jsonList) write(text string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.out, text)
	}
}

// next begins an item that is written by hand.
func (l *jsonList) next() {
	if l.begun {
		l.write(",\n" + l.indent + "  ")
	} else {
		l.write("[\n" + l.indent + "  ")
	}
	l.begun = true
}

// add writes an item.
func (l *jsonList) add(item any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(l.indent+"  ", "  ")
	if err := enc.Encode(item); err != nil {
		l.err = err
		return
	}
	l.next()
	l.write(string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))))
}

// end writes the list's end.
func (l *jsonList) end() error {
	if l.begun {
		l.write("\n" + l.indent + "]")
	} else {
		l.write("[]")
	}
	return l.err
}

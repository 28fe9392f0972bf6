package jsonlist

import (
	"bytes"
	"encoding/json"
	"io"
)

// List is a list that is being written.
type List struct {
	Out    io.Writer
	Indent string // of the line that the list begins on
	begun  bool
	err    error // the first of writing
}

func (l *List) write(text string) {
	if l.err == nil {
		_, l.err = io.WriteString(l.Out, text)
	}
}

// Next begins an item that is written by hand.
func (l *List) Next() {
	if l.begun {
		l.write(",\n" + l.Indent + "  ")
	} else {
		l.write("[\n" + l.Indent + "  ")
	}
	l.begun = true
}

// Add writes an item.
func (l *List) Add(item any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(l.Indent+"  ", "  ")
	if err := enc.Encode(item); err != nil {
		l.err = err
		return
	}
	l.Next()
	l.write(string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))))
}

// End writes the list's end. An error is the first that there was.
func (l *List) End() error {
	if l.begun {
		l.write("\n" + l.Indent + "]")
	} else {
		l.write("[]")
	}
	return l.err
}

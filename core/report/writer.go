package report

import (
	"fmt"
	"io"
	"strings"
)

// writer writes HTML, of which it holds little.
type writer struct {
	strings.Builder
	to  io.Writer
	err error // the first of writing
}

// spill writes what has been put together, if it is much.
func (w *writer) spill() {
	if w.Len() > 1<<16 {
		w.flush()
	}
}

func (w *writer) flush() {
	if w.err == nil {
		_, w.err = io.WriteString(w.to, w.String())
	}
	w.Reset()
}

// raw writes markup of ours. Verbs in it are filled in with numbers and with texts,
// which are escaped.
func (w *writer) raw(markup string, values ...any) {
	for i, v := range values {
		if _, number := v.(int); !number {
			values[i] = escaped(fmt.Sprint(v))
		}
	}
	if len(values) > 0 {
		markup = fmt.Sprintf(markup, values...)
	}
	w.WriteString(markup)
}

// escapes are of texts, within elements and within quotes.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\ufffd")

func escaped(text string) string { return escapes.Replace(text) }

// words writes a sentence, in which what stands in backticks is code.
func (w *writer) words(sentence string) {
	pieces := strings.Split(sentence, "`")
	if len(pieces)%2 == 0 { // a backtick without its partner is itself
		last := len(pieces) - 1
		pieces[last-1] += "`" + pieces[last]
		pieces = pieces[:last]
	}
	for i, piece := range pieces {
		if i%2 == 1 {
			w.raw("<code>%s</code>", piece)
		} else {
			w.raw("%s", piece)
		}
	}
}

// element writes an element with a text in it, or nothing for no text.
func (w *writer) element(open, text, end string) {
	if text != "" {
		w.raw(open)
		w.raw("%s", text)
		w.raw(end)
	}
}

// sentence is element for a sentence.
func (w *writer) sentence(open, text, end string) {
	if text != "" {
		w.raw(open)
		w.words(text)
		w.raw(end)
	}
}

package report

import (
	"fmt"
	"io"
	"strings"
)

// htmlWriter writes HTML, of which it holds little.
type htmlWriter struct {
	strings.Builder
	out io.Writer
	err error // the first of writing
}

// flushIfLarge writes what has been put together, if it is much.
func (w *htmlWriter) flushIfLarge() {
	if w.Len() > 1<<16 {
		w.flush()
	}
}

func (w *htmlWriter) flush() {
	if w.err == nil {
		_, w.err = io.WriteString(w.out, w.String())
	}
	w.Reset()
}

// markup writes markup of ours. Verbs in it are filled in with numbers and with texts,
// which are escaped.
func (w *htmlWriter) markup(markup string, values ...any) {
	for i, v := range values {
		if _, number := v.(int); !number {
			values[i] = escapeHTML(fmt.Sprint(v))
		}
	}
	if len(values) > 0 {
		markup = fmt.Sprintf(markup, values...)
	}
	w.WriteString(markup)
}

// htmlEscaper are of texts, within elements and within quotes.
var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\ufffd")

func escapeHTML(text string) string { return htmlEscaper.Replace(text) }

// prose writes a sentence, in which what stands in backticks is code.
func (w *htmlWriter) prose(sentence string) {
	parts := strings.Split(sentence, "`")
	if len(parts)%2 == 0 { // a backtick without its partner is itself
		last := len(parts) - 1
		parts[last-1] += "`" + parts[last]
		parts = parts[:last]
	}
	for i, part := range parts {
		if i%2 == 1 {
			w.markup("<code>%s</code>", part)
		} else {
			w.markup("%s", part)
		}
	}
}

// element writes an element with a text in it, or nothing for no text.
func (w *htmlWriter) element(open, text, end string) {
	if text != "" {
		w.markup(open)
		w.markup("%s", text)
		w.markup(end)
	}
}

// proseElement is element for a sentence.
func (w *htmlWriter) proseElement(open, text, end string) {
	if text != "" {
		w.markup(open)
		w.prose(text)
		w.markup(end)
	}
}

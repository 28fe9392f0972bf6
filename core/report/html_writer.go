package report

import (
	"fmt"
	"io"
	"strings"
)

// htmlWriter writes HTML with a small buffer.
type htmlWriter struct {
	strings.Builder
	out io.Writer
	err error // the first write error
}

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

// markup writes our own markup, with values formatted into it. It escapes all values but numbers.
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

// htmlEscaper escapes texts in elements and in quoted attributes.
var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\x00", "\ufffd")

func escapeHTML(text string) string { return htmlEscaper.Replace(text) }

// prose writes a sentence; text in backticks becomes code.
func (w *htmlWriter) prose(sentence string) {
	parts := strings.Split(sentence, "`")
	if len(parts)%2 == 0 { // an unpaired backtick is literal
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

// element writes text between open and end, or nothing if text is empty.
func (w *htmlWriter) element(open, text, end string) {
	if text != "" {
		w.markup(open)
		w.markup("%s", text)
		w.markup(end)
	}
}

// proseElement is like element for a sentence; see prose.
func (w *htmlWriter) proseElement(open, text, end string) {
	if text != "" {
		w.markup(open)
		w.prose(text)
		w.markup(end)
	}
}

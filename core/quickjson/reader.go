package quickjson

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unmarshal reads a JSON text into what a pointer leads to, which is empty. The error is
// encoding/json's.
func Unmarshal(text string, into any) error {
	if Read(text, into) {
		return nil
	}
	reflect.ValueOf(into).Elem().SetZero()
	return json.Unmarshal([]byte(text), into)
}

// Read reads a JSON text into what a pointer leads to, which is empty, and reports
// whether it has. It does not read what is no JSON or other JSON, nor what is written as
// seldom is: it is then not known what it leaves there, and encoding/json has to be
// asked. Texts that are read may be parts of text.
func Read(text string, into any) bool {
	v := reflect.ValueOf(into).Elem()
	f := formOf(v.Type())
	if f.read == nil {
		return false
	}
	r := &reader{text: text}
	f.read(r, v)
	return r.peek() == 0 && r.at == len(text) && !r.lost
}

// compact reports whether a text is JSON without white space.
func compact(text string) bool {
	r := &reader{text: text}
	r.skip()
	return r.at == len(text) && !r.lost && !r.spaced
}

// reader reads values one by one. Once it is lost nothing that it gives counts.
type reader struct {
	text   string
	at     int
	deep   int
	spaced bool // there was white space
	lost   bool
}

func (r *reader) bool(into reflect.Value) {
	switch r.peek() {
	case 't':
		into.SetBool(r.word("true"))
	case 'f':
		into.SetBool(!r.word("false"))
	default:
		r.lost = !r.null()
	}
}

func (r *reader) int(into reflect.Value) {
	if r.null() {
		return
	}
	n, err := strconv.ParseInt(r.number(), 10, 64)
	r.lost = r.lost || err != nil || into.OverflowInt(n)
	into.SetInt(n)
}

func (r *reader) float(into reflect.Value) {
	if !r.null() {
		into.SetFloat(r.parsed())
	}
}

func (r *reader) inText(into reflect.Value) {
	if !r.null() {
		into.SetString(r.string())
	}
}

func (r *reader) raw(into reflect.Value) {
	r.peek()
	start := r.at
	r.skip()
	into.SetBytes([]byte(r.text[start:r.at]))
}

// any reads any value into an interface.
func (r *reader) any(into reflect.Value) {
	if value := r.value(); value != nil {
		into.Set(reflect.ValueOf(value))
	} else {
		into.SetZero()
	}
}

// value reads any value.
func (r *reader) value() any {
	switch r.peek() {
	case '"':
		return r.string()
	case '{':
		object := map[string]any{}
		r.object(func(name string) { object[name] = r.value() })
		return object
	case '[':
		list := []any{}
		r.list(func() { list = append(list, r.value()) })
		return list
	case 't':
		return r.word("true")
	case 'f':
		return !r.word("false")
	case 'n':
		r.word("null")
		return nil
	}
	return r.parsed()
}

// skip reads any value and leaves it.
func (r *reader) skip() {
	switch r.peek() {
	case '"':
		r.string()
	case '{':
		r.object(func(string) { r.skip() })
	case '[':
		r.list(r.skip)
	case 't':
		r.word("true")
	case 'f':
		r.word("false")
	case 'n':
		r.word("null")
	default:
		r.number()
	}
}

// object reads an object, and has each of its values read.
func (r *reader) object(value func(name string)) {
	if !r.null() {
		r.each('{', '}', func() {
			name := r.string()
			r.expect(':')
			value(name)
		})
	}
}

// list reads a list, and has each of its items read.
func (r *reader) list(item func()) { r.each('[', ']', item) }

// each has everything between brackets read that commas divide.
func (r *reader) each(open, end byte, read func()) {
	r.expect(open)
	if r.deep++; r.deep > deepest {
		r.lost = true
	}
	for first := true; !r.lost && !r.take(end); first = false {
		if !first {
			r.expect(',')
		}
		read()
	}
	r.deep--
}

// beyond leaves the value of a name that is none of the fields', unless encoding/json
// might take it for one, as it does where letters are larger or smaller.
func (r *reader) beyond(name string, all fields) {
	for _, f := range all {
		r.lost = r.lost || strings.EqualFold(f.name, name)
	}
	r.skip()
}

func (r *reader) null() bool { return r.peek() == 'n' && r.word("null") }

// peek is the byte that comes next behind white space; 0 if none does, or nothing is
// read any more.
func (r *reader) peek() byte {
	for ; r.at < len(r.text) && !r.lost; r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\n', '\t', '\r':
			r.spaced = true
		default:
			return c
		}
	}
	return 0
}

func (r *reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.at++
	return true
}

func (r *reader) expect(c byte) { r.lost = r.lost || !r.take(c) }

// word reads a word, and is true.
func (r *reader) word(w string) bool {
	if r.lost = r.lost || !strings.HasPrefix(r.text[r.at:], w); !r.lost {
		r.at += len(w)
	}
	return true
}

// parsed reads a number.
func (r *reader) parsed() float64 {
	f, err := strconv.ParseFloat(r.number(), 64)
	r.lost = r.lost || err != nil
	return f
}

// number reads the letters of a number without an exponent.
func (r *reader) number() string {
	r.peek()
	start := r.at
	if strings.HasPrefix(r.text[r.at:], "-") {
		r.at++
	}
	whole := r.digits()
	ok := whole == 1 || whole > 1 && r.text[r.at-whole] != '0'
	if strings.HasPrefix(r.text[r.at:], ".") {
		r.at++
		ok = r.digits() > 0 && ok
	}
	if rest := r.text[r.at:]; !ok || rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		r.lost = true
		return ""
	}
	return r.text[start:r.at]
}

func (r *reader) digits() (n int) {
	for ; r.at < len(r.text) && '0' <= r.text[r.at] && r.text[r.at] <= '9'; r.at++ {
		n++
	}
	return n
}

// string reads a text.
func (r *reader) string() string {
	r.expect('"')
	if r.lost {
		return ""
	}
	rest := r.text[r.at:]
	n := unescaped(rest)
	if n < len(rest) && rest[n] == '"' {
		r.at += n + 1
		return r.valid(rest[:n])
	}
	text := append(make([]byte, 0, n+64), rest[:n]...)
	for n+1 < len(rest) && rest[n] == '\\' && unescape[rest[n+1]] != 0 {
		text, rest = append(text, unescape[rest[n+1]]), rest[n+2:]
		n = unescaped(rest)
		text = append(text, rest[:n]...)
	}
	if n == len(rest) || rest[n] != '"' {
		r.lost = true
		return ""
	}
	r.at = len(r.text) - len(rest) + n + 1
	return r.valid(string(text))
}

// unescape are the characters that most escapes stand for.
var unescape = [256]byte{'"': '"', '\\': '\\', '/': '/', 'n': '\n', 't': '\t', 'r': '\r'}

// unescaped is how many bytes of s, from its beginning, stand for themselves in a text.
func unescaped(s string) int {
	n := plain(s, false)
	for n < len(s) && s[n] >= utf8.RuneSelf {
		n++
		n += plain(s[n:], false)
	}
	return n
}

// valid is a text that is UTF-8: encoding/json mends others.
func (r *reader) valid(text string) string {
	r.lost = r.lost || !utf8.ValidString(text)
	return text
}

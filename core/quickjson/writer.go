package quickjson

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// Marshal is a value as JSON. With html it escapes as [json.Marshal] does, without as a
// [json.Encoder] that was told not to. The error is encoding/json's.
func Marshal(value any, html bool) (text []byte, err error) {
	err = use(value, html, func(written []byte) error {
		text = bytes.Clone(written)
		return nil
	})
	return text, err
}

// Write writes what [Marshal] gives, and an ending, at once or, if there is none, not at
// all.
func Write(to io.Writer, value any, html bool, ending string) error {
	return use(value, html, func(written []byte) error {
		_, err := to.Write(append(written, ending...))
		return err
	})
}

// use has a value used as it is written.
func use(value any, html bool, as func([]byte) error) error {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	*w = writer{text: w.text[:0], html: html}
	if w.dynamic(reflect.ValueOf(&value).Elem()); w.lost { // what of it is wrong, encoding/json is to say
		w.text = w.text[:0]
		if err := w.encode(value); err != nil {
			return err
		}
	}
	return as(w.text)
}

// writers are those that nobody uses, and have room.
var writers = sync.Pool{New: func() any { return new(writer) }}

// writer appends values to one another. Once it is lost nothing that it has written counts.
type writer struct {
	text []byte
	html bool
	deep int
	lost bool
}

// any writes a value of any type.
func (w *writer) any(v reflect.Value) { formOf(v.Type()).write(w, v) }

func (w *writer) null() { w.text = append(w.text, "null"...) }

// library writes a value as encoding/json does.
func (w *writer) library(v reflect.Value) {
	if v.CanAddr() {
		v = v.Addr() // whose methods count as well
	} else if v.Kind() == reflect.Interface { // which says how, whatever it holds
		at := reflect.New(v.Type())
		at.Elem().Set(v)
		v = at
	}
	w.lost = w.lost || w.encode(v.Interface()) != nil
}

func (w *writer) encode(value any) error {
	encoder := json.NewEncoder((*tail)(w))
	encoder.SetEscapeHTML(w.html)
	return encoder.Encode(value)
}

// tail appends what an encoder writes, without the line's end.
type tail writer

func (t *tail) Write(line []byte) (int, error) {
	t.text = append(t.text, line[:len(line)-1]...)
	return len(line), nil
}

func (w *writer) bool(v reflect.Value) { w.text = strconv.AppendBool(w.text, v.Bool()) }

func (w *writer) int(v reflect.Value) { w.text = strconv.AppendInt(w.text, v.Int(), 10) }

func (w *writer) float(v reflect.Value) {
	if f := v.Float(); bare(f) {
		w.number(f)
		return
	}
	w.library(v)
}

// bare reports whether a number is written without an exponent, and is one that JSON has.
func bare(f float64) bool { return f == 0 || 1e-6 <= math.Abs(f) && math.Abs(f) < 1e21 }

func (w *writer) number(f float64) {
	if n := int64(f); 0 < n && n < 1<<53 && float64(n) == f { // as most are
		w.text = strconv.AppendInt(w.text, n, 10)
		return
	}
	w.text = strconv.AppendFloat(w.text, f, 'f', -1, 64)
}

func (w *writer) string(v reflect.Value) { w.text = appendText(w.text, v.String(), w.html) }

// raw writes JSON as it is, if it is as it should be.
func (w *writer) raw(v reflect.Value) {
	if !w.html && compact(string(v.Bytes())) {
		w.text = append(w.text, v.Bytes()...)
		return
	}
	w.library(v)
}

// deepest is how deep values lie in others that are not of a seldom kind: if they lead
// in circles, encoding/json finds that out.
const deepest = 100

// enter reports whether what a value leads to is to be written. The caller leaves it by
// one less deep.
func (w *writer) enter(v reflect.Value) bool {
	w.deep++
	switch {
	case w.lost: // or a circle with two ways through it would be gone round for ever
	case v.Kind() != reflect.Array && v.IsNil():
		w.null()
	case w.deep > deepest:
		w.library(v)
	default:
		return true
	}
	return false
}

func (w *writer) dynamic(v reflect.Value) {
	if w.enter(v) {
		w.any(v.Elem())
	}
	w.deep--
}

// numbers writes a map of numbers, by their names.
func (w *writer) numbers(v reflect.Value) {
	all, _ := v.Interface().(map[string]float64)
	names, usual := make([]string, 0, len(all)), all != nil
	for name, f := range all {
		names, usual = append(names, name), usual && bare(f)
	}
	if !usual {
		w.library(v)
		return
	}
	slices.Sort(names)
	w.text = append(w.text, '{')
	for i, name := range names {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		w.text = append(appendText(w.text, name, w.html), ':')
		w.number(all[name])
	}
	w.text = append(w.text, '}')
}

package quickjson

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync"
)

// form is how the values of a type are written and read.
type form struct {
	write func(*writer, reflect.Value)
	read  func(*reader, reflect.Value) // nil if by encoding/json alone
}

var forms struct {
	known sync.Map // of *form, by reflect.Type
	mu    sync.Mutex
}

// formOf is the form of a type, which is found out once.
func formOf(t reflect.Type) *form {
	if f, ok := forms.known.Load(t); ok {
		return f.(*form)
	}
	forms.mu.Lock()
	defer forms.mu.Unlock()
	fresh := shaper{}
	f := fresh.of(t)
	for t, f := range fresh {
		forms.known.Store(t, f)
	}
	return f
}

// shaper finds out the forms of types that hold one another, which nobody else uses
// before all of them are known.
type shaper map[reflect.Type]*form

var (
	marshaler       = reflect.TypeFor[json.Marshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	saysZero        = reflect.TypeFor[interface{ IsZero() bool }]()
)

func (s shaper) of(t reflect.Type) *form {
	if f, ok := s[t]; ok {
		return f
	}
	f := &form{write: (*writer).library}
	s[t] = f
	if t == reflect.TypeFor[json.RawMessage]() {
		f.write, f.read = (*writer).raw, (*reader).raw
		return f
	}
	if t == reflect.TypeFor[json.Number]() {
		return f
	}
	write, read := s.by(t)
	if write != nil && !has(t, marshaler) && !has(t, textMarshaler) {
		f.write = write
	}
	if !has(t, unmarshaler) && !has(t, textUnmarshaler) {
		f.read = read
	}
	return f
}

// has reports whether a type has some methods, or a pointer to it has: to an interface or
// to a pointer, none has any.
func has(t, methods reflect.Type) bool {
	return t.Implements(methods) || reflect.PointerTo(t).Implements(methods)
}

// by is how the values of a type are written and read by what it is made of; nil for
// what is left to encoding/json.
func (s shaper) by(t reflect.Type) (write func(*writer, reflect.Value), read func(*reader, reflect.Value)) {
	switch t.Kind() {
	case reflect.Bool:
		return (*writer).bool, (*reader).bool
	case reflect.Int, reflect.Int64:
		return (*writer).int, (*reader).int
	case reflect.Float64:
		return (*writer).float, (*reader).float
	case reflect.String:
		return (*writer).string, (*reader).inText
	case reflect.Interface:
		if write = (*writer).dynamic; t.NumMethod() == 0 {
			read = (*reader).any
		}
	case reflect.Pointer:
		write = s.of(t.Elem()).pointer()
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return nil, nil
		}
		write, read = s.of(t.Elem()).list()
		if t.Kind() == reflect.Array {
			read = nil
		}
	case reflect.Map:
		if t == reflect.TypeFor[map[string]float64]() {
			write = (*writer).numbers
		}
	case reflect.Struct:
		if fields, ok := s.fields(t); ok {
			return fields.write, fields.read
		}
	}
	return write, read
}

// pointer is how pointers to values of a form are written.
func (f *form) pointer() func(*writer, reflect.Value) {
	return func(w *writer, v reflect.Value) {
		if w.enter(v) {
			f.write(w, v.Elem())
		}
		w.deep--
	}
}

// list is how lists of values of a form are written and read.
func (f *form) list() (write func(*writer, reflect.Value), read func(*reader, reflect.Value)) {
	write = func(w *writer, v reflect.Value) {
		if w.enter(v) {
			w.text = append(w.text, '[')
			for i := range v.Len() {
				if i > 0 {
					w.text = append(w.text, ',')
				}
				f.write(w, v.Index(i))
			}
			w.text = append(w.text, ']')
		}
		w.deep--
	}
	read = func(r *reader, into reflect.Value) {
		if r.null() {
			into.SetZero()
			return
		}
		into.Set(reflect.MakeSlice(into.Type(), 0, 1))
		r.list(func() {
			n := into.Len()
			into.Grow(1)
			into.SetLen(n + 1)
			into.Index(n).SetZero()
			if f.read == nil {
				r.lost = true
				return
			}
			f.read(r, into.Index(n))
		})
	}
	return write, read
}

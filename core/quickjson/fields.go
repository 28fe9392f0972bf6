package quickjson

import (
	"reflect"
	"strings"
)

// fields are those of a struct, with those of what it embeds.
type fields []field

type field struct {
	name string
	key  string // the name as it is written, and a colon
	path []int  // to it: more than one where it is embedded
	form *form
	omit func(reflect.Value) bool // nil: never
}

// fields are those of a struct type, unless they are of a kind that is seldom.
func (s shaper) fields(t reflect.Type) (all fields, ok bool) {
	seen := map[string]bool{}
	if !s.collect(t, nil, &all) {
		return nil, false
	}
	for _, f := range all {
		if seen[f.name] {
			return nil, false // where it depends which one counts
		}
		seen[f.name] = true
	}
	return all, len(all) <= 64
}

func (s shaper) collect(t reflect.Type, above []int, all *fields) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		path := append(above[:len(above):len(above)], i)
		if f.Anonymous && name == "" {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if !f.IsExported() || inner.Kind() != reflect.Struct || len(path) > innermost || !s.collect(inner, path, all) {
				return false
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		omit, ok := omission(f.Type, options)
		if !ok || !f.IsExported() || !plainName(name) {
			return false
		}
		*all = append(*all, field{name: name, key: `"` + name + `":`, path: path, form: s.of(f.Type), omit: omit})
	}
	return true
}

// innermost is how deep structs are embedded in others that are not of a seldom kind: one
// may embed a pointer to itself.
const innermost = 8

func plainName(name string) bool {
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// omission is when a field is left out; not ok if that, or another option of its tag,
// is something seldom.
func omission(t reflect.Type, options string) (omit func(reflect.Value) bool, ok bool) {
	switch options {
	case "":
		return nil, true
	case "omitempty":
		switch t.Kind() {
		case reflect.Struct, reflect.Func, reflect.Chan, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer: // never empty
			return nil, true
		case reflect.Slice, reflect.Map, reflect.Array, reflect.String:
			return func(v reflect.Value) bool { return v.Len() == 0 }, true
		}
		return reflect.Value.IsZero, true
	case "omitzero":
		return reflect.Value.IsZero, !has(t, saysZero)
	}
	return nil, false
}

// in is the field of a struct; not valid where what embeds it is not there.
func (f *field) in(v reflect.Value) reflect.Value {
	v = v.Field(f.path[0])
	for _, step := range f.path[1:] {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(step)
	}
	return v
}

func (all fields) write(w *writer, v reflect.Value) {
	w.text = append(w.text, '{')
	start := len(w.text)
	for i := range all {
		f := &all[i]
		value := f.in(v)
		if !value.IsValid() || f.omit != nil && f.omit(value) {
			continue
		}
		if len(w.text) > start {
			w.text = append(w.text, ',')
		}
		w.text = append(w.text, f.key...)
		f.form.write(w, value)
	}
	w.text = append(w.text, '}')
}

// read reads an object whose names are those of the fields, or quite other ones.
func (all fields) read(r *reader, v reflect.Value) {
	var seen uint64
	r.object(func(name string) {
		for i := range all {
			f := &all[i]
			if f.name != name {
				continue
			}
			into := f.in(v)
			if f.form.read == nil || !into.IsValid() || seen&(1<<i) != 0 {
				break
			}
			seen |= 1 << i
			f.form.read(r, into)
			return
		}
		r.beyond(name, all)
	})
}

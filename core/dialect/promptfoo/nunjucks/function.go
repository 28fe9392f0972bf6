package nunjucks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ardanlabs/jinja"

	"github.com/rubric-ls/rubric/core/javascript"
)

// Render fills in the template. Variables that do not exist are empty.
func (t *Template) Render(vars map[string]any) (out string, err error) {
	defer func() {
		if p := recover(); p != nil { // the library asks values for what they are not
			err = fmt.Errorf("the template cannot be filled in: %v", p)
		}
	}()
	var work meter
	values := map[string]jinja.Value{}
	for _, name := range []string{"strftime_now", "namespace", "joiner", "cycler", "dict", "raise_exception"} {
		values[name] = jinja.Undefined() // Nunjucks has none of them
	}
	for name, function := range functions {
		values[name] = jinja.NewCallable(name, func(args []jinja.Value, _ map[string]jinja.Value) (jinja.Value, error) {
			plain := make([]any, len(args), len(args)+3)
			for i, arg := range args {
				plain[i] = work.plain(arg)
			}
			result := function(append(plain, javascript.Undefined{}, javascript.Undefined{}, javascript.Undefined{}))
			if name == "_items" {
				work += meter(len(result.([]any)) * t.size)
			}
			if err, failed := result.(error); failed || work > maxWork {
				return jinja.Undefined(), cmp.Or(err, errTooMuch)
			}
			return toJinja(result), nil
		})
	}
	assigned := jinja.NewDict()
	for _, name := range slices.Concat(t.names, t.assigned) {
		if v, found := vars[name]; found {
			values[name] = toJinja(v)
			assigned.AsDict().Set(name, values[name])
		}
	}
	values["_set"], values["_text"] = assigned, toJinja(t.texts)
	return t.compiled.RenderValues(values)
}

// functions are our filters and functions. Arguments that are missing are undefined, and an error is a failure.
var functions = map[string]func(args []any) any{
	"_print":  func(args []any) any { return javascript.Text(args[0]) },
	"_true":   func(args []any) any { return javascript.IsTrue(args[0]) },
	"_value":  func(args []any) any { return args[0] },
	"_items":  func(args []any) any { return items(args[0], args[1]) },
	"_length": func(args []any) any { return float64(len(items(args[0], nil))) },
	"_number": func(args []any) any { return javascript.Number(args[0]) },
	"_like": func(args []any) any { // what is compared with a number is one, as in JavaScript
		_, withNumber := args[1].(float64)
		_, withText := args[1].(string)
		switch v := args[0].(type) {
		case string, bool:
			if withNumber {
				return javascript.Number(v)
			}
		case float64:
			if withText {
				return javascript.Text(v)
			}
		}
		return args[0]
	},
	"_first": func(args []any) any { return slices.Concat(items(args[0], nil), []any{javascript.Undefined{}})[0] },
	"_last": func(args []any) any {
		list := slices.Concat([]any{javascript.Undefined{}}, items(args[0], nil))
		return list[len(list)-1]
	},
	"_title": func(args []any) any {
		words := strings.Split(strings.ToLower(javascript.Text(args[0])), " ")
		for i, word := range words {
			first, size := utf8.DecodeRuneInString(word)
			if size > 0 {
				words[i] = string(unicode.ToUpper(first)) + word[size:]
			}
		}
		return strings.Join(words, " ")
	},
	"_round": func(args []any) any {
		way := map[string]func(float64) float64{"ceil": math.Ceil, "floor": math.Floor}[javascript.Text(args[2])]
		if way == nil {
			way = func(n float64) float64 { return math.Floor(n + 0.5) }
		}
		factor := math.Pow(10, javascript.As[float64](args[1]))
		return way(javascript.Number(args[0])*factor) / factor
	},
	"_truncate": func(args []any) any {
		letters, length, end := []rune(javascript.Text(args[0])), 255, "..."
		if n, isNumber := args[1].(float64); isNumber && n >= 1 {
			length = int(min(n, math.MaxInt32))
		}
		if len(letters) <= length {
			return string(letters)
		}
		if given, isText := args[3].(string); isText {
			end = given
		}
		cut := string(letters[:length])
		if blank := strings.LastIndex(string(letters[:length+1]), " "); blank >= 0 && !javascript.IsTrue(args[2]) {
			cut = cut[:blank]
		}
		return cut + end
	},
	"_dump": func(args []any) any {
		if _, isMissing := args[0].(javascript.Undefined); isMissing {
			return args[0]
		}
		var b bytes.Buffer
		indent := javascript.As[float64](args[1])
		if indent <= 0 {
			return javascript.JSON(args[0])
		}
		_ = json.Indent(&b, []byte(javascript.JSON(args[0])), "", strings.Repeat(" ", int(min(indent, 10)))) // it is JSON
		return b.String()
	},
	"_load": func(args []any) (v any) {
		if err := json.Unmarshal([]byte(javascript.Text(args[0])), &v); err != nil {
			return fmt.Errorf("`load` needs JSON: %w", err)
		}
		return v
	},
	"_join": func(args []any) any {
		list, isList := args[0].([]any)
		if !isList {
			return errors.New("`join` needs a list")
		}
		parts := make([]string, len(list))
		for i, item := range list {
			if m, isMap := item.(map[string]any); isMap && javascript.Text(args[2]) != "" {
				item = m[javascript.Text(args[2])]
			}
			parts[i] = javascript.Text(item)
		}
		return strings.Join(parts, javascript.Text(args[1]))
	},
	"_abs": number(math.Abs), "abs": number(math.Abs), "ceil": number(math.Ceil), "floor": number(math.Floor),
	"round": func(args []any) any {
		places, _ := args[1].(float64)
		by := math.Pow(10, places)
		return math.Round(javascript.Number(args[0])*by) / by
	},
	"sqrt": number(math.Sqrt), "exp": number(math.Exp), "log": number(math.Log),
	"min": numbers(math.Min), "max": numbers(math.Max), "pow": numbers(math.Pow),
	"range": func(args []any) any {
		start, stop, by := 0.0, javascript.Number(args[0]), 1.0
		if _, isMissing := args[1].(javascript.Undefined); !isMissing {
			start, stop = stop, javascript.Number(args[1])
		}
		if n := javascript.Number(args[2]); n != 0 && !math.IsNaN(n) {
			by = n
		}
		if n := (stop - start) / by; !(n <= maxTag) {
			return errTooMuch
		}
		list := []any{}
		for i := start; by > 0 && i < stop || by < 0 && i > stop; i += by {
			list = append(list, i)
		}
		return list
	},
}

// number is a function of a number, for formulas.
func number(of func(float64) float64) func([]any) any {
	return func(args []any) any { return of(javascript.Number(args[0])) }
}

// numbers is a function of two or more numbers.
func numbers(of func(a, b float64) float64) func([]any) any {
	return func(args []any) any {
		n := javascript.Number(args[0])
		for _, arg := range args[1:] {
			if _, isMissing := arg.(javascript.Undefined); !isMissing {
				n = of(n, javascript.Number(arg))
			}
		}
		return n
	}
}

// items returns what a loop with a number of variables goes over: the entries of a mapping only with two.
func items(v, variables any) (list []any) {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if variables != 1.0 {
				list = append(list, []any{key, v[key]})
			}
		}
	case string:
		for _, letter := range v {
			list = append(list, string(letter))
		}
	}
	return list
}

// A meter counts about what a template takes, in bytes.
type meter int

// plain returns a value of the library as JSON has it.
func (work *meter) plain(v jinja.Value) any {
	*work += 64
	switch {
	case *work > maxWork, v.IsUndefined(), v.IsCallable():
		return javascript.Undefined{}
	case v.IsBool():
		return v.AsBool()
	case v.IsInt():
		return float64(v.AsInt())
	case v.IsFloat():
		return v.AsFloat()
	case v.IsString():
		*work += meter(len(v.AsString()))
		return v.AsString()
	case v.IsList():
		list := make([]any, v.AsList().Len())
		for i, item := range v.AsList().Items {
			list[i] = work.plain(item)
		}
		return list
	case v.IsDict():
		m := map[string]any{}
		for key, item := range v.AsDict().Data {
			m[key] = work.plain(item)
		}
		return m
	}
	return nil
}

// toJinja returns a value of JSON for the library. Whole numbers are integers, which it prints without a point.
func toJinja(v any) jinja.Value {
	return jinja.FromGoValue(javascript.Map(v, func(leaf any) any {
		if n, isNumber := leaf.(float64); isNumber && n == math.Trunc(n) && math.Abs(n) < 1<<53 {
			return int64(n)
		}
		return leaf
	}))
}

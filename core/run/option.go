package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/schema"
)

// MaxCount is the highest value of an option without a limit of its own.
const MaxCount = math.MaxInt32

func indexOf(name string) int {
	i := slices.IndexFunc(options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		panic("there is no option " + name)
	}
	return i
}

func bitOf(name string) uint64 { return 1 << indexOf(name) }

// Key is the option's key in a project's settings: max_calls.
func (o Option) Key() string { return strings.ReplaceAll(o.Name, "-", "_") }

// Setting is the option's name among an editor's settings: maxCalls.
func (o Option) Setting() string { return schema.CamelCase(o.Key()) }

// Description describes the option to the users of a host, in Markdown.
func (o Option) Description(host Hosts) string {
	switch {
	case o.Doc == "":
		return strings.ToUpper(o.Help[:1]) + o.Help[1:] + "."
	case o.Zero != "" && host != Project:
		return o.Doc + " " + o.Zero
	}
	return o.Doc
}

// RefusesZero returns an error if s has a 0 that stands for none: a cost of at most 0 would have no limit.
func (o Option) RefusesZero(s Settings, called string) error {
	if o.Zero != "" && s.IsSet(o.Name) && o.Text(s) == "0" {
		return fmt.Errorf("%s must be above 0", called)
	}
	return nil
}

// fieldIndexes has the position of each option's field in [Settings].
var fieldIndexes = map[string]int{}

func init() {
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		fieldIndexes[f.Tag.Get("option")] = i
	}
}

// value returns the field of s for the option.
func (o Option) value(s *Settings) reflect.Value {
	return reflect.ValueOf(s).Elem().Field(fieldIndexes[o.Name])
}

// Type is the JSON type of the option's value: string, array, boolean, integer or number. A
// duration is a string such as 30s.
func (o Option) Type() string {
	switch v := o.value(new(Settings)); v.Kind() {
	case reflect.Slice:
		return "array"
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	}
	return "string"
}

// Default returns the default as a bool, an int, a float64 or a string. That of a list is its only
// element, or "".
func (o Option) Default() any {
	defaults := DefaultSettings()
	if o.NoDefault {
		return ""
	}
	switch v := o.value(&defaults); v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Float64:
		return v.Interface()
	}
	return o.Text(defaults)
}

// EditorDefault is the default of the editor setting. Where a file or a target's definition can set
// the option, it says that they count: "" for a text, and nil for a number.
func (o Option) EditorDefault() any {
	switch o.Type() {
	case "boolean":
		return false
	case "integer", "number":
		return nil
	}
	return ""
}

// DefaultText describes the default of the editor setting in Markdown.
func (o Option) DefaultText() string {
	text := fmt.Sprintf("`%v`", o.Default())
	switch {
	case o.Default() == "":
		text = "none"
	case o.Hosts&Project != 0:
		text = "as the files say, or else " + text
	}
	return text
}

// Text returns the option's value in s as text. The elements of a list are joined by commas.
func (o Option) Text(s Settings) string {
	v := o.value(&s)
	if list, isList := v.Interface().([]string); isList {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(v.Interface())
}

// Value returns the option's value in s.
func (o Option) Value(s Settings) any { return o.value(&s).Interface() }

func (o Option) copyField(to, from *Settings) { o.value(to).Set(o.value(from)) }

// Set sets the option in s, to a text as of a flag or to a decoded JSON value. An error begins with
// called, which is the host's own name for the option.
func (o Option) Set(s *Settings, called string, value any) error {
	if err := o.assign(o.value(s), value); err != nil {
		return fmt.Errorf("%s %w", called, err)
	}
	s.set |= bitOf(o.Name)
	return nil
}

// ReadSettings reads an editor's settings, which have the names of [Option.Setting]; section is the
// part of their names before that. Null and "" mean that files decide. It leaves out faulty values,
// and problems says why.
func ReadSettings(section string, values map[string]any) (s Settings, problems []string) {
	for _, o := range Options(Editor) {
		value, called := values[o.Setting()], section+"."+o.Setting()
		if value == nil || value == "" {
			continue
		}
		if list, isList := value.([]any); isList && len(list) > 1 && o.Name != "judge" {
			problems = append(problems, called+" must be one text, not a list")
		} else if err := o.Set(&s, called, value); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return s.WithDefaults(), problems
}

func (o Option) assign(v reflect.Value, value any) error {
	text, isText := value.(string)
	switch v.Kind() {
	case reflect.Slice:
		list, err := o.toList(value)
		if err != nil {
			return err
		}
		for _, text := range list {
			if _, err := parseMinimum(o.Name, text); o.PerTag && err != nil {
				return err
			}
		}
		v.Set(reflect.ValueOf(list))
	case reflect.Bool:
		if parsed, err := strconv.ParseBool(text); err == nil {
			value = parsed
		}
		on, isBool := value.(bool)
		if !isBool {
			return mustBe("`true` or `false`", value)
		}
		v.SetBool(on)
	case reflect.Int:
		number, err := o.number("a whole number", value)
		if err != nil {
			return err
		}
		v.SetInt(int64(number))
	case reflect.Float64:
		number, err := o.number("a number", value)
		if err != nil {
			return err
		}
		v.SetFloat(number)
	case reflect.Int64:
		limit, err := time.ParseDuration(text)
		if err != nil || limit <= 0 {
			return mustBe("a duration such as `30s` or `2m`", value)
		}
		v.SetInt(int64(limit))
	default:
		if !isText {
			return mustBe("a text", value)
		}
		if len(o.Values) > 0 && !o.Open && !slices.Contains(o.Values, text) {
			return mustBe(cmp.Or(o.Expects, diag.JoinList(diag.Backtick(o.Values), "or")), value)
		}
		v.SetString(text)
	}
	return nil
}

// number returns a number within the option's limits. Kind describes the numbers in the error.
func (o Option) number(kind string, value any) (number float64, err error) {
	switch v := value.(type) {
	case string:
		number, err = strconv.ParseFloat(v, 64)
	case int:
		number = float64(v)
	case float64:
		number = v
	default:
		err = errors.New("not a number")
	}
	limit := cmp.Or(o.Max, MaxCount)
	switch {
	case err != nil || kind == "a whole number" && number != math.Trunc(number):
		return 0, mustBe(kind, value)
	case o.Max == 0 && number < 0:
		return 0, fmt.Errorf("must not be negative, but is %v", value)
	case !(number >= o.Min && number <= limit):
		return 0, fmt.Errorf("must be from %v to %.0f, not %v", o.Min, limit, value)
	}
	return number, nil
}

func mustBe(expected string, value any) error {
	shown, isText := value.(string)
	if !isText {
		encoded, _ := json.Marshal(value) // it was decoded from JSON
		shown = string(encoded)
	}
	return fmt.Errorf("must be %s, not `%s`", expected, shown)
}

// toList returns the elements of a list of texts, and of numbers if the option has them. One text is
// a list too.
func (o Option) toList(value any) (all []string, err error) {
	items, isList := value.([]any)
	if texts, ok := value.([]string); ok {
		all = texts
	} else if !isList {
		items = []any{value}
	}
	for _, item := range items {
		_, isText := item.(string)
		_, isFloat := item.(float64)
		_, isInt := item.(int)
		if !isText && !(o.PerTag && (isFloat || isInt)) {
			return nil, mustBe("a text or a list of texts", value)
		}
		all = append(all, fmt.Sprint(item))
	}
	if len(all) == 0 || slices.ContainsFunc(all, func(text string) bool { return strings.TrimSpace(text) == "" }) {
		return nil, errors.New("must not be empty")
	}
	return all, nil
}

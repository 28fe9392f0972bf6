package conformance

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

// textTypes are the assertions on the text of an answer, in every version that
// has assertions.
const textTypes = "contains contains-any contains-all icontains icontains-any icontains-all starts-with ends-with regex is-json equals"

var (
	ofText  = strings.Fields("contains icontains starts-with ends-with equals regex")
	ofTexts = strings.Fields("contains-any contains-all icontains-any icontains-all")
)

// assertionTypes are the types of assertions that a version has, and had.
type assertionTypes struct {
	known           []string
	removed         []string // whatever their value
	foreign         []string // another tool's: not taken, with `not-` before them neither
	removedKeys     []string // of an assertion
	nested          bool     // assertions may hold others
	textsOnly       bool     // a list of texts holds nothing else
	numericRequired bool     // `required` may be a score
}

// assertions checks a list of assertions: first the shape of its items, then
// what is in those that are mappings.
func (f *findings) assertions(list *yaml.Node, path string, types assertionTypes, around surroundings) {
	if !list.IsSeq() {
		f.warn("assert_wrong_type", path)
		return
	}
	for i, item := range list.List() {
		switch _, isText := item.Str(); {
		case isText && isBlank(item):
			f.warn("assert_item_blank", itemPath(path, i))
		case !isText && !item.IsMap():
			f.warn("assert_item_wrong_type", itemPath(path, i))
		}
	}
	for i, item := range list.List() {
		if item.IsMap() {
			f.assertion(item, itemPath(path, i), types, around)
		}
	}
}

func (f *findings) assertion(n *yaml.Node, path string, types assertionTypes, around surroundings) {
	for _, key := range types.removedKeys {
		if f.get(n, key) != nil {
			f.add(key+"_removed", path+"."+key)
		}
	}
	if nested := f.get(n, "assert"); types.nested && nested != nil {
		f.assertions(nested, path+".assert", types, around)
	}
	written, ok := f.get(n, "type").Str()
	kind := strings.ReplaceAll(written, "_", "-")
	switch {
	case !ok:
		f.warn("assert_item_no_type", path+".type")
	case slices.Contains(types.removed, kind), slices.Contains(types.foreign, strings.TrimPrefix(kind, "not-")):
		f.add("unsupported_assertion_type", path+".type")
	case !slices.Contains(types.known, kind) && !slices.Contains(around.Assertions, kind):
		f.warn("assertion_type_unknown", path+".type")
	case f.asserted(kind, f.get(n, "value"), path+".value", types.textsOnly):
		f.required(f.get(n, "required"), path+".required", types.numericRequired)
	}
}

// asserted checks what an assertion on a text compares with; false if it
// cannot be compared with at all, and then nothing further is looked at.
func (f *findings) asserted(kind string, value *yaml.Node, path string, textsOnly bool) bool {
	text, isText := value.Str()
	isOther := func(item *yaml.Node) bool { _, ok := item.Str(); return !ok }
	switch {
	case slices.Contains(ofText, kind) && !isText,
		slices.Contains(ofTexts, kind) && (len(value.List()) == 0 || textsOnly && slices.ContainsFunc(value.List(), isOther)):
		f.warn("assert_value_missing", path)
		return false
	case kind == "regex" && !validJSPattern(text):
		f.warn("regex_invalid", path)
	}
	return true
}

func (f *findings) required(n *yaml.Node, path string, numeric bool) {
	if n == nil {
		return
	}
	_, isBool := n.Bool()
	score, isNumber := n.Number()
	switch {
	case isBool:
	case !isNumber:
		f.warn("required_wrong_type", path)
	case !numeric:
		f.warn("required_numeric_removed", path)
	case score <= 0 || score > 1:
		f.warn("required_out_of_range", path)
	}
}

var (
	placeholder  = pattern.New(`\{([A-Z_]+)\}`)
	placeholders = []string{"PROMPT", "GUIDELINES", "EVAL_ID", "ATTEMPT", "FILES", "OUTPUT_FILE"}
)

// command checks a target that is a command.
func (f *findings) command(n *yaml.Node, path string) {
	f.template(n, path)
	if health := ownValue(n, "healthcheck"); health.IsMap() {
		f.healthcheck(health, path+".healthcheck")
	} else if health != nil {
		f.add("healthcheck_not_object", path+".healthcheck")
	}
}

func (f *findings) healthcheck(n *yaml.Node, path string) {
	kind, _ := ownValue(n, "type").Str()
	if kind != "http" && kind != "command" {
		f.add("healthcheck_type_invalid", path+".type")
		return
	}
	if timeout := ownValueOr(n, "timeout_seconds", "timeoutSeconds"); timeout != nil && !isPositive(timeout) {
		f.add("healthcheck_timeout_invalid", path+".timeoutSeconds")
	}
	if kind == "http" {
		if isBlank(ownValue(n, "url")) {
			f.add("healthcheck_url_missing", path+".url")
		}
		return
	}
	f.template(n, path)
	if cwd := ownValue(n, "cwd"); cwd != nil {
		if _, ok := cwd.Str(); !ok {
			f.add("healthcheck_cwd_not_string", path+".cwd")
		}
	}
}

// isPositive reports whether n is a finite number above zero, or what JavaScript
// converts to one: true, and a number in quotes.
func isPositive(n *yaml.Node) bool {
	if yes, ok := n.Bool(); ok {
		return yes
	}
	number, ok := n.Number()
	if text, quoted := n.Str(); quoted {
		var err error
		number, err = strconv.ParseFloat(strings.TrimSpace(text), 64)
		ok = err == nil
	}
	return ok && number > 0 && !math.IsInf(number, 0)
}

// template checks a command's text and its placeholders. However the key is
// written, findings name it in camel case.
func (f *findings) template(n *yaml.Node, path string) {
	template := ownValueOr(n, "command_template", "commandTemplate")
	path += ".commandTemplate"
	if isBlank(template) {
		f.add("command_template_missing", path)
		return
	}
	text, _ := template.Str()
	for _, m := range placeholder().FindAllStringSubmatch(text, -1) {
		if !slices.Contains(placeholders, m[1]) {
			f.add("placeholder_unknown", path)
		}
	}
}

// include checks an entry that stands for the cases of another file.
func (f *findings) include(n *yaml.Node, here string) {
	f.warn("include_deprecated", here)
	f.keys(n, here, headInclude)
	if kind, _ := f.get(n, "type").Str(); kind != "suite" && kind != "tests" {
		f.add("include_type_invalid", here+".type")
	}
	f.selected(f.get(n, "select"), here+".select")
	f.runs(f.get(n, "run"), here+".run")
}

// selected checks which cases are taken over: by name, or by what they have.
func (f *findings) selected(n *yaml.Node, path string) {
	switch {
	case n == nil, allText(n):
	case !n.IsMap():
		f.add("select_invalid", path)
	default:
		f.keys(n, path, headSelect)
		for _, key := range []string{"test_ids", "tags"} {
			if v := f.get(n, key); v != nil && !allText(v) {
				f.add(key+"_invalid", path+"."+key)
			}
		}
		if data := f.get(n, "metadata"); data != nil && !data.IsMap() {
			f.add("metadata_invalid", path+".metadata")
		}
	}
}

// allText reports whether n is a text or a list of nothing else.
func allText(n *yaml.Node) bool {
	isOther := func(item *yaml.Node) bool { _, ok := item.Str(); return !ok }
	_, isText := n.Str()
	return isText || n.IsSeq() && !slices.ContainsFunc(n.List(), isOther)
}

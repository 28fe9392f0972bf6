package conformance

import (
	"slices"
	"strings"

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

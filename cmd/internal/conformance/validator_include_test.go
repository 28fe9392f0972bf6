package conformance

import (
	"slices"

	"github.com/rubric-ls/rubric/core/yaml"
)

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

package conformance

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

// execution checks what a suite may no longer say about how it is run: each of
// its keys is reported.
func (f *findings) execution(n *yaml.Node) {
	switch {
	case n == nil:
	case !n.IsMap():
		f.add("execution_wrong_type", "execution")
	case len(f.names(n)) == 0:
		f.add("execution_removed", "execution")
	default:
		f.keys(n, "execution", keySet{unknown: "execution_field_removed", strict: true})
	}
}

func (f *findings) evaluateOptions(n *yaml.Node) {
	const here = "evaluate_options"
	if n == nil {
		return
	}
	if !n.IsMap() {
		f.add("evaluate_options_wrong_type", here)
		return
	}
	f.keys(n, here, headOptions)
	f.limits(n, here, limit{"budget_usd", aboveZero}, limit{"max_concurrency", isWorkerCount}, limit{"delay", notBelow0},
		limit{"timeout_ms", aboveZero}, limit{"max_eval_time_ms", aboveZero})
	f.repeatOrCount(f.get(n, "repeat"), here+".repeat")
	f.filterRange(f.get(n, "filter_range"), here+".filter_range")
}

// filterRange checks which of the cases are run: a text, or two numbers.
func (f *findings) filterRange(n *yaml.Node, path string) {
	isOther := func(item *yaml.Node) bool { _, ok := item.Number(); return !ok }
	if _, isText := n.Str(); n == nil || isText {
		return
	}
	if items := n.List(); len(items) != 2 || slices.ContainsFunc(items, isOther) {
		f.add("filter_range_invalid", path)
	}
}

// defaultTest checks what all cases share, here or in another file.
func (f *findings) defaultTest(n *yaml.Node, around surroundings) {
	const here = "default_test"
	if n == nil {
		return
	}
	if !n.IsMap() {
		name, _ := n.Str()
		if name = strings.TrimSpace(name); !strings.HasPrefix(name, "file://") && !strings.HasPrefix(name, "ref://") {
			f.add("default_test_wrong_type", here)
		}
		return
	}
	f.keys(n, here, headDefault)
	if list := f.get(n, "assert"); list != nil {
		f.assertions(list, here+".assert", headTypes, around)
	}
	f.options(f.get(n, "options"), here+".options")
	f.limits(n, here, limit{"threshold", isShare})
}

// options checks what a case passes on to what grades it.
func (f *findings) options(n *yaml.Node, path string) {
	switch {
	case n == nil:
	case !n.IsMap():
		f.add("options_wrong_type", path)
	default:
		if f.get(n, "postprocess") != nil {
			f.add("postprocess_removed", path+".postprocess")
		}
		f.repeatOrCount(f.get(n, "repeat"), path+".repeat")
	}
}

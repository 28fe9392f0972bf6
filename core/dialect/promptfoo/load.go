package promptfoo

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// loader reads one file.
type loader struct {
	dialect.Reader
	suite     *rubric.Suite
	prompts   []Prompt
	providers []provider
	tests     []test
	defaults  test
	env       map[string]any
	repeat    int
	firstTest int  // the index of the first of tests
	unread    bool // some tests could not be read

	ownFilters bool // templates may have filters that are unknown here
}

// test is a test before it is multiplied.
type test struct {
	element
	fields  map[string]any // without the assertions
	asserts []entry
}

// entry is an assertion.
type entry struct {
	fields map[string]any
	node   *yaml.Node // nil if another file has it
}

// load reads a configuration.
func (l *loader) load(root *yaml.Node) {
	l.env, _ = toValue(root.Get("env")).(map[string]any)
	l.prompts = l.loadPrompts(root.Get("prompts"))
	l.loadProviders(root)
	l.loadDefaults(root.Get("defaultTest"))
	for _, key := range []string{"commandLineOptions", "evaluateOptions"} {
		l.repeat = repeats(toValue(root.Get(key).Get("repeat")), l.repeat)
	}
	tests, scenarios := root.Get("tests"), root.Get("scenarios")
	l.tests = l.loadTests(tests, element{})
	if len(l.tests) == 0 && scenarios.IsNull() && !l.unread && !(tests.IsSeq() && tests.Recovered) { // else they are read apart
		l.tests = []test{l.loadTest(element{at: cmp.Or(tests, root)})}
	}
	for _, s := range l.elements(scenarios, element{}) {
		l.loadScenario(s)
	}
	l.checkTests(append([]test{l.defaults}, l.tests...)...)
}

// repeats returns how often tests are run, which is a setting or, if that is no such number, fallback.
func repeats(setting any, fallback int) int {
	if n, ok := setting.(float64); ok && n >= 1 && n <= 1000 {
		return int(n)
	}
	return fallback
}

// loadDefaults reads what all tests inherit.
func (l *loader) loadDefaults(n *yaml.Node) {
	reference, isText := n.Str()
	switch {
	case isText && !strings.HasPrefix(reference, fileScheme):
		l.lose(defaultTestScheme, n, reference)
	case isText:
		trees, known := l.trees(reference)
		if len(trees) > 0 && trees[0].Root().IsMap() {
			l.defaults = l.loadTest(element{trees[0].Root(), n, trimScheme(reference)})
		} else if known {
			l.lose(defaultTestLost, n, trimScheme(reference))
		}
	case n.IsMap():
		l.defaults = l.loadTest(element{node: n, at: n})
	}
	for _, own := range []string{"description", "providerOutput"} {
		delete(l.defaults.fields, own)
	}
}

// loadTests reads the tests that a value has. The value is in the file of another element.
func (l *loader) loadTests(n *yaml.Node, in element) (tests []test) {
	for _, e := range l.elements(n, in) {
		if e.file == "" && !slices.ContainsFunc(testType.RequireAny, func(key string) bool { return e.node.Get(key) != nil }) {
			l.lose(testEmpty, e.at, "")
		}
		tests = append(tests, l.loadTest(e))
	}
	return tests
}

func (l *loader) loadTest(e element) test {
	t := test{element: e, fields: overlay(mapping(toValue(e.node)), map[string]any{"vars": l.loadVars(e)})}
	list := e.node.Get("assert")
	if !list.IsNull() && !list.IsSeq() {
		l.lose(assertInvalid, e.at, "")
	}
	for _, item := range list.List() {
		fields, isMap := toValue(item).(map[string]any)
		if e.file != "" {
			item = nil
		}
		if _, isText := fields["weight"].(string); isText || fields["type"] == nil {
			l.lose(assertInvalid, cmp.Or(item, e.at), "")
		}
		if isMap {
			t.asserts = append(t.asserts, entry{fields, item})
		}
	}
	return t
}

// loadVars reads the variables of a test, or the files that have them.
func (l *loader) loadVars(e element) map[string]any {
	n := e.node.Get("vars")
	vars := overlay(mapping(toValue(n)), nil)
	for _, item := range asList(n) {
		reference, isText := item.Str()
		switch {
		case isText && strings.HasPrefix(reference, fileScheme) && e.file == "":
			l.lose(varsScheme, item, reference)
		case isText && !strings.HasPrefix(reference, fileScheme):
			trees, _ := l.trees(reference)
			for _, t := range trees {
				vars = overlay(vars, mapping(toValue(t.Root())))
			}
		}
	}
	return vars
}

// loadScenario adds each test of a scenario once for each row of its config.
func (l *loader) loadScenario(s element) {
	rows, tests := l.elements(s.node.Get("config"), s), l.loadTests(s.node.Get("tests"), s)
	switch {
	case l.unread:
	case len(tests) == 0:
		l.lose(scenarioEmpty, s.at, "tests")
	case len(rows) == 0:
		l.lose(scenarioEmpty, s.at, "config")
	}
	for _, e := range rows {
		row := l.loadTest(e)
		for _, t := range tests {
			if len(l.tests) < MaxRows {
				l.tests = append(l.tests, t.over(row))
			}
		}
	}
}

// over returns a test with what it does not have itself from another one.
func (t test) over(under test) test {
	out := test{element: t.element, fields: overlay(under.fields, nil), asserts: slices.Concat(under.asserts, t.asserts)}
	for key, v := range t.fields {
		if key == "vars" || key == "options" {
			v = overlay(mapping(out.fields[key]), mapping(v))
		}
		if v != nil {
			out.fields[key] = v
		}
	}
	return out
}

func mapping(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// overlay returns the entries of both, of which those of upper count.
func overlay(under, upper map[string]any) map[string]any {
	out := make(map[string]any, len(under)+len(upper))
	maps.Copy(out, under)
	maps.Copy(out, upper)
	return out
}

// isPrompt reports whether a filter selects a prompt, as far as the prompts are known.
func (l *loader) isPrompt(filter string) bool {
	return slices.ContainsFunc(l.prompts, func(p Prompt) bool { return p.unread && p.Label == "" || p.matches(filter) })
}

// checkTests reports labels of tests that no prompt and no provider has.
func (l *loader) checkTests(tests ...test) {
	check := func(key string, list *yaml.Node, isKnown func(string) bool) {
		if list.IsSeq() && len(list.List()) == 0 {
			l.lose(nothingSelected, list, key)
		}
		for _, item := range list.List() {
			if filter, _ := item.Str(); !isKnown(filter) {
				l.lose(labelUnknown, item, filter)
			}
		}
	}
	isProvider := func(filter string) bool {
		return slices.ContainsFunc(l.providers, func(p provider) bool { return p.matches(filter) })
	}
	for _, t := range tests {
		if t.file == "" {
			check("prompts", t.node.Get("prompts"), l.isPrompt)
			check("providers", t.node.Get("providers"), isProvider)
		}
	}
}

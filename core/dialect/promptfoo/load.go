package promptfoo

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/javascript"
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
		l.lose(DefaultTestScheme, n, reference)
	case isText:
		roots, known := l.roots(reference)
		if len(roots) > 0 && roots[0].IsMap() {
			l.defaults = l.loadTest(element{roots[0], n, path.Base(reference)})
		} else if known {
			l.lose(defaultTestLost, n, trimScheme(reference))
		}
	case n.IsMap():
		l.defaults = l.loadTest(element{node: n, at: n})
	}
	delete(l.defaults.fields, "description")
	delete(l.defaults.fields, "providerOutput")
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
	t := test{element: e, fields: javascript.Assign(javascript.As[map[string]any](toValue(e.node)), map[string]any{"vars": l.loadVars(e)})}
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
	vars := javascript.Assign(javascript.As[map[string]any](toValue(n)))
	for _, item := range asList(n) {
		reference, isText := item.Str()
		switch hasScheme := strings.HasPrefix(reference, fileScheme); {
		case hasScheme && e.file == "":
			l.lose(VarsScheme, item, reference)
		case isText && !hasScheme:
			if e.file != "" && !path.IsAbs(reference) {
				reference = path.Join(path.Dir(e.file), reference)
			}
			roots, _ := l.roots(reference)
			for _, root := range roots {
				vars = javascript.Assign(vars, javascript.As[map[string]any](toValue(root)))
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
	out := test{element: t.element, fields: javascript.Assign(under.fields), asserts: slices.Concat(under.asserts, t.asserts)}
	for key, v := range t.fields {
		if key == "vars" || key == "options" || key == "metadata" {
			v = javascript.Assign(javascript.As[map[string]any](out.fields[key]), javascript.As[map[string]any](v))
		}
		if v != nil {
			out.fields[key] = v
		}
	}
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
			if filter := item.Text(); !isKnown(filter) {
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

// What promptfoo drops, assumes or refuses. Those that are exported have a fix.
var (
	promptMissing     = refusal("promptfoo_prompt_missing", "there is no file `%s`; the runner refuses the file")
	promptsUnmatched  = newLoss("promptfoo_prompts_unmatched", rubric.Warns, "no file matches `%s`; the pattern itself becomes the prompt")
	referenceOpen     = newLoss("promptfoo_reference", rubric.Refuses, "the `$ref` `%s` is not followed; write what it stands for, or refer to a value of this file, as in `#/KEY/0`")
	testsMissing      = newLoss("promptfoo_tests_missing", rubric.Refuses, "there is no file `%s`; the runner goes on without its tests, and may pass with none")
	testsUnknownKind  = newLoss("promptfoo_tests_unknown_kind", rubric.Refuses, "the runner reads no tests from a file like `%s`, and may pass with none")
	testsFileMissing  = refusal("promptfoo_tests_file_missing", "there is no file `%s`; the runner refuses the file")
	testsFileInvalid  = refusal("promptfoo_tests_file_invalid", "the runner refuses the file for %s")
	testsElsewhere    = newLoss("promptfoo_tests_elsewhere", rubric.Silent, "the tests of `%s` are neither checked nor run here")
	testEmpty         = refusal("promptfoo_test_empty", "")
	assertInvalid     = refusal("promptfoo_assert_invalid", "")
	noProviders       = refusal("promptfoo_no_providers", "")
	labelUnknown      = refusal("promptfoo_label_unknown", "no prompt or provider is called `%s`; the runner refuses the file")
	providerIdle      = newLoss("promptfoo_provider_idle", rubric.Refuses, "no prompt has one of these labels; the provider `%s` is asked nothing, and the run passes")
	providerTwice     = newLoss("promptfoo_provider_twice", rubric.Warns, "this is the same as an earlier entry for `%s`, which alone counts; give both a `label`")
	nameTwice         = newLoss("promptfoo_name_twice", rubric.Warns, "an earlier provider is called `%s`, too; give both a `label` of their own")
	providerConfig    = newLoss("promptfoo_provider_config", rubric.Silent, "`rubric run` asks this provider without `%s`; a target in targets.yaml can have such settings")
	nothingSelected   = newLoss("promptfoo_nothing_selected", rubric.Refuses, "these `%s` select nothing; the test does not run, and the run passes")
	scenarioEmpty     = newLoss("promptfoo_scenario_empty", rubric.Refuses, "this scenario has no %s; nothing of it runs, and the run passes")
	VarsScheme        = newLoss("promptfoo_vars_scheme", rubric.Warns, "the runner ignores `%s`; write the path without `file://`")
	DefaultTestScheme = newLoss("promptfoo_default_test_scheme", rubric.Warns, "the runner ignores `%s`; write `file://` before the path")
	defaultTestLost   = refusal("promptfoo_default_test_lost", "there is no mapping in `%s`; the runner refuses the file")
	templateInvalid   = newLoss("promptfoo_template_invalid", rubric.Refuses, "this template cannot be filled in, and each row is an error: %s")
	templateOpen      = newLoss("promptfoo_template_open", rubric.Warns, "a tag does not end on its line, so the runner sends this prompt with `%s` as it is; close the tag on its line")
	numberLost        = newLoss("promptfoo_number_lost", rubric.Warns, "`%s` in this table: the runner ignores the number in parentheses")
	thresholdLost     = newLoss("promptfoo_threshold_lost", rubric.Warns, "`%s` is a `__threshold` in this table and no number: the runner ignores it")
	columnUnknown     = newLoss("promptfoo_column_unknown", rubric.Refuses, "the column `%s` of this table is a variable; settings have names such as `__expected` and `__threshold`")
	typeUnknown       = newLoss("promptfoo_type_unknown", rubric.Warns, "`%s` in this table begins with no type: the answer is compared with all of it")
	numberAssumed     = newLoss("promptfoo_number_assumed", rubric.Warns, "`%s` in this table has no number in parentheses: the limit is 0.75")
)

// lossMessages are the messages of losses, with `%s` for the detail. Without one, the field table has a mismatch.
var lossMessages = map[string]string{}

func newLoss(name string, level rubric.Level, message string) rubric.Loss {
	lossMessages[name] = message
	return rubric.Loss{Kind: name, Level: level}
}

// refusal is a loss with which promptfoo refuses the file.
func refusal(name, message string) rubric.Loss {
	loss := newLoss(name, rubric.Refuses, message)
	loss.Fatal = true
	return loss
}

// LossMessage returns the message of a loss, or "" if a mismatch with the field table says it.
func LossMessage(loss rubric.Loss) string {
	detail := loss.Detail
	if loss.Kind != testsFileInvalid.Kind { // which has a reason
		detail = excerpt.Shorten(detail, 40)
	}
	return strings.ReplaceAll(lossMessages[loss.Kind], "%s", detail)
}

func (l *loader) lose(loss rubric.Loss, at *yaml.Node, detail string) {
	if loss.Detail = detail; at != nil {
		loss.Span = agentv.SpanOf(at)
	}
	l.suite.Losses = generic.AppendNew(l.suite.Losses, loss) // each row of a table may have it
}

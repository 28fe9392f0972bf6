package promptfoo

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect"
	"github.com/rubric-ls/rubric/core/dialect/promptfoo/nunjucks"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Kinds of losses.
const (
	PromptMissing     = "promptfoo_prompt_missing"
	PromptsUnmatched  = "promptfoo_prompts_unmatched"
	TestsMissing      = "promptfoo_tests_missing"
	TestsUnknownKind  = "promptfoo_tests_unknown_kind"
	TestsFileMissing  = "promptfoo_tests_file_missing"
	TestsFileInvalid  = "promptfoo_tests_file_invalid"
	TestsElsewhere    = "promptfoo_tests_elsewhere"
	TestEmpty         = "promptfoo_test_empty"
	AssertInvalid     = "promptfoo_assert_invalid"
	NoProviders       = "promptfoo_no_providers"
	LabelUnknown      = "promptfoo_label_unknown"
	ProviderIdle      = "promptfoo_provider_idle"
	ProviderTwice     = "promptfoo_provider_twice"
	NothingSelected   = "promptfoo_nothing_selected"
	ScenarioEmpty     = "promptfoo_scenario_empty"
	VarsScheme        = "promptfoo_vars_scheme"
	DefaultTestScheme = "promptfoo_default_test_scheme"
	DefaultTestLost   = "promptfoo_default_test_lost"
	TemplateInvalid   = "promptfoo_template_invalid"
	NameTwice         = "promptfoo_name_twice"
	ProviderConfig    = "promptfoo_provider_config"
	NumberLost        = "promptfoo_number_lost"
	NumberAssumed     = "promptfoo_number_assumed"
)

// Reader reads files of this dialect.
type Reader dialect.Reader

// Provider is what answers.
type Provider struct {
	ID, Label string
	Prompts   []string // labels of the only prompts that it is asked; nil for all
	Config    map[string]any
	node      *yaml.Node
}

// Name is the label or, without one, the id.
func (p Provider) Name() string { return cmp.Or(p.Label, p.ID) }

// entry is an assertion.
type entry struct {
	fields map[string]any
	node   *yaml.Node // nil if another file has it
}

// test is a test before it is multiplied.
type test struct {
	fields  map[string]any // without the assertions
	asserts []entry
	at      *yaml.Node // what the editor shows for it: the test, or the reference to its file
	file    string     // another file that has it
}

// loader reads one file.
type loader struct {
	Reader
	suite     *rubric.Suite
	prompts   []Prompt
	providers []Provider
	tests     []test
	defaults  test
	env       map[string]any
	repeat    int
	unread    bool // some tests could not be read

	ownFilters bool // templates may have filters that are unknown here
}

func (l *loader) lose(kind string, at *yaml.Node, detail string) *rubric.Loss {
	loss := rubric.Loss{Kind: kind, Level: rubric.Refuses, Detail: detail}
	switch kind {
	case TestsElsewhere, ProviderConfig:
		loss.Level = rubric.Silent
	case ProviderTwice, PromptsUnmatched, DefaultTestScheme, VarsScheme, NameTwice, NumberLost, NumberAssumed:
		loss.Level = rubric.Warns
	}
	if at != nil {
		if loss.Span = at.Span; at.Span.Empty() && at.Key != nil {
			loss.Span = at.Key.Key.Span
		}
	}
	l.suite.Losses = append(l.suite.Losses, loss)
	return &l.suite.Losses[len(l.suite.Losses)-1]
}

// refuse records why promptfoo refuses the file.
func (l *loader) refuse(kind string, at *yaml.Node, detail string) {
	loss := l.lose(kind, at, detail)
	loss.Fatal = true
}

// load reads a configuration.
func (l *loader) load(root *yaml.Node) {
	l.env, _ = toValue(root.Get("env")).(map[string]any)
	l.prompts = l.loadPrompts(root.Get("prompts"))
	l.loadProviders(root)
	l.loadDefaults(root.Get("defaultTest"))
	l.repeat = 1
	for _, key := range []string{"commandLineOptions", "evaluateOptions"} {
		if n, ok := root.Get(key).Get("repeat").Number(); ok && n >= 1 && n <= 1000 {
			l.repeat = int(n)
		}
	}
	if tests := root.Get("tests"); !tests.IsNull() {
		l.tests = l.loadTests(tests)
	}
	scenarios := root.Get("scenarios")
	if len(l.tests) == 0 && scenarios.IsNull() && !l.unread {
		at := root.Get("tests")
		if at == nil {
			at = root
		}
		l.tests = []test{{fields: map[string]any{}, at: at}}
	}
	for i, s := range l.items(scenarios, "scenarios") {
		l.loadScenario(s, i)
	}
	l.checkFilters()
}

func (l *loader) loadProviders(root *yaml.Node) {
	n := root.Get("providers")
	if n.IsNull() {
		n = root.Get("targets")
	}
	list := n.List()
	if _, ok := n.Str(); ok {
		list = []*yaml.Node{n}
	} else if n.IsMap() {
		list = []*yaml.Node{n}
	}
	seen := map[string]bool{}
	for _, item := range list {
		p := Provider{node: item}
		if id, ok := item.Str(); ok {
			p.ID = id
		} else if p.ID, ok = item.Get("id").Str(); ok {
			p.read(item)
		} else if entries := item.Entries(); len(entries) > 0 {
			p.ID = entries[0].Key.Value
			p.read(entries[0].Value)
			if id, ok := entries[0].Value.Get("id").Str(); ok {
				p.ID = id
			}
		}
		if key := nunjucks.JSON(toValue(item), ""); seen[key] {
			l.lose(ProviderTwice, item, p.Name())
			continue
		} else {
			seen[key] = true
		}
		if slices.ContainsFunc(l.providers, func(other Provider) bool { return other.Name() == p.Name() }) {
			l.lose(NameTwice, item, p.Name())
		}
		config := slices.Sorted(maps.Keys(p.Config))
		config = slices.DeleteFunc(config, func(key string) bool { return key == "tools" || key == "functions" })
		if len(config) > 0 {
			l.lose(ProviderConfig, item, strings.Join(config, ", "))
		}
		if p.ID != "" {
			l.providers = append(l.providers, p)
		}
	}
	if len(l.providers) == 0 {
		l.refuse(NoProviders, cmp.Or(n, root), "")
	}
}

func (p *Provider) read(n *yaml.Node) {
	p.Label, _ = n.Get("label").Str()
	p.Config, _ = toValue(n.Get("config")).(map[string]any)
	if list := n.Get("prompts"); list.IsSeq() {
		p.Prompts = []string{}
		for _, item := range list.List() {
			name, _ := item.Str()
			p.Prompts = append(p.Prompts, name)
		}
	}
}

func (l *loader) loadDefaults(n *yaml.Node) {
	l.defaults = test{fields: map[string]any{}}
	reference, isText := n.Str()
	switch {
	case isText && !strings.HasPrefix(reference, fileScheme):
		l.lose(DefaultTestScheme, n, reference)
	case isText:
		trees, found := l.readTrees(n, reference)
		if found && len(trees) > 0 && trees[0].Root().IsMap() {
			l.defaults = l.loadTest(trees[0].Root(), n, trimScheme(reference))
		} else if l.ReadFile != nil {
			l.refuse(DefaultTestLost, n, trimScheme(reference))
		}
	case n.IsMap():
		l.defaults = l.loadTest(n, n, "")
	}
}

// loadTest reads a test, which file has if that is not "".
func (l *loader) loadTest(n, at *yaml.Node, file string) test {
	t := test{at: at, file: file}
	t.fields, _ = toValue(n).(map[string]any)
	list := n.Get("assert")
	if !list.IsNull() && !list.IsSeq() {
		l.refuse(AssertInvalid, list, "")
	}
	for _, item := range list.List() {
		fields, ok := toValue(item).(map[string]any)
		if !ok {
			l.refuse(AssertInvalid, item, "")
			continue
		}
		if _, isText := fields["weight"].(string); isText || fields["type"] == nil {
			l.refuse(AssertInvalid, item, "")
		}
		e := entry{fields: fields, node: item}
		if file != "" {
			e.node = nil
		}
		t.asserts = append(t.asserts, e)
	}
	t.fields["vars"] = l.loadVars(n.Get("vars"), file)
	return t
}

// loadVars reads the variables of a test, or the files that have them.
func (l *loader) loadVars(n *yaml.Node, file string) map[string]any {
	vars := map[string]any{}
	paths := n.List()
	if _, ok := n.Str(); ok {
		paths = []*yaml.Node{n}
	}
	if n.IsMap() {
		vars, _ = toValue(n).(map[string]any)
	}
	for _, item := range paths {
		reference, _ := item.Str()
		if strings.HasPrefix(reference, fileScheme) {
			if file == "" {
				l.lose(VarsScheme, item, reference)
			}
			continue
		}
		trees, _ := l.readTrees(item, reference)
		for _, t := range trees {
			if own, ok := toValue(t.Root()).(map[string]any); ok {
				for k, v := range own {
					vars[k] = v
				}
			}
		}
	}
	return vars
}

// readTrees reads the YAML or JSON files that a reference names.
func (l *loader) readTrees(at *yaml.Node, reference string) (trees []*yaml.Tree, found bool) {
	if l.ReadFile == nil {
		return nil, false
	}
	names := []string{trimScheme(reference)}
	if isGlob(names[0]) && l.ListFiles != nil {
		names = l.ListFiles(names[0])
	}
	for _, name := range names {
		body, ok := l.ReadFile(name)
		if !ok {
			continue
		}
		parse := yaml.Parse
		if strings.EqualFold(path.Ext(name), ".jsonl") {
			parse = yaml.ParseJSONL
		}
		if t := parse(text.New(name, body)); !t.HasUnboundedAliases() {
			trees = append(trees, t)
		}
	}
	return trees, len(trees) > 0
}

// loadTests reads the value of `tests`.
func (l *loader) loadTests(n *yaml.Node) (tests []test) {
	reference, isText := n.Str()
	switch {
	case isText:
		return l.loadTestsFile(n, reference)
	case n.IsMap():
		if reference, ok := n.Get("path").Str(); ok {
			return l.loadTestsFile(n, reference)
		}
		return nil
	}
	for _, item := range n.List() {
		if reference, ok := item.Str(); ok {
			tests = append(tests, l.loadTestsFile(item, reference)...)
		} else if reference, ok := item.Get("path").Str(); ok {
			tests = append(tests, l.loadTestsFile(item, reference)...)
		} else if item.IsMap() {
			if !slices.ContainsFunc(needsOneOf, func(key string) bool { return item.Get(key) != nil }) {
				l.refuse(TestEmpty, item, "")
			}
			tests = append(tests, l.loadTest(item, item, ""))
		}
	}
	return tests
}

// loadTestsFile reads the tests of another file.
func (l *loader) loadTestsFile(at *yaml.Node, reference string) (tests []test) {
	name, end := ending(reference)
	switch {
	case strings.Contains(name, "://"), slices.Contains(programEndings, end), end == ".xlsx", end == ".xls", l.ReadFile == nil, isGlob(name) && l.ListFiles == nil:
		l.unread = true
		l.lose(TestsElsewhere, at, name)
		return nil
	case isGlob(name):
		files := l.ListFiles(name)
		if len(files) == 0 {
			l.lose(TestsMissing, at, name)
		}
		for _, file := range files {
			tests = append(tests, l.loadTestsFile(at, file)...)
		}
		return tests
	case !slices.Contains([]string{".csv", ".json", ".jsonl", ".yaml", ".yml"}, end):
		l.lose(TestsUnknownKind, at, name)
		return nil
	}
	body, found := l.ReadFile(name)
	if !found && (end == ".csv" || end == ".jsonl") {
		l.refuse(TestsFileMissing, at, name)
		return nil
	} else if !found {
		l.lose(TestsMissing, at, name)
		return nil
	}
	if l.Own && end != ".csv" {
		l.unread = true // that file is checked by itself
	}
	if end == ".csv" {
		return l.loadTable(at, name, body)
	}
	tree := yaml.Parse(text.New(name, body))
	if end == ".jsonl" {
		number := 0
		for line := range strings.Lines(body) {
			if number++; strings.TrimSpace(line) != "" && !json.Valid([]byte(line)) {
				l.refuse(TestsFileInvalid, at, fmt.Sprintf("%s: line %d is no JSON", name, number))
				return nil
			}
		}
		tree = yaml.ParseJSONL(text.New(name, body))
	}
	for _, n := range testsIn(tree, end) {
		if len(tests) >= MaxRows || l.Own && len(tests) > 0 {
			break
		}
		if n.IsMap() {
			tests = append(tests, l.loadTest(n, at, name))
		}
	}
	return tests
}

// loadTable reads the tests of a CSV file.
func (l *loader) loadTable(at *yaml.Node, name, body string) (tests []test) {
	rows, err := readTable(body)
	for _, row := range rows {
		if len(tests) >= MaxRows || l.Own && len(tests) > 0 {
			break
		}
		fields, rowErr := RowTest(row)
		if rowErr != nil {
			err = rowErr
			break
		}
		l.checkShorthand(at, row)
		t := test{fields: fields, at: at, file: name}
		for _, a := range fields["assert"].([]any) {
			t.asserts = append(t.asserts, entry{fields: a.(map[string]any)})
		}
		tests = append(tests, t)
	}
	if err != nil {
		l.refuse(TestsFileInvalid, at, name+": "+err.Error())
	}
	return tests
}

// testsIn returns the tests of a file.
func testsIn(tree *yaml.Tree, end string) (tests []*yaml.Node) {
	if tree.HasUnboundedAliases() {
		return nil
	}
	root := tree.Root()
	switch {
	case end == ".jsonl":
		for _, doc := range tree.Docs {
			tests = append(tests, doc.Root)
		}
	case root.IsSeq():
		tests = root.List()
	case root.IsMap():
		tests = []*yaml.Node{root}
	}
	return tests
}

// items returns the mappings of a list whose texts are references to files.
func (l *loader) items(n *yaml.Node, what string) (items []*yaml.Node) {
	list := n.List()
	if _, ok := n.Str(); ok {
		list = []*yaml.Node{n}
	}
	for _, item := range list {
		reference, isText := item.Str()
		if !isText {
			items = append(items, item)
			continue
		}
		trees, found := l.readTrees(item, reference)
		if !found && l.ReadFile != nil {
			l.lose(TestsMissing, item, trimScheme(reference))
		}
		for _, t := range trees {
			items = append(items, testsIn(t, "")...)
		}
	}
	return items
}

// loadScenario adds each test of a scenario once for each row of its config.
func (l *loader) loadScenario(s *yaml.Node, index int) {
	var rows []test
	for _, n := range l.items(s.Get("config"), "config") {
		rows = append(rows, l.loadTest(n, n, ""))
	}
	tests := l.loadTests(s.Get("tests"))
	if len(rows) == 0 || len(tests) == 0 {
		if !l.unread {
			l.lose(ScenarioEmpty, s, map[bool]string{true: "tests", false: "config"}[len(tests) == 0])
		}
		return
	}
	for _, row := range rows {
		for _, t := range tests {
			if len(l.tests) >= MaxRows {
				return
			}
			merged := test{at: t.at, file: t.file, fields: overlay(row.fields, t.fields), asserts: slices.Concat(row.asserts, t.asserts)}
			for _, key := range []string{"vars", "options", "metadata"} {
				if both := overlay(mapping(row.fields[key]), mapping(t.fields[key])); len(both) > 0 {
					merged.fields[key] = both
				}
			}
			metadata := overlay(mapping(merged.fields["metadata"]), nil)
			if metadata["conversationId"] == nil {
				metadata["conversationId"] = fmt.Sprintf("__scenario_%d__", index)
			}
			merged.fields["metadata"] = metadata
			l.tests = append(l.tests, merged)
		}
	}
}

func mapping(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// overlay returns the entries of both, of which those of upper count.
func overlay(under, upper map[string]any) map[string]any {
	out := make(map[string]any, len(under)+len(upper))
	for k, v := range under {
		out[k] = v
	}
	for k, v := range upper {
		out[k] = v
	}
	return out
}

// checkFilters reports labels that no prompt and no provider has.
func (l *loader) checkFilters() {
	unread := slices.ContainsFunc(l.prompts, func(p Prompt) bool { return p.Unread && p.Label == "" })
	for _, p := range l.providers {
		if p.Prompts == nil || unread {
			continue
		}
		if !slices.ContainsFunc(l.prompts, func(prompt Prompt) bool { return p.asks(prompt) }) {
			settings := p.node
			if settings.Get("prompts") == nil && len(settings.Entries()) > 0 {
				settings = settings.Entries()[0].Value
			}
			l.lose(ProviderIdle, settings.Get("prompts"), p.Name())
		}
	}
	for _, t := range append([]test{l.defaults}, l.tests...) {
		if t.file != "" || t.at == nil || !t.at.IsMap() {
			continue
		}
		for _, key := range []string{"prompts", "providers"} {
			list := t.at.Get(key)
			if list.IsSeq() && len(list.List()) == 0 {
				l.lose(NothingSelected, list, key)
			}
			for _, item := range list.List() {
				filter, _ := item.Str()
				known := key == "prompts" && (unread || slices.ContainsFunc(l.prompts, func(p Prompt) bool { return p.matches(filter) })) ||
					key == "providers" && slices.ContainsFunc(l.providers, func(p Provider) bool { return p.matches(filter) })
				if !known {
					l.refuse(LabelUnknown, item, filter)
				}
			}
		}
	}
}

func (p Prompt) matches(filter string) bool {
	return selects(filter, p.Label) || p.ID != "" && selects(filter, p.ID)
}

func (p Provider) matches(filter string) bool {
	return p.Label != "" && selects(filter, p.Label) || selects(filter, p.ID)
}

// asks reports whether a provider is asked a prompt.
func (p Provider) asks(prompt Prompt) bool {
	return p.Prompts == nil || slices.ContainsFunc(p.Prompts, prompt.matches)
}

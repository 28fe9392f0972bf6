// Package v4 reads whole files of AgentV 4 and later. They have `tests` instead of `evalcases`,
// `criteria` instead of `expected_outcome` and assertion lists instead of evaluators. The
// newest version also has prompts that each test's variables fill in.
//
// A [Reader] follows the loader of its version. It opens no files; ReadFile supplies other
// files, which are losses if it is nil. Prompts and tests that programs write, tables, and
// file patterns are always losses.
package v4

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Reader reads the files of one version.
type Reader struct {
	Version agentv.Version
	Name    string // the file's base name without extensions; the suite's default name
	// ReadFile returns the text of a referenced file. If it is nil, such files stay unread.
	ReadFile func(reference string) (body string, found bool)
	// Cache shares referenced files among several readings of one file. It may be nil.
	Cache *FileCache
	// Remaining is the number of tests from other files that may still be added, shared among
	// several readings of one file. At 0 such tests are checked and left out. It may be nil.
	Remaining *int
}

// suiteLoader reads one file.
type suiteLoader struct {
	Reader
	root          *yaml.Node
	suite         *rubric.Suite
	prompts       []promptTemplate // nil: each test has its own input
	defaultVars   map[string]any   // variables of all tests
	standalone    bool             // the file is a list of tests; the suite that includes it may set more
	included      *includedFile    // the referenced file being read; nil in the file itself
	scenarioTests int              // number of tests from scenarios so far
	generatedID   string           // id for a test without its own; may be ""
}

func (r Reader) newSuiteLoader(root *yaml.Node) *suiteLoader {
	if r.Cache == nil {
		r.Cache = &FileCache{}
	}
	if r.Remaining == nil {
		r.Remaining = new(MaxExternalTests)
	}
	return &suiteLoader{Reader: r, root: root, suite: &rubric.Suite{Dialect: agentv.Name, Version: string(r.Version), Name: strings.TrimSuffix(r.Name, ".eval")}}
}

// LowerSuite reads an eval file. The result is never nil; the losses list all that the loader
// skips.
func (r Reader) LowerSuite(tree *yaml.Tree) *rubric.Suite {
	l := r.newSuiteLoader(tree.Root())
	if tree.HasUnboundedAliases() {
		return l.failFile(agentv.EndlessAliases, l.root)
	}
	if !l.root.IsMap() {
		return l.failFile(agentv.RootNotMap, l.root)
	}
	l.readHeader()
	l.loadTests(caseList(l.root, r.Version))
	return l.suite
}

// LowerChunk reads a list of tests without the rest of the file. Header is the tree of the rest.
func (r Reader) LowerChunk(header, chunk *yaml.Tree) *rubric.Suite {
	l := r.newSuiteLoader(header.Root())
	if chunk.HasUnboundedAliases() || header.HasUnboundedAliases() {
		return l.failFile(agentv.EndlessAliases, chunk.Root())
	}
	l.readHeader()
	l.suite.Losses = nil // they belong to the header
	for _, test := range chunk.Root().List() {
		l.loadTest(test)
	}
	return l.suite
}

// LowerJSONL reads tests in JSONL. The sidecar is the tree of the YAML file with the same base
// name, which sets defaults for all tests; it may be nil.
func (r Reader) LowerJSONL(tree, sidecar *yaml.Tree) *rubric.Suite {
	l := r.newSuiteLoader(nil)
	if tree.HasUnboundedAliases() || sidecar != nil && sidecar.HasUnboundedAliases() {
		return l.failFile(agentv.EndlessAliases, tree.Root())
	}
	if sidecar != nil {
		l.root = sidecar.Root()
	}
	l.readHeader()
	l.standalone = true
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			l.suite.Losses = append(l.suite.Losses, rubric.Loss{Kind: agentv.LineBroken, Level: rubric.Refuses, Span: p.Span, Fatal: true})
		}
	}
	for _, doc := range tree.Docs {
		if !doc.Root.IsNull() {
			l.loadTest(doc.Root)
		}
	}
	return l.suite
}

// LowerList reads a file that is a list of tests or of scenarios. The suites that include the
// list hold the input of Head's tests, so these tests are skipped here.
func (r Reader) LowerList(tree *yaml.Tree, role agentv.Role) *rubric.Suite {
	l := r.newSuiteLoader(nil)
	if tree.HasUnboundedAliases() {
		return l.failFile(agentv.EndlessAliases, tree.Root())
	}
	l.standalone = true
	if role == agentv.ScenarioList {
		l.loadScenarios(tree.Root())
		return l.suite
	}
	for _, test := range tree.Root().List() {
		l.loadTest(test)
	}
	return l.suite
}

// readHeader reads the settings that apply to all tests of the file.
func (l *suiteLoader) readHeader() {
	l.suite.Description, _ = l.root.Get("description").Str()
	if own, _ := l.root.Get("name").Str(); strings.TrimSpace(own) != "" {
		l.suite.Name = strings.TrimSpace(own)
	}
	if l.Version == agentv.Head {
		if name, elsewhere := l.root.Get("default_test").Str(); elsewhere {
			l.addLoss(DefaultTestInOtherFile, rubric.Silent, l.root.Get("default_test"), trimFileScheme(name))
		}
		l.defaultVars, _ = l.root.Get("default_test").Get("vars").Any().(map[string]any)
		l.prompts = l.readPrompts(l.root.Get("prompts"))
	} else {
		l.suite.Targets = agentv.ReadTargetNames(l.root)
	}
}

func (l *suiteLoader) loadTests(list *yaml.Node) {
	scenarios := l.root.Get("scenarios")
	hasScenarios := l.Version == agentv.Head && !scenarios.IsNull()
	path, elsewhere := list.Str()
	switch {
	case elsewhere:
		l.loadTestsFile(list, path)
	case list.IsSeq(), list.IsNull() && hasScenarios:
	case list == nil:
		l.failFile(TestsMissing, l.root)
	default:
		l.failFile(TestsMissing, list)
	}
	for _, test := range list.List() {
		l.loadTest(test)
	}
	if hasScenarios {
		l.loadScenarios(scenarios)
	}
}

func (l *suiteLoader) loadTest(n *yaml.Node) {
	path, isText := n.Str()
	included, isIncluded := n.Get("include").Str()
	switch {
	case isText && strings.HasPrefix(path, fileScheme) && l.included == nil:
		l.loadTestsFile(n, path)
		return
	case !n.IsMap():
		l.addLoss(TestInvalid, rubric.Warns, n, "")
		return
	case isIncluded && l.Version == agentv.Head:
		l.addLoss(TestsInOtherFile, rubric.Silent, n.Get("include"), included)
		return
	}
	if l.Version == agentv.Head {
		l.loadHeadTest(n)
	} else {
		l.loadV4Test(n)
	}
}

var messageRoles = []string{"system", "user", "assistant", "tool"}

// readMessages reads a conversation: a string is a user message, a list holds messages. It drops
// invalid messages; ok is then false.
func readMessages(value any) (all []rubric.Message, ok bool) {
	switch v := value.(type) {
	case string:
		return []rubric.Message{{Role: "user", Content: v}}, true
	case []any:
		ok = true
		for _, item := range v {
			m, isMessage := readMessage(item)
			if ok = ok && isMessage; isMessage {
				all = append(all, m)
			}
		}
		return all, ok
	case map[string]any:
		if m, isMessage := readMessage(v); isMessage {
			return []rubric.Message{m}, true
		}
		return []rubric.Message{{Role: "user", Content: v}}, true
	}
	return nil, value == nil
}

func readMessage(value any) (m rubric.Message, ok bool) {
	fields, _ := value.(map[string]any)
	m.Role, _ = fields["role"].(string)
	m.Name, _ = fields["name"].(string)
	m.Content, m.ToolCalls = fields["content"], fields["tool_calls"]
	calls, _ := m.ToolCalls.([]any)
	switch m.Content.(type) {
	case string, []any, map[string]any:
		return m, slices.Contains(messageRoles, m.Role)
	}
	return m, slices.Contains(messageRoles, m.Role) && len(calls) > 0
}

// CasesKeys are the keys of the list of cases, newest first. Head accepts only the first.
var CasesKeys = []string{"tests", "cases", "eval_cases"}

// DetectVersion returns the version of a YAML file, or "" if it is neither. Head has prompts and
// variables; V4 has an input in each test. The file is a suite, a list of tests or a list
// of scenarios.
func DetectVersion(root *yaml.Node) agentv.Version {
	if root.IsSeq() {
		if v := detectTestsVersion(root.List()); v != "" {
			return v
		}
		return agentv.V4
	}
	for _, key := range []string{"prompts", "default_test", "scenarios"} {
		if !root.Get(key).IsNull() && (key == "scenarios" || !root.Get("tests").IsNull()) {
			return agentv.Head
		}
	}
	tests := caseList(root, agentv.V4)
	switch {
	case tests.IsNull():
		return ""
	case slices.ContainsFunc(tests.List(), IsHeadOnly):
		return agentv.Head
	}
	return agentv.V4
}

// IsHeadOnly reports whether only Head accepts a test.
func IsHeadOnly(test *yaml.Node) bool { return test.Get("vars").IsMap() && test.Get("input") == nil }

// DetectJSONLVersion returns the version of a JSONL file, or "" for Seed.
func DetectJSONLVersion(tree *yaml.Tree) agentv.Version {
	var tests []*yaml.Node
	for _, doc := range tree.Docs {
		if agentv.HasAnyKey(doc.Root, "expected_outcome", "outcome", "input_messages", "expected_messages", "evaluators") {
			return ""
		}
		tests = append(tests, doc.Root)
	}
	return detectTestsVersion(tests)
}

// detectTestsVersion returns the version of tests outside a suite, judged by their keys.
func detectTestsVersion(tests []*yaml.Node) agentv.Version {
	for _, n := range tests {
		switch {
		case agentv.HasAnyKey(n, "config", "tests"), IsHeadOnly(n), agentv.HasAnyKey(n, "assert") && !agentv.HasAnyKey(n, "input"):
			return agentv.Head
		case agentv.HasAnyKey(n, "assertions", "criteria", "assert"):
			return agentv.V4
		}
	}
	return ""
}

// caseList returns the value of the list of cases, or nil.
func caseList(root *yaml.Node, v agentv.Version) *yaml.Node {
	keys := CasesKeys
	if v == agentv.Head {
		keys = keys[:1]
	}
	return agentv.FirstValue(root, keys...)
}

// DetectFileVersion returns the later version of a file with a role, or "" if it is none.
func DetectFileVersion(tree *yaml.Tree, role agentv.Role) agentv.Version {
	switch role {
	case agentv.EvalV4, agentv.TestList:
		return DetectVersion(tree.Root())
	case agentv.Cases:
		return DetectJSONLVersion(tree)
	case agentv.ScenarioList, agentv.Providers:
		return agentv.Head
	case agentv.Config:
		if agentv.HasAnyKey(tree.Root(), "providers", "defaults", "tests", "eval_patterns", "execution") {
			return agentv.Head
		}
	}
	return ""
}

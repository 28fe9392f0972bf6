package v4

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Reader reads files of a version.
type Reader struct {
	Version agentv.Version
	Name    string // the file's base name without its extensions, the suite's name by default
	// ReadFile gives the text of a file that this one refers to; nil where nobody
	// can tell, and what stands in other files is not read then.
	ReadFile func(reference string) (body string, found bool)
	// Cache keeps what those files hold, for several readings of one file; nil
	// for one.
	Cache *FileCache
	// Remaining is how many tests of other files there is still room for, in several
	// readings of one file; nil for one. With 0 they are looked at and left out.
	Remaining *int
}

// suiteLoader is the state of reading one file.
type suiteLoader struct {
	Reader
	root          *yaml.Node
	suite         *rubric.Suite
	prompts       []promptTemplate // nil: each test brings its own input
	defaultVars   map[string]any   // variables of all tests
	standalone    bool             // the tests are in no suite, which may say more of them
	included      *includedFile    // the file that is read in the place of a reference; nil in the file itself
	scenarioTests int              // how many tests scenarios have given
	generatedID   string           // the id of a test that says none itself; ""
}

func (r Reader) newSuiteLoader(root *yaml.Node) *suiteLoader {
	if r.Cache == nil {
		r.Cache = &FileCache{}
	}
	if r.Remaining == nil {
		left := MaxExternalTests
		r.Remaining = &left
	}
	return &suiteLoader{Reader: r, root: root, suite: &rubric.Suite{Dialect: agentv.Name, Version: string(r.Version), Name: strings.TrimSuffix(r.Name, ".eval")}}
}

// LowerSuite reads an eval file. The result is never nil; what the loader skips is
// among its losses.
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

// LowerChunk reads a list of tests by itself; all else that the file says is in frame.
func (r Reader) LowerChunk(header, chunk *yaml.Tree) *rubric.Suite {
	l := r.newSuiteLoader(header.Root())
	if chunk.HasUnboundedAliases() || header.HasUnboundedAliases() {
		return l.failFile(agentv.EndlessAliases, chunk.Root())
	}
	l.readHeader()
	l.suite.Losses = nil // which are the frame's
	for _, test := range chunk.Root().List() {
		l.loadTest(test)
	}
	return l.suite
}

// LowerJSONL reads tests in JSONL. The sidecar, a YAML file with the same base name
// that says what all tests have, may be nil.
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

// LowerList reads a file that is a list of tests, or of scenarios, alone. What is asked
// of Head's tests is in the suites that take them, so that they are skipped here.
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

// readHeader reads what the file says of all its tests.
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
	} else if l.suite.Target, _ = l.root.Get("execution").Get("target").Str(); l.suite.Target == "" {
		l.suite.Target, _ = l.root.Get("target").Str()
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
	if turns := n.Get("turns"); len(turns.List()) > 0 {
		l.addLoss(TurnsUnread, rubric.Silent, turns, "")
	}
	if l.Version == agentv.Head {
		l.loadHeadTest(n)
	} else {
		l.loadStableTest(n)
	}
}

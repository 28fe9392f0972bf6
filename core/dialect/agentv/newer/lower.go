package newer

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
	// Files gives the text of a file that this one refers to; nil where nobody
	// can tell, and what stands in other files is not read then.
	Files func(reference string) (body string, found bool)
	// Others keeps what those files hold, for several readings of one file; nil
	// for one.
	Others *Others
	// Left is how many tests of other files there is still room for, in several
	// readings of one file; nil for one. With 0 they are looked at and left out.
	Left *int
}

// lowering is the state of reading one file.
type lowering struct {
	Reader
	root     *yaml.Node
	suite    *rubric.Suite
	asked    []prompt       // nil: each test brings its own input
	defaults map[string]any // variables of all tests
	alone    bool           // the tests are in no suite, which may say more of them
	other    *other         // the file that is read in the place of a reference; nil in the file itself
	crossed  int            // how many tests scenarios have given
	given    string         // the id of a test that says none itself; ""
}

func (r Reader) start(root *yaml.Node) *lowering {
	if r.Others == nil {
		r.Others = &Others{}
	}
	if r.Left == nil {
		left := Room
		r.Left = &left
	}
	return &lowering{Reader: r, root: root, suite: &rubric.Suite{Dialect: agentv.Name, Version: string(r.Version), Name: strings.TrimSuffix(r.Name, ".eval")}}
}

// Suite reads an eval file. The result is never nil; what the loader skips is
// among its losses.
func (r Reader) Suite(tree *yaml.Tree) *rubric.Suite {
	l := r.start(tree.Root())
	if tree.Endless() {
		return l.fatal(agentv.Endless, l.root)
	}
	if !l.root.IsMap() {
		return l.fatal(agentv.RootNotMap, l.root)
	}
	l.header()
	l.tests(cases(l.root, r.Version))
	return l.suite
}

// Part reads a list of tests by itself; all else that the file says is in frame.
func (r Reader) Part(frame, part *yaml.Tree) *rubric.Suite {
	l := r.start(frame.Root())
	if part.Endless() || frame.Endless() {
		return l.fatal(agentv.Endless, part.Root())
	}
	l.header()
	l.suite.Losses = nil // which are the frame's
	for _, test := range part.Root().List() {
		l.test(test)
	}
	return l.suite
}

// Lines reads tests in JSONL. The sidecar, a YAML file with the same base name
// that says what all tests have, may be nil.
func (r Reader) Lines(tree, sidecar *yaml.Tree) *rubric.Suite {
	l := r.start(nil)
	if tree.Endless() || sidecar != nil && sidecar.Endless() {
		return l.fatal(agentv.Endless, tree.Root())
	}
	if sidecar != nil {
		l.root = sidecar.Root()
	}
	l.header()
	l.alone = true
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			l.suite.Losses = append(l.suite.Losses, rubric.Loss{Kind: agentv.LineBroken, Level: rubric.Refuses, Span: p.Span, Fatal: true})
		}
	}
	for _, doc := range tree.Docs {
		if !doc.Root.IsNull() {
			l.test(doc.Root)
		}
	}
	return l.suite
}

// List reads a file that is a list of tests, or of scenarios, alone. What is asked
// of Head's tests is in the suites that take them, so that they are skipped here.
func (r Reader) List(tree *yaml.Tree, role agentv.Role) *rubric.Suite {
	l := r.start(nil)
	if tree.Endless() {
		return l.fatal(agentv.Endless, tree.Root())
	}
	l.alone = true
	if role == agentv.Scenarios {
		l.scenarios(tree.Root())
		return l.suite
	}
	for _, test := range tree.Root().List() {
		l.test(test)
	}
	return l.suite
}

// header reads what the file says of all its tests.
func (l *lowering) header() {
	l.suite.Description, _ = l.root.Get("description").Str()
	if own, _ := l.root.Get("name").Str(); strings.TrimSpace(own) != "" {
		l.suite.Name = strings.TrimSpace(own)
	}
	if l.Version == agentv.Head {
		if name, elsewhere := l.root.Get("default_test").Str(); elsewhere {
			l.lose(DefaultElsewhere, rubric.Silent, l.root.Get("default_test"), bare(name))
		}
		l.defaults, _ = l.root.Get("default_test").Get("vars").Any().(map[string]any)
		l.asked = l.prompts(l.root.Get("prompts"))
	} else if l.suite.Target, _ = l.root.Get("execution").Get("target").Str(); l.suite.Target == "" {
		l.suite.Target, _ = l.root.Get("target").Str()
	}
}

func (l *lowering) tests(list *yaml.Node) {
	scenarios := l.root.Get("scenarios")
	hasScenarios := l.Version == agentv.Head && !scenarios.IsNull()
	path, elsewhere := list.Str()
	switch {
	case elsewhere:
		l.elsewhere(list, path)
	case list.IsSeq(), list.IsNull() && hasScenarios:
	case list == nil:
		l.fatal(TestsMissing, l.root)
	default:
		l.fatal(TestsMissing, list)
	}
	for _, test := range list.List() {
		l.test(test)
	}
	if hasScenarios {
		l.scenarios(scenarios)
	}
}

func (l *lowering) test(n *yaml.Node) {
	path, isText := n.Str()
	included, isIncluded := n.Get("include").Str()
	switch {
	case isText && strings.HasPrefix(path, filePrefix) && l.other == nil:
		l.elsewhere(n, path)
		return
	case !n.IsMap():
		l.lose(TestInvalid, rubric.Warns, n, "")
		return
	case isIncluded && l.Version == agentv.Head:
		l.lose(TestsElsewhere, rubric.Silent, n.Get("include"), included)
		return
	}
	if turns := n.Get("turns"); len(turns.List()) > 0 {
		l.lose(TurnsUnread, rubric.Silent, turns, "")
	}
	if l.Version == agentv.Head {
		l.headTest(n)
	} else {
		l.stableTest(n)
	}
}

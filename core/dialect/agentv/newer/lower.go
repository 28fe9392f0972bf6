package newer

import (
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// lowering is the state of reading one file.
type lowering struct {
	version  agentv.Version
	root     *yaml.Node
	suite    *rubric.Suite
	asked    []prompt       // nil: each test brings its own input
	defaults map[string]any // variables of all tests
}

// Lower reads an eval file of a version. Name is the file's base name without
// its extensions, the suite's name by default. The suite is never nil; what the
// loader skips is among its losses.
func Lower(tree *yaml.Tree, name string, version agentv.Version) *rubric.Suite {
	l := &lowering{version: version, root: tree.Root(), suite: &rubric.Suite{Dialect: agentv.Name, Version: string(version), Name: name}}
	if tree.Endless() {
		return l.fatal(agentv.Endless, l.root)
	}
	if !l.root.IsMap() {
		return l.fatal(agentv.RootNotMap, l.root)
	}
	l.header()
	l.tests(cases(l.root, version))
	return l.suite
}

// LowerPart reads a list of tests by itself; all else that the file says is in
// frame.
func LowerPart(frame, part *yaml.Tree, name string, version agentv.Version) *rubric.Suite {
	l := &lowering{version: version, root: frame.Root(), suite: &rubric.Suite{Dialect: agentv.Name, Version: string(version), Name: name}}
	if part.Endless() || frame.Endless() {
		return l.fatal(agentv.Endless, part.Root())
	}
	l.header()
	for _, test := range part.Root().List() {
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
	if l.version == agentv.Head {
		l.defaults, _ = l.root.Get("default_test").Get("vars").Any().(map[string]any)
		l.asked = l.prompts(l.root.Get("prompts"))
	} else if l.suite.Target, _ = l.root.Get("execution").Get("target").Str(); l.suite.Target == "" {
		l.suite.Target, _ = l.root.Get("target").Str()
	}
}

func (l *lowering) tests(list *yaml.Node) {
	scenarios := l.root.Get("scenarios")
	if l.version == agentv.Head && !scenarios.IsNull() {
		l.lose(ScenariosUnread, rubric.Silent, scenarios, "")
	}
	if path, ok := list.Str(); ok {
		l.lose(TestsElsewhere, rubric.Silent, list, path)
		return
	}
	switch {
	case list.IsSeq():
	case list.IsNull() && l.version == agentv.Head && !scenarios.IsNull():
	case list == nil:
		l.fatal(TestsMissing, l.root)
	default:
		l.fatal(TestsMissing, list)
	}
	for _, test := range list.List() {
		l.test(test)
	}
}

func (l *lowering) test(n *yaml.Node) {
	path, isText := n.Str()
	switch {
	case isText && strings.HasPrefix(path, "file://"):
		l.lose(TestsElsewhere, rubric.Silent, n, path)
		return
	case !n.IsMap():
		l.lose(TestInvalid, rubric.Warns, n, "")
		return
	}
	if turns := n.Get("turns"); len(turns.List()) > 0 {
		l.lose(TurnsUnread, rubric.Silent, turns, "")
	}
	if l.version == agentv.Head {
		l.headTest(n)
	} else {
		l.stableTest(n)
	}
}

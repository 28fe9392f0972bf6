package agentv

import (
	"strings"

	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Name is the dialect's.
const Name = "agentv"

// CasesKey is what the list of cases is under.
const CasesKey = "evalcases"

// lowering is the state of reading one file.
type lowering struct {
	losses
	suite    *rubric.Suite
	fallback rubric.Kind // how a case without graders is graded
	shared   *yaml.Node  // the suite's execution, whose evaluators cases inherit
	common   *evaluators // those, once read
}

// Lower reads an eval file's first document. Name is the file's base name without
// its extension, the dataset's name by default. The suite is never nil; what
// the reference loader skips is not in it but among its losses.
func Lower(tree *yaml.Tree, name string) *rubric.Suite {
	l := &lowering{suite: &rubric.Suite{Dialect: Name, Name: name}, fallback: rubric.LLMJudge}
	root := tree.Root()
	if tree.Endless() {
		l.add(Endless, rubric.Refuses, root, "").Fatal = true
		return l.done()
	}
	if !root.IsMap() {
		l.add(RootNotMap, rubric.Refuses, root, "").Fatal = true
		return l.done()
	}
	l.header(root)
	cases := root.Get(CasesKey)
	if !cases.IsSeq() {
		at := root
		if cases != nil {
			at = cases
		}
		l.add(CasesNotList, rubric.Refuses, at, "").Fatal = true
		return l.done()
	}
	for _, entry := range cases.List() {
		l.entry(entry)
	}
	return l.done()
}

// LowerPart reads a list of cases by itself; all else that the file says is in
// frame.
func LowerPart(frame, part *yaml.Tree, name string) *rubric.Suite {
	l := &lowering{suite: &rubric.Suite{Dialect: Name, Name: name}, fallback: rubric.LLMJudge}
	if part.Endless() || frame.Endless() {
		l.add(Endless, rubric.Refuses, part.Root(), "").Fatal = true
		return l.done()
	}
	l.header(frame.Root())
	for _, entry := range part.Root().List() {
		l.entry(entry)
	}
	return l.done()
}

// LowerLines reads a JSONL file, one case a line. The sidecar, a YAML file with
// the same base name, may be nil.
func LowerLines(tree *yaml.Tree, name string, sidecar *yaml.Tree) *rubric.Suite {
	l := &lowering{suite: &rubric.Suite{Dialect: Name, Name: name}, fallback: rubric.LLMJudge}
	if tree.Endless() || sidecar != nil && sidecar.Endless() {
		l.add(Endless, rubric.Refuses, tree.Root(), "").Fatal = true
		return l.done()
	}
	if sidecar != nil && sidecar.Root().IsMap() {
		l.header(sidecar.Root())
	}
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			l.list = append(l.list, rubric.Loss{Kind: LineBroken, Level: rubric.Refuses, Span: p.Span, Fatal: true})
		}
	}
	for _, doc := range tree.Docs {
		if !doc.Root.IsNull() {
			l.entry(doc.Root)
		}
	}
	return l.done()
}

// header reads what a file says about all its cases.
func (l *lowering) header(root *yaml.Node) {
	l.suite.Description, _ = root.Get("description").Str()
	if dataset, ok := root.Get("dataset").Str(); ok && strings.TrimSpace(dataset) != "" {
		l.suite.Name = strings.TrimSpace(dataset)
	}
	l.shared = root.Get("execution")
	l.suite.Target = target(root)
	if n := root.Get("evaluator"); n != nil {
		if kind, ok := kindOf(n); ok {
			l.fallback = kind
		} else {
			l.add(FallbackUnknown, rubric.Warns, n, "")
		}
	}
}

func target(root *yaml.Node) string {
	if name, ok := root.Get("execution").Get("target").Str(); ok {
		return name
	}
	name, _ := root.Get("target").Str()
	return name
}

func (l *lowering) done() *rubric.Suite {
	l.suite.Losses = l.list
	return l.suite
}

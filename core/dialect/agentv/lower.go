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

// suiteLoader is the state of reading one file.
type suiteLoader struct {
	loader
	suite     *rubric.Suite
	fallback  rubric.Kind    // how a case without graders is graded
	execution *yaml.Node     // the suite's execution, whose evaluators cases inherit
	inherited *evaluatorList // those, once read
}

// Lower reads an eval file's first document. Name is the file's base name without
// its extension, the dataset's name by default. The suite is never nil; what
// the reference loader skips is not in it but among its losses.
func Lower(tree *yaml.Tree, name string) *rubric.Suite {
	l := &suiteLoader{suite: &rubric.Suite{Dialect: Name, Name: name}, fallback: rubric.LLMJudge}
	root := tree.Root()
	if tree.HasUnboundedAliases() {
		l.addLoss(EndlessAliases, rubric.Refuses, root, "").Fatal = true
		return l.finish()
	}
	if !root.IsMap() {
		l.addLoss(RootNotMap, rubric.Refuses, root, "").Fatal = true
		return l.finish()
	}
	l.readHeader(root)
	cases := root.Get(CasesKey)
	if !cases.IsSeq() {
		at := root
		if cases != nil {
			at = cases
		}
		l.addLoss(CasesNotList, rubric.Refuses, at, "").Fatal = true
		return l.finish()
	}
	for _, entry := range cases.List() {
		l.addCase(entry)
	}
	return l.finish()
}

// LowerChunk reads a list of cases by itself; all else that the file says is in
// frame.
func LowerChunk(header, chunk *yaml.Tree, name string) *rubric.Suite {
	l := &suiteLoader{suite: &rubric.Suite{Dialect: Name, Name: name}, fallback: rubric.LLMJudge}
	if chunk.HasUnboundedAliases() || header.HasUnboundedAliases() {
		l.addLoss(EndlessAliases, rubric.Refuses, chunk.Root(), "").Fatal = true
		return l.finish()
	}
	l.readHeader(header.Root())
	for _, entry := range chunk.Root().List() {
		l.addCase(entry)
	}
	return l.finish()
}

// LowerJSONL reads a JSONL file, one case a line. The sidecar, a YAML file with
// the same base name, may be nil.
func LowerJSONL(tree *yaml.Tree, name string, sidecar *yaml.Tree) *rubric.Suite {
	l := &suiteLoader{suite: &rubric.Suite{Dialect: Name, Name: name}, fallback: rubric.LLMJudge}
	if tree.HasUnboundedAliases() || sidecar != nil && sidecar.HasUnboundedAliases() {
		l.addLoss(EndlessAliases, rubric.Refuses, tree.Root(), "").Fatal = true
		return l.finish()
	}
	if sidecar != nil && sidecar.Root().IsMap() {
		l.readHeader(sidecar.Root())
	}
	for _, p := range tree.Problems {
		if p.Kind == yaml.SyntaxProblem {
			l.losses = append(l.losses, rubric.Loss{Kind: LineBroken, Level: rubric.Refuses, Span: p.Span, Fatal: true})
		}
	}
	for _, doc := range tree.Docs {
		if !doc.Root.IsNull() {
			l.addCase(doc.Root)
		}
	}
	return l.finish()
}

// readHeader reads what a file says about all its cases.
func (l *suiteLoader) readHeader(root *yaml.Node) {
	l.suite.Description, _ = root.Get("description").Str()
	if dataset, ok := root.Get("dataset").Str(); ok && strings.TrimSpace(dataset) != "" {
		l.suite.Name = strings.TrimSpace(dataset)
	}
	l.execution = root.Get("execution")
	l.suite.Target = suiteTarget(root)
	if n := root.Get("evaluator"); n != nil {
		if kind, ok := graderKind(n); ok {
			l.fallback = kind
		} else {
			l.addLoss(FallbackUnknown, rubric.Warns, n, "")
		}
	}
}

func suiteTarget(root *yaml.Node) string {
	if name, ok := root.Get("execution").Get("target").Str(); ok {
		return name
	}
	name, _ := root.Get("target").Str()
	return name
}

func (l *suiteLoader) finish() *rubric.Suite {
	l.suite.Losses = l.losses
	return l.suite
}

package reference

import (
	"strconv"

	"github.com/rubric-ls/rubric/core/yaml"
)

// Severity is error or warning.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Finding is one thing that the validator reports. Path is dotted, as
// evalcases[0].id, and "" for the file as a whole.
type Finding struct {
	Category string
	Path     string
	Severity Severity
}

// findings gathers what is found.
type findings struct{ list []Finding }

func (f *findings) add(category, path string) {
	f.list = append(f.list, Finding{category, path, Error})
}

func (f *findings) warn(category, path string) {
	f.list = append(f.list, Finding{category, path, Warning})
}

// root is the document's root if it is a mapping; otherwise that is reported.
func (f *findings) root(tree *yaml.Tree) *yaml.Node {
	for _, p := range tree.Problems {
		switch p.Kind {
		case yaml.SyntaxProblem, yaml.DuplicateKey, yaml.UnknownAlias, yaml.AliasCycle, yaml.BadMerge, yaml.ExpansionBudget,
			yaml.DepthProblem, yaml.TooLargeProblem:
			f.add("yaml_syntax", "")
			return nil
		}
	}
	if len(tree.Docs) > 1 {
		f.add("yaml_syntax", "")
		return nil
	}
	if root := tree.Root(); root.IsMap() {
		return root
	}
	f.add("root_not_object", "")
	return nil
}

func at(path string, index int) string { return path + "[" + strconv.Itoa(index) + "]" }

package reference

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Beside is what the newer versions find around an eval file.
type Beside struct {
	Assertions []string // the files in .agentv/assertions, here and further up, without their extension
	Prompt     bool     // a PROMPT.md that a case without a prompt takes
}

// EvalAt checks an eval file as a version does. Other files than those of
// beside are not looked at: cases and workspaces that a file refers to, and
// variables of the environment, are taken for good.
func EvalAt(v agentv.Version, tree *yaml.Tree, beside Beside) []Finding {
	switch v {
	case agentv.Stable:
		return evalStable(tree, beside)
	case agentv.Head:
		return evalHead(tree, beside)
	}
	return Eval(tree)
}

// Valid reports whether a version lets an eval file pass of which it found
// this: the seed minds warnings too, the newer ones errors alone.
func Valid(v agentv.Version, found []Finding) bool {
	return !slices.ContainsFunc(found, func(f Finding) bool { return f.Severity == Error || v == agentv.Seed })
}

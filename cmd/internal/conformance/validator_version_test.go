package conformance

import (
	"slices"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

// surroundings is what the newer versions find around an eval file.
type surroundings struct {
	Assertions []string // the files in .agentv/assertions, here and further up, without their extension
	Prompt     bool     // a PROMPT.md that a case without a prompt takes
}

// evalFindings checks an eval file as a version does. Other files than those of
// beside are not looked at: cases and workspaces that a file refers to, and
// variables of the environment, are taken for good.
func evalFindings(v agentv.Version, tree *yaml.Tree, around surroundings) []finding {
	switch v {
	case agentv.Stable:
		return evalStable(tree, around)
	case agentv.Head:
		return evalHead(tree, around)
	}
	return seedFindings(tree)
}

// accepts reports whether a version lets an eval file pass of which it found
// this: the seed minds warnings too, the newer ones errors alone.
func accepts(v agentv.Version, found []finding) bool {
	return !slices.ContainsFunc(found, func(f finding) bool { return f.Severity == severityError || v == agentv.Seed })
}

package yaml

import "github.com/rubric-ls/rubric/core/text"

// ProblemKind tells problems apart for those who word them.
type ProblemKind string

const (
	SyntaxProblem    ProblemKind = "syntax"           // the text is not YAML here; what is inside Span was left out of the tree
	DuplicateKey     ProblemKind = "duplicate-key"    // Note spans the first one
	UnknownAlias     ProblemKind = "unknown-alias"    // *name without &name
	AliasCycle       ProblemKind = "alias-cycle"      // an anchor that holds itself
	ExpansionBudget  ProblemKind = "expansion-budget" // aliases or merges unfold to more than Budget nodes
	EncodingProblem  ProblemKind = "encoding"         // bytes that are not UTF-8, or control characters
	BadMerge         ProblemKind = "bad-merge"        // << with something that is not a mapping
	DepthProblem     ProblemKind = "too-deep"         // nesting beyond MaxDepth
	TooLargeProblem  ProblemKind = "too-large"        // a text beyond MaxBytes, not read
	EmptyKey         ProblemKind = "empty-key"        // `: value`, legal and never meant
	TabProblem       ProblemKind = "tab"              // a tab in the indentation of a line that holds nothing yet
	IndentProblem    ProblemKind = "indent"           // read all the same; other readers refuse it
	LineBreakProblem ProblemKind = "line-break"       // NEL, LS or PS: a line break to YAML, not to editors
)

// Problem is one thing that is wrong with the text as YAML.
type Problem struct {
	Kind    ProblemKind
	Span    text.Span
	Message string    // one sentence, lower case, no final period
	Note    text.Span // a second place, empty if none
}

// shift is the problem in a text that begins delta bytes earlier.
func (p Problem) shift(delta int) Problem {
	p.Span = p.Span.Shift(delta)
	if !p.Note.Empty() {
		p.Note = p.Note.Shift(delta)
	}
	return p
}

package rubric

import "github.com/rubric-ls/rubric/core/text"

// The kinds that only assertion lists have. Their graders' Assert is never nil.
const (
	Deterministic Kind = "deterministic" // looks at the answer's text alone; Assert says for what
	AssertSet     Kind = "assert_set"    // several graders that count as one; Members and Threshold
	External      Kind = "external"      // needs a plugin, an interpreter, a service or a trace; Assert names it
)

// Assertion is what an entry of an assertion list, the newer dialects' way of
// naming graders, says. Every grader that comes from such a list has one.
type Assertion struct {
	// Type is as the runner knows it: kebab case, older names replaced, and the
	// rubric's own for plain texts.
	Type string
	// Value is the entry's `value` as JSON has it, nil if it has none: a text
	// to look for, a list of texts for the -any and -all types, any value for
	// an LLM rubric without criteria.
	Value any
	// Flags are a regex's, as JavaScript writes them.
	Flags string
	// Config is every key of the entry that the runner does not know, and what
	// is under its `config`.
	Config map[string]any

	TypeSpan  text.Span `json:"-"` // of the type's value; of the first text for plain texts
	ValueSpan text.Span `json:"-"` // of the value's value; empty if none is written
}

// The types of deterministic assertions. The texts that contains and its kin
// look for are in Value, a text or a list of texts.
const (
	Contains     = "contains"
	ContainsAny  = "contains-any"
	ContainsAll  = "contains-all"
	IContains    = "icontains" // in any letter case, as are the next two
	IContainsAny = "icontains-any"
	IContainsAll = "icontains-all"
	StartsWith   = "starts-with"
	EndsWith     = "ends-with"
	Regex        = "regex"
	IsJSON       = "is-json" // without a value
	Equals       = "equals"  // spaces at both ends aside
)

// The operators of a criterion: "" is Correctness.
const (
	Correctness   = "correctness"   // satisfied when the answer says so
	Contradiction = "contradiction" // satisfied unless the answer says otherwise
)

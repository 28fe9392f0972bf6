package score

import "slices"

// Profile chooses whose arithmetic is used.
type Profile string

// The rules as written, and three versions of the reference implementation.
// What a later version does as an earlier one did is said there only.
const (
	// Spec is exact, and never lets what was not judged pass.
	Spec Profile = "spec"
	// AgentV is the version of January 2026, f7854c89f: doubles, criteria that a
	// judge left out are nowhere, a failed judge is a score of 0.
	AgentV Profile = "agentv"
	// AgentV4 is release 4.42.4 of June 2026: nothing is borderline any more,
	// what failed to judge is skipped (here: ungraded) and costs the case its
	// score, and so does a required grader below its minimum.
	AgentV4 Profile = "agentv-4"
	// AgentVHead is the version of July 2026, 58f316ca2: a criterion with bands is
	// a gate only by its own minimum, a judge may reply with a score of its own,
	// and a case that nothing grades scores 1, not 0.
	AgentVHead Profile = "agentv-head"
)

// Profiles are all profiles, the default one first.
var Profiles = []Profile{Spec, AgentV, AgentV4, AgentVHead}

// IsKnown reports whether the profile is one of [Profiles].
func (p Profile) IsKnown() bool { return slices.Contains(Profiles, p) }

// ProfileNames lists all profiles for a sentence that asks for one.
const ProfileNames = "`spec` or `agentv`, or for its later versions `agentv-4` or `agentv-head`"

// IsReference reports whether the profile repeats a version of the reference
// implementation.
func (p Profile) IsReference() bool { return p == AgentV || p.IsV4OrLater() }

// IsV4OrLater reports whether the profile repeats a version of the reference
// implementation in which a verdict is pass or fail and a judge that failed is
// no judgement.
func (p Profile) IsV4OrLater() bool { return p == AgentV4 || p == AgentVHead }

// verdictAt is the verdict that the profile draws from a score as it is.
func (p Profile) verdictAt(value float64) Verdict { return p.verdictWithThreshold(value, nil) }

// verdictWithThreshold is verdict where a pass may be from another score on.
func (p Profile) verdictWithThreshold(value float64, threshold *float64) Verdict {
	switch {
	case value >= thresholdOrDefault(threshold):
		return Pass
	case value >= BorderlineAt && !p.IsV4OrLater():
		return Borderline
	}
	return Fail
}

package score

import (
	"math"
	"math/big"
	"slices"
	"strconv"
)

// The lowest scores of a pass and of a borderline.
const (
	PassAt       = 0.8
	BorderlineAt = 0.6
)

var (
	passAt       = big.NewRat(4, 5)
	borderlineAt = big.NewRat(3, 5)
)

// VerdictOf compares a score, as a double, with the two thresholds.
func VerdictOf(value float64) Verdict { return Spec.verdict(value, nil) }

// VerdictAt returns a profile's verdict on a case's score alone. A pass starts at threshold, if that is set.
func VerdictAt(profile Profile, value float64, threshold *float64) Verdict {
	return profile.verdict(value, threshold)
}

// Clamp moves a score into 0–1. NaN and infinities become 0.
func Clamp(value float64) float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0
	}
	return min(max(value, 0), 1)
}

func thresholdOrDefault(threshold *float64) float64 {
	if threshold == nil {
		return PassAt
	}
	return *threshold
}

// exactVerdict is VerdictOf without rounding. A pass starts at threshold, if that is set.
func exactVerdict(value *big.Rat, threshold *float64) Verdict {
	least := passAt
	if threshold != nil {
		if named, ok := decimal(new(big.Rat), *threshold); ok {
			least = named
		}
	}
	switch {
	case value.Cmp(least) >= 0:
		return Pass
	case value.Cmp(borderlineAt) >= 0:
		return Borderline
	}
	return Fail
}

// Verdict returns the verdict on one criterion's grade by itself, and false if there is no grade.
// An unmet gate is a fail. A score is compared with the thresholds of its case; a checklist
// criterion passes or fails. For a negated grader the opposite counts.
func (g Grade) Verdict(profile Profile, terms Terms, gate *Gate) (v Verdict, graded bool) {
	points := new(big.Rat)
	switch {
	case g.Ungraded != "" || g.Score == nil && g.Satisfied == nil:
		return Ungraded, false
	case gate != nil && !gate.Met:
		return Fail, true
	case g.Score != nil:
		tenths, ok := decimal(new(big.Rat), *g.Score)
		if !ok {
			return Ungraded, false
		}
		points = clampedRatio(tenths, full)
	case *g.Satisfied:
		points = big.NewRat(1, 1)
	}
	if terms.Negate {
		points = new(big.Rat).Sub(big.NewRat(1, 1), points)
	}
	least := terms.Threshold
	if g.Score == nil || profile == AgentV {
		least = nil
	}
	if v = exactVerdict(points, least); v == Borderline && profile.IsV4OrLater() {
		v = Fail
	}
	return v, true
}

// exactValue returns the score before it was rounded.
func (r Result) exactValue() *big.Rat {
	if r.exactScore != nil {
		return r.exactScore
	}
	if r.Score == nil {
		return new(big.Rat)
	}
	e, _ := decimal(new(big.Rat), Clamp(*r.Score))
	return e
}

// value returns the score, or what an ungraded result counts as.
func (r Result) value() float64 {
	if r.Score != nil {
		return *r.Score
	}
	return nearest(r.exactValue())
}

// SetVerdict sets the verdict. A result that is [Ungraded] loses its score, and any other has one.
func (r *Result) SetVerdict(verdict Verdict) { r.setScore(r.value(), verdict) }

// setScore sets the verdict, and the score unless that is [Ungraded].
func (r *Result) setScore(value float64, verdict Verdict) {
	if r.Score, r.Verdict = nil, verdict; verdict != Ungraded {
		r.Score = &value
	}
}

// RestoreExact returns the result with the unrounded score of other, if the result has no score or
// the rounded scores are equal.
func (r Result) RestoreExact(other Result) Result {
	if r.Score == nil || r.value() == other.value() {
		r.exactScore = other.exactScore
	}
	return r
}

// FormatNumber formats a number with all its digits, and no more.
func FormatNumber(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }

// FormatRounded formats a number with at most three decimals.
func FormatRounded(value float64) string { return FormatNumber(math.Round(value*1000)/1000 + 0) } // no negative zero

// FormatPercent formats a share of 1 as a whole percentage.
func FormatPercent(share float64) string { return strconv.FormatFloat(share*100, 'f', 0, 64) + " %" }

// FormatDifference formats a difference with at most three decimals, and with its sign.
func FormatDifference(value float64) string {
	text := FormatRounded(value)
	if value > 0 && text != "0" {
		return "+" + text
	}
	return text
}

// String returns the bounds of differences.
func (i Interval) String() string {
	return FormatDifference(i.Low) + " to " + FormatDifference(i.High)
}

// formatBelow formats a score below least with three decimal places, or as many as distinguish the
// two.
func formatBelow(value, least float64) string {
	for digits := 3; digits < 17; digits++ {
		if rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'f', digits, 64), 64); err == nil && rounded < least {
			return FormatNumber(rounded)
		}
	}
	return FormatNumber(value)
}

// Profile chooses whose arithmetic is used.
type Profile string

// The rules as written, three versions of AgentV, and promptfoo. Each version lists only its
// differences from the one before.
const (
	// Spec is exact, and never passes what was not judged.
	Spec Profile = "spec"
	// AgentV is the version of January 2026, f7854c89f: doubles; criteria that a judge omits are
	// ignored; a failed judge is a score of 0.
	AgentV Profile = "agentv"
	// AgentV4 is release 4.42.4 of June 2026. Nothing is borderline. What failed to be judged is
	// skipped (here: ungraded) and sets the case's score to 0, and so does a required grader below
	// its minimum.
	AgentV4 Profile = "agentv-4"
	// AgentVHead is the version of July 2026, 58f316ca2. A criterion with bands is a gate only by
	// its own minimum, a judge may reply with its own score, and a case without graders scores 1,
	// not 0.
	AgentVHead Profile = "agentv-head"
	// Promptfoo is promptfoo 0.121.20: doubles that may leave 0–1, a threshold of a case that replaces its
	// gates, and nothing borderline. An assertion that cannot be graded makes its case a 0 and a fail.
	Promptfoo Profile = "promptfoo"
)

// Profiles are all profiles, the default one first.
var Profiles = []Profile{Spec, AgentV, AgentV4, AgentVHead, Promptfoo}

// IsKnown reports whether the profile is one of [Profiles].
func (p Profile) IsKnown() bool { return slices.Contains(Profiles, p) }

// ProfileNames lists all profiles for an error message.
const ProfileNames = "`spec` or `agentv`, for its later versions `agentv-4` or `agentv-head`, or `promptfoo`"

// IsReference reports whether the profile repeats another runner.
func (p Profile) IsReference() bool { return p == AgentV || p.IsV4OrLater() || p == Promptfoo }

// IsV4OrLater reports whether the profile repeats a version of the reference implementation without
// borderline verdicts, which skips a failed judge.
func (p Profile) IsV4OrLater() bool { return p == AgentV4 || p == AgentVHead }

// verdict returns the profile's verdict on a score. A pass starts at threshold, if that is set.
func (p Profile) verdict(value float64, threshold *float64) Verdict {
	switch {
	case value >= thresholdOrDefault(threshold):
		return Pass
	case value >= BorderlineAt && (p == Spec || p == AgentV):
		return Borderline
	}
	return Fail
}

// Execution classifies a case's result as [AgentV4] and [AgentVHead] do: whether it could be
// determined, and if not, what failed.
type Execution struct {
	Status string `json:"execution_status"`              // "ok", "quality_failure" or "execution_error"
	Stage  string `json:"failure_stage,omitempty"`       // of an execution error: "agent" or "evaluator"
	Reason string `json:"failure_reason_code,omitempty"` // of an execution error: "provider_error" or "evaluator_error"
}

// ExecutionOf classifies a case's result. answered is false if the target gave no answer.
func ExecutionOf(c CaseResult, answered bool) Execution {
	switch {
	case !answered:
		return Execution{Status: "execution_error", Stage: "agent", Reason: "provider_error"}
	case c.skipped || c.Score == nil:
		return Execution{Status: "execution_error", Stage: "evaluator", Reason: "evaluator_error"}
	case *c.Score >= thresholdOrDefault(c.threshold):
		return Execution{Status: "ok"}
	}
	return Execution{Status: "quality_failure"}
}

package score

import (
	"math"
	"strconv"
)

// The lowest scores of a pass and of a borderline.
const (
	PassAt       = 0.8
	BorderlineAt = 0.6
)

var (
	passAt       = fraction(4, 5)
	borderlineAt = fraction(3, 5)
)

// VerdictOf compares a score, as the double it is, with the two thresholds.
func VerdictOf(value float64) Verdict {
	switch {
	case value >= PassAt:
		return Pass
	case value >= BorderlineAt:
		return Borderline
	}
	return Fail
}

// Clamp moves a score into 0–1; what is no finite number becomes 0.
func Clamp(value float64) float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0
	}
	return min(max(value, 0), 1)
}

// thresholdOrDefault is the lowest score of a pass, of a file that says one or says none.
func thresholdOrDefault(threshold *float64) float64 {
	if threshold == nil {
		return PassAt
	}
	return *threshold
}

// verdictOf is VerdictOf without rounding.
func verdictOf(value rational) Verdict { return exactVerdict(value, nil) }

// exactVerdict is verdictOf where a pass may be from another score on.
func exactVerdict(value rational, threshold *float64) Verdict {
	least := passAt
	if threshold != nil {
		if named, ok := decimal(*threshold); ok {
			least = named
		}
	}
	switch {
	case value.compare(least) >= 0:
		return Pass
	case value.compare(borderlineAt) >= 0:
		return Borderline
	}
	return Fail
}

// Verdict returns what one criterion's grade is worth by itself, and false if there
// is no grade. A missed gate is a fail. A score is compared with the limits of its
// case, a checklist criterion passes or fails. A negated grader wants the opposite.
func (g Grade) Verdict(profile Profile, terms Terms, gate *Gate) (v Verdict, graded bool) {
	points := integer(0)
	switch {
	case g.Ungraded != "" || g.Score == nil && g.Satisfied == nil:
		return Ungraded, false
	case gate != nil && !gate.Met:
		return Fail, true
	case g.Score != nil:
		tenths, ok := decimal(*g.Score)
		if !ok {
			return Ungraded, false
		}
		points = clampedRatio(tenths, integer(10))
	case *g.Satisfied:
		points = integer(1)
	}
	if terms.Negate {
		points = integer(1).sub(points)
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

// clampedRatio is part ÷ all, which is above 0, moved into 0–1.
func clampedRatio(part, all rational) rational {
	switch {
	case part.sign() < 0:
		return integer(0)
	case part.compare(all) > 0:
		return integer(1)
	}
	return part.div(all)
}

// exactValue is the score as it is, before it was rounded.
func (r Result) exactValue() rational {
	if !r.exactScore.isUnset() {
		return r.exactScore
	}
	e, _ := decimal(Clamp(r.Score))
	return e
}

// RestoreExact is the result with its score as it was before it was rounded, if it is that of
// another result.
func (r Result) RestoreExact(other Result) Result {
	if r.Score == other.Score {
		r.exactScore = other.exactScore
	}
	return r
}

func formatNumber(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }

// formatBelow says a score that is below least with three digits behind the point, or as many
// as tell the two apart.
func formatBelow(value, least float64) string {
	for digits := 3; digits < 17; digits++ {
		if rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'f', digits, 64), 64); err == nil && rounded < least {
			return formatNumber(rounded)
		}
	}
	return formatNumber(value)
}

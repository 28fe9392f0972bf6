package score

import (
	"fmt"
	"math/big"
	"slices"
)

// CombineByCount combines members by how many of them pass: the score is their share, and the whole
// passes from threshold, 0–1, on. The members' gates are dropped: counting allows some to fail.
//
// Under [Spec] an ungraded member does not pass and leaves the whole ungraded too. The reference's
// versions skip it.
func CombineByCount(profile Profile, threshold float64, parts []WeightedResult) Result {
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Weight = 1
	}
	r := Combine(profile, nil, parts)
	r.Gates, r.exactScore = []Gate{}, nil
	if profile.IsV4OrLater() && r.Ungraded != "" {
		return r
	}
	if profile.IsV4OrLater() {
		parts = gradedParts(parts)
	}
	passed := countPassed(parts)
	r.exactScore = new(big.Rat)
	if len(parts) > 0 {
		r.exactScore.SetFrac64(int64(passed), int64(len(parts)))
	}
	r.Score = new(nearest(r.exactScore))
	line := fmt.Sprintf("%d of %d pass, at least %s of them must", passed, len(parts), FormatNumber(threshold))
	r.decide(r.reaches(profile, threshold), line)
	return r
}

// CombineSet combines members by their weighted mean. With a threshold, 0–1, the set passes from
// that mean on; without one, if every member with a weight passes.
//
// Under [Spec] a member's failed gate fails the set. The reference's versions count an ungraded
// member as a score of 0 here.
func CombineSet(profile Profile, threshold *float64, parts []WeightedResult) Result {
	arithmetic := profile
	if profile.IsReference() {
		arithmetic = AgentV
	}
	r := Combine(arithmetic, nil, parts)
	if threshold != nil {
		line := fmt.Sprintf("the mean is %s, at least %s is required", FormatNumber(r.value()), FormatNumber(*threshold))
		r.decide(r.reaches(profile, *threshold) && allMet(r.Gates), line)
		return r
	}
	weighed := slices.DeleteFunc(slices.Clone(parts), func(p WeightedResult) bool { return p.Weight == 0 })
	passed := countPassed(weighed)
	r.decide(passed == len(weighed) && allMet(r.Gates), fmt.Sprintf("%d of %d pass, all must", passed, len(weighed)))
	return r
}

func countPassed(parts []WeightedResult) (n int) {
	for _, p := range parts {
		if p.Result.Verdict == Pass && p.Result.Ungraded == "" {
			n++
		}
	}
	return n
}

// decide sets the verdict of a combined result and puts the line that explains it first.
func (r *Result) decide(pass bool, line string) {
	verdict := Pass
	switch {
	case r.Ungraded != "":
		verdict = settled(Ungraded, true, r.Gates)
	case !pass:
		verdict = Fail
	}
	if r.SetVerdict(verdict); verdict == Pass {
		r.Hits = append([]string{line}, r.Hits...)
	} else {
		r.Misses = append([]string{line}, r.Misses...)
	}
}

// NumberResult is the result of a program that printed a number. It passes from threshold on, 0–1,
// or with anything above 0 without one.
func NumberResult(value float64, threshold *float64) Result {
	r := PlainResult(value, nil, nil, "")
	wanted, pass := "anything above 0", *r.Score > 0
	if threshold != nil {
		wanted, pass = "at least "+FormatNumber(*threshold), *r.Score >= *threshold
	}
	r.decide(pass, fmt.Sprintf("the score is %s, %s is required", FormatNumber(*r.Score), wanted))
	return r
}

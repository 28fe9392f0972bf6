package score

import "fmt"

// Count combines members by how many of them pass: the score is the share that
// does, and from threshold, 0–1, on they pass together. A member's gates do not
// outlive its verdict: that some may fail is the point of counting.
//
// Under [Spec] an ungraded member is one that does not pass, and leaves the
// whole ungraded too; the reference's versions leave it out.
func Count(profile Profile, threshold float64, parts []Weighted) Result {
	r := Combine(profile, equal(parts))
	r.Gates, r.exact = []Gate{}, exact{}
	if profile.Newer() && r.Ungraded != "" {
		return r
	}
	if profile.Newer() {
		parts = gradedOf(parts)
	}
	passed := 0
	for _, p := range parts {
		if p.Result.Ungraded == "" && p.Result.Verdict == Pass {
			passed++
		}
	}
	r.Score = 0
	if len(parts) > 0 {
		r.exact = fraction(int64(passed), int64(len(parts)))
		r.Score = r.exact.double()
	}
	line := fmt.Sprintf("%d of %d pass, at least %s of them have to", passed, len(parts), number(threshold))
	r.settle(r.reaches(profile, threshold), line)
	return r
}

// Set combines members by their weighted mean: from threshold, 0–1, on they pass
// together, and without one when every member passes that has a weight.
//
// Under [Spec] a member's failed gate fails the set. The reference's versions
// take an ungraded member for a score of 0 here.
func Set(profile Profile, threshold *float64, parts []Weighted) Result {
	var r Result
	if profile.Reference() {
		r = Combine(AgentV, parts)
	} else {
		r = Combine(profile, parts)
	}
	if threshold != nil {
		line := fmt.Sprintf("the mean is %s, at least %s is wanted", number(r.Score), number(*threshold))
		r.settle(r.reaches(profile, *threshold) && met(r.Gates), line)
		return r
	}
	passed, all := 0, 0
	for _, p := range parts {
		if p.Weight == 0 {
			continue
		}
		if all++; p.Result.Verdict == Pass && p.Result.Ungraded == "" {
			passed++
		}
	}
	r.settle(passed == all && met(r.Gates), fmt.Sprintf("%d of %d pass, all have to", passed, all))
	return r
}

// settle sets the verdict of a combined result and puts the line that says why
// before its findings.
func (r *Result) settle(pass bool, line string) {
	if pass && r.Ungraded == "" {
		r.Verdict, r.Hits = Pass, append([]string{line}, r.Hits...)
	} else {
		r.Verdict, r.Misses = Fail, append([]string{line}, r.Misses...)
	}
}

// equal gives every member the same weight.
func equal(parts []Weighted) []Weighted {
	all := make([]Weighted, len(parts))
	for i, p := range parts {
		p.Weight = 1
		all[i] = p
	}
	return all
}

// Scored is the result of a program that printed a number: it passes from
// threshold on, 0–1, and without one with anything above 0.
func Scored(value float64, threshold *float64) Result {
	r := Plain(value, nil, nil, "")
	wanted, pass := "anything above 0", r.Score > 0
	if threshold != nil {
		wanted, pass = "at least "+number(*threshold), r.Score >= *threshold
	}
	r.settle(pass, fmt.Sprintf("the score is %s, %s is wanted", number(r.Score), wanted))
	return r
}

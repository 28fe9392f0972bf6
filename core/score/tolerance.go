package score

import "math"

// Tolerance is how far a number may be from the one that is wanted: Most, or,
// when Relative, that share of the wanted number. Nothing is a share of 0, so
// from a wanted 0 the distance is Most in either case.
type Tolerance struct {
	Max      float64
	Relative bool
}

// Allows reports whether got is near enough to want. Under [Spec] the numbers
// are the decimals that were written: 1.1 is within 0.1 of 1, which it is not as
// doubles, as the other profiles compare them. NaN and infinities are near to nothing.
func (t Tolerance) Allows(profile Profile, got, want float64) bool {
	a, isA := decimal(got)
	b, isB := decimal(want)
	most, isMost := decimal(t.Max)
	if !isA || !isB || !isMost {
		return false
	}
	relative := t.Relative && want != 0
	if profile.IsReference() {
		apart := math.Abs(got - want)
		if relative {
			apart /= math.Abs(want)
		}
		return apart <= t.Max
	}
	if relative {
		most = most.mul(b.abs())
	}
	return a.sub(b).abs().compare(most) <= 0
}

package score

import (
	"math"
	"math/big"
)

// Tolerance is how far a number may be from the one that is wanted: Most, or,
// when Relative, that share of the wanted number. Nothing is a share of 0, so
// from a wanted 0 the distance is Most in either case.
type Tolerance struct {
	Most     float64
	Relative bool
}

// Allows reports whether got is near enough to want. Under [Spec] the numbers
// are the decimals that were written: 1.1 is within 0.1 of 1, which it is not as
// doubles, as the other profiles compare them. NaN and infinities are near to nothing.
func (t Tolerance) Allows(profile Profile, got, want float64) bool {
	a, b, most := decimal(got), decimal(want), decimal(t.Most)
	if a == nil || b == nil || most == nil {
		return false
	}
	relative := t.Relative && want != 0
	if profile.Reference() {
		apart := math.Abs(got - want)
		if relative {
			apart /= math.Abs(want)
		}
		return apart <= t.Most
	}
	if relative {
		most.Mul(most, new(big.Rat).Abs(b))
	}
	a.Sub(a, b)
	return a.Abs(a).Cmp(most) <= 0
}

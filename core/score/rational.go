package score

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
)

// A rational is an exact number. Weights, scores and their sums are almost always small
// fractions; only others need [big.Rat], which takes ten times as long. The zero value is
// unset.
type rational struct {
	num, den int64  // in lowest terms, with den above 0; if big is ""
	big      string // as big.Rat reads it; a *big.Rat field would link all of its methods
}

func newBig(r *big.Rat) rational { return rational{big: r.RatString()} }

// smallLimit bounds the numerators and denominators of small fractions. The product of two, and
// a sum of two products, fit into an int64.
const smallLimit = 1 << 31

func integer(n int64) rational { return fraction(n, 1) }

// fraction returns num ÷ den, with den above 0.
func fraction(num, den int64) rational {
	common, rest := max(num, -num), den
	for rest != 0 {
		common, rest = rest, common%rest
	}
	num, den = num/common, den/common
	if max(num, -num, den) >= smallLimit {
		return newBig(big.NewRat(num, den))
	}
	return rational{num: num, den: den}
}

// decimal returns the number that the author of value wrote: its shortest decimal, so that 0.1
// is a tenth. It is false for NaN and infinities.
func decimal(value float64) (r rational, ok bool) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return r, false
	}
	for den := int64(1); den < smallLimit; den *= 10 {
		// Decimals of at most 15 digits are distinct doubles, so this one is the shortest.
		if num := math.Round(value * float64(den)); math.Abs(num) < smallLimit && num/float64(den) == value {
			return fraction(int64(num), den), true
		}
	}
	return rational{big: strconv.FormatFloat(value, 'g', -1, 64)}, true
}

// isUnset reports whether r is the zero value.
func (r rational) isUnset() bool { return r == rational{} }

// bigRat returns the number as a [big.Rat].
func (r rational) bigRat() *big.Rat {
	if r.isSmall() {
		return big.NewRat(r.num, r.den)
	}
	parsed, _ := new(big.Rat).SetString(r.big)
	return parsed
}

func (r rational) isSmall() bool { return r.big == "" }

func (r rational) add(other rational) rational {
	if r.isSmall() && other.isSmall() {
		return fraction(r.num*other.den+other.num*r.den, r.den*other.den)
	}
	return newBig(new(big.Rat).Add(r.bigRat(), other.bigRat()))
}

func (r rational) sub(other rational) rational { return r.add(other.mul(integer(-1))) }

func (r rational) mul(other rational) rational {
	if r.isSmall() && other.isSmall() {
		return fraction(r.num*other.num, r.den*other.den)
	}
	return newBig(new(big.Rat).Mul(r.bigRat(), other.bigRat()))
}

// div returns r ÷ other, with other above 0.
func (r rational) div(other rational) rational {
	if r.isSmall() && other.isSmall() {
		return fraction(r.num*other.den, r.den*other.num)
	}
	return newBig(new(big.Rat).Quo(r.bigRat(), other.bigRat()))
}

// compare is negative if r is less than other, 0 if they are equal, else positive.
func (r rational) compare(other rational) int {
	if r.isSmall() && other.isSmall() {
		return cmp.Compare(r.num*other.den, other.num*r.den)
	}
	return r.bigRat().Cmp(other.bigRat())
}

func (r rational) sign() int { return r.compare(integer(0)) }

// float returns the nearest float64.
func (r rational) float() float64 {
	if r.isSmall() {
		return float64(r.num) / float64(r.den)
	}
	f, _ := r.bigRat().Float64()
	return f
}

func (r rational) abs() rational {
	if r.sign() < 0 {
		return integer(0).sub(r)
	}
	return r
}

// Share is one weighted part of a mean.
type Share struct {
	Value  float64 // 0–1
	Weight float64
}

// Mean returns Σ value·weight ÷ Σ weight, clamped to 0–1. It is false unless the sum of the
// weights is positive.
//
// Under [Spec] numbers are the decimals as written, and only the mean is rounded: weights of
// 0.7, 0.1 and 0.2 with the last one missed are 0.8. Under the others the sums are doubles, in
// the order given.
func Mean(profile Profile, shares []Share) (mean float64, ok bool) {
	if profile.IsReference() {
		return meanAgentV(shares)
	}
	sum, all := integer(0), integer(0)
	for _, s := range shares {
		value, known := decimal(s.Value)
		weight, weighs := decimal(s.Weight)
		if !known || !weighs {
			return 0, false
		}
		sum, all = sum.add(value.mul(weight)), all.add(weight)
	}
	if all.sign() <= 0 {
		return 0, false
	}
	return clampedRatio(sum, all).float(), true
}

func meanAgentV(shares []Share) (mean float64, ok bool) {
	sum, total := 0.0, 0.0
	for _, s := range shares {
		sum += s.Value * s.Weight
		total += s.Weight
	}
	if !(total > 0) {
		return 0, false
	}
	return Clamp(sum / total), true
}

// Tolerance is how far a number may differ from the expected one: Max, or that share of it if
// Relative. For an expected 0 the distance is always Max.
type Tolerance struct {
	Max      float64
	Relative bool
}

// Allows reports whether got is close enough to want. Under [Spec] numbers are the decimals as
// written: 1.1 is within 0.1 of 1, unlike as doubles, which the other profiles compare. NaN and
// infinities are close to nothing.
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

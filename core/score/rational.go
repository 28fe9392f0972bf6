package score

import (
	"math"
	"math/big"
	"strconv"

	"github.com/rubric-ls/rubric/core/rubric"
)

// decimal sets d to the number that the author of value wrote, and returns it: its shortest decimal, so
// that 0.1 is a tenth. It is false for NaN and infinities.
func decimal(d *big.Rat, value float64) (*big.Rat, bool) {
	if whole := int32(value); float64(whole) == value {
		return d.SetInt64(int64(whole)), true // most are, and parsing takes longer
	}
	return d.SetString(strconv.FormatFloat(value, 'g', -1, 64))
}

// clampedRatio returns part ÷ all, with all above 0, clamped to 0–1.
func clampedRatio(part, all *big.Rat) *big.Rat {
	switch {
	case part.Sign() < 0:
		return new(big.Rat)
	case part.Cmp(all) > 0:
		return big.NewRat(1, 1)
	}
	return new(big.Rat).Quo(part, all)
}

// full is the highest score of a criterion.
var full = big.NewRat(rubric.HighestScore, 1)

func nearest(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// Share is one weighted part of a mean.
type Share struct {
	Value  float64 // 0–1
	Weight float64
}

// Mean returns Σ value·weight ÷ Σ weight, clamped to 0–1. It is false unless the sum of the weights
// is positive.
//
// Under [Spec] numbers are the decimals as written, and only the mean is rounded: weights of 0.7,
// 0.1 and 0.2 with the last one missed are 0.8. Under the others the sums are doubles, in the order
// given.
func Mean(profile Profile, shares []Share) (mean float64, ok bool) {
	if profile.IsReference() {
		return meanAgentV(shares)
	}
	sum, all, ok := weightedSum(shares)
	if !ok || all.Sign() <= 0 {
		return 0, false
	}
	return nearest(clampedRatio(sum, all)), true
}

// weightedSum returns Σ value·weight and Σ weight. It is false if one of the numbers is no decimal.
func weightedSum(shares []Share) (sum, all *big.Rat, ok bool) {
	sum, all = new(big.Rat), new(big.Rat)
	var v, w big.Rat
	for _, s := range shares {
		value, isValue := decimal(&v, s.Value)
		weight, isWeight := decimal(&w, s.Weight)
		if !isValue || !isWeight {
			return sum, all, false
		}
		sum.Add(sum, value.Mul(value, weight))
		all.Add(all, weight)
	}
	return sum, all, true
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
	a, isA := decimal(new(big.Rat), got)
	b, isB := decimal(new(big.Rat), want)
	most, isMost := decimal(new(big.Rat), t.Max)
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
		most.Mul(most, new(big.Rat).Abs(b))
	}
	return a.Abs(a.Sub(a, b)).Cmp(most) <= 0
}

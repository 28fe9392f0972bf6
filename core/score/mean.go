package score

import "math/big"

// Share is one weighted part of a mean.
type Share struct {
	Value  float64 // 0–1
	Weight float64
}

// Mean is Σ value·weight ÷ Σ weight, moved into 0–1. It is false when the
// weights add up to nothing, or to less.
//
// Under [Spec] a number is the decimal that was written, and nothing but the
// mean is rounded: weights of 0.7, 0.1 and 0.2 with the last one missed are 0.8.
// Under the others the sums are doubles, in the order given.
func Mean(profile Profile, shares []Share) (mean float64, ok bool) {
	if profile.Reference() {
		return meanAgentV(shares)
	}
	sum, all := new(big.Rat), new(big.Rat)
	for _, s := range shares {
		value, weight := decimal(s.Value), decimal(s.Weight)
		if value == nil || weight == nil {
			return 0, false
		}
		all.Add(all, weight)
		sum.Add(sum, value.Mul(value, weight))
	}
	if all.Sign() <= 0 {
		return 0, false
	}
	_, mean = ratio(sum, all)
	return mean, true
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

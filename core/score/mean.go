package score

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

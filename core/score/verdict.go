package score

import (
	"math"
	"math/big"
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
	one          = big.NewRat(1, 1)
	ten          = big.NewRat(10, 1)
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

// leastOf is the lowest score of a pass, of a file that says one or says none.
func leastOf(threshold *float64) float64 {
	if threshold == nil {
		return PassAt
	}
	return *threshold
}

// verdictOf is VerdictOf without rounding.
func verdictOf(value *big.Rat) Verdict { return exactVerdict(value, nil) }

// exactVerdict is verdictOf where a pass may be from another score on.
func exactVerdict(value *big.Rat, threshold *float64) Verdict {
	least := passAt
	if threshold != nil {
		if named := decimal(*threshold); named != nil {
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

// decimal is the number that a person who wrote value meant: its shortest
// decimal, so that 0.1 is a tenth. It is nil for NaN and infinities.
func decimal(value float64) *big.Rat {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	if whole := int64(value); float64(whole) == value && -1<<53 < whole && whole < 1<<53 { // as most are
		return new(big.Rat).SetInt64(whole)
	}
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(value, 'g', -1, 64))
	return r
}

// ratio is part ÷ whole moved into 0–1, exactly and as the nearest double.
func ratio(part, whole *big.Rat) (*big.Rat, float64) {
	q := new(big.Rat).Quo(part, whole)
	switch {
	case q.Sign() < 0:
		q.SetInt64(0)
	case q.Cmp(one) > 0:
		q.Set(one)
	}
	f, _ := q.Float64()
	return q, f
}

func (r Result) rat() *big.Rat {
	if r.exact != nil {
		return r.exact
	}
	if d := decimal(Clamp(r.Score)); d != nil {
		return d
	}
	return new(big.Rat)
}

func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }

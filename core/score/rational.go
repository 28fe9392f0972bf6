package score

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
)

// rational is a number that is never rounded. Weights, scores and what they come to are
// fractions of small numbers but for a few: only for those it takes [big.Rat], with
// which every sum is ten times the work. The zero value is no number.
type rational struct {
	num, den int64  // in lowest terms, over above 0; where large is ""
	big      string // as big.Rat reads it: to hold one would link all that it can do
}

func newBig(r *big.Rat) rational { return rational{big: r.RatString()} }

// smallLimit is above the numerators and denominators of small fractions: the product of
// two fits into an int64, and so does a sum of two products.
const smallLimit = 1 << 31

func integer(n int64) rational { return fraction(n, 1) }

// fraction is num ÷ over, which is above 0.
func fraction(num, over int64) rational {
	common, rest := max(num, -num), over
	for rest != 0 {
		common, rest = rest, common%rest
	}
	num, over = num/common, over/common
	if max(num, -num, over) >= smallLimit {
		return newBig(big.NewRat(num, over))
	}
	return rational{num: num, den: over}
}

// decimal is the number that a person who wrote value meant: its shortest decimal, so
// that 0.1 is a tenth. There is none for NaN and infinities.
func decimal(value float64) (e rational, ok bool) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return e, false
	}
	for over := int64(1); over < smallLimit; over *= 10 {
		// No two decimals of at most 15 digits are the same double, so this is the shortest.
		if num := math.Round(value * float64(over)); math.Abs(num) < smallLimit && num/float64(over) == value {
			return fraction(int64(num), over), true
		}
	}
	return rational{big: strconv.FormatFloat(value, 'g', -1, 64)}, true
}

// isUnset reports that it is no number.
func (r rational) isUnset() bool { return r == rational{} }

// bigRat is the number in the form that has room for all.
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

// div is a ÷ b, which is above 0.
func (r rational) div(other rational) rational {
	if r.isSmall() && other.isSmall() {
		return fraction(r.num*other.den, r.den*other.num)
	}
	return newBig(new(big.Rat).Quo(r.bigRat(), other.bigRat()))
}

// compare is below 0 where a is less than b, 0 where they are equal, else above.
func (r rational) compare(other rational) int {
	if r.isSmall() && other.isSmall() {
		return cmp.Compare(r.num*other.den, other.num*r.den)
	}
	return r.bigRat().Cmp(other.bigRat())
}

func (r rational) sign() int { return r.compare(integer(0)) }

// float is the nearest one.
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

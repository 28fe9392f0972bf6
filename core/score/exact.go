package score

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
)

// exact is a number that is never rounded. Weights, scores and what they come to are
// fractions of small numbers but for a few: only for those it takes [big.Rat], with
// which every sum is ten times the work. The zero value is no number.
type exact struct {
	num, over int64  // in lowest terms, over above 0; where large is ""
	large     string // as big.Rat reads it: to hold one would link all that it can do
}

func large(r *big.Rat) exact { return exact{large: r.RatString()} }

// small is above the numerators and denominators of small fractions: the product of
// two fits into an int64, and so does a sum of two products.
const small = 1 << 31

func whole(n int64) exact { return fraction(n, 1) }

// fraction is num ÷ over, which is above 0.
func fraction(num, over int64) exact {
	common, rest := max(num, -num), over
	for rest != 0 {
		common, rest = rest, common%rest
	}
	num, over = num/common, over/common
	if max(num, -num, over) >= small {
		return large(big.NewRat(num, over))
	}
	return exact{num: num, over: over}
}

// decimal is the number that a person who wrote value meant: its shortest decimal, so
// that 0.1 is a tenth. There is none for NaN and infinities.
func decimal(value float64) (e exact, ok bool) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return e, false
	}
	for over := int64(1); over < small; over *= 10 {
		// No two decimals of at most 15 digits are the same double, so this is the shortest.
		if num := math.Round(value * float64(over)); math.Abs(num) < small && num/float64(over) == value {
			return fraction(int64(num), over), true
		}
	}
	return exact{large: strconv.FormatFloat(value, 'g', -1, 64)}, true
}

// none reports that it is no number.
func (a exact) none() bool { return a == exact{} }

// rat is the number in the form that has room for all.
func (a exact) rat() *big.Rat {
	if a.isSmall() {
		return big.NewRat(a.num, a.over)
	}
	r, _ := new(big.Rat).SetString(a.large)
	return r
}

func (a exact) isSmall() bool { return a.large == "" }

func (a exact) plus(b exact) exact {
	if a.isSmall() && b.isSmall() {
		return fraction(a.num*b.over+b.num*a.over, a.over*b.over)
	}
	return large(new(big.Rat).Add(a.rat(), b.rat()))
}

func (a exact) minus(b exact) exact { return a.plus(b.times(whole(-1))) }

func (a exact) times(b exact) exact {
	if a.isSmall() && b.isSmall() {
		return fraction(a.num*b.num, a.over*b.over)
	}
	return large(new(big.Rat).Mul(a.rat(), b.rat()))
}

// by is a ÷ b, which is above 0.
func (a exact) by(b exact) exact {
	if a.isSmall() && b.isSmall() {
		return fraction(a.num*b.over, a.over*b.num)
	}
	return large(new(big.Rat).Quo(a.rat(), b.rat()))
}

// compare is below 0 where a is less than b, 0 where they are equal, else above.
func (a exact) compare(b exact) int {
	if a.isSmall() && b.isSmall() {
		return cmp.Compare(a.num*b.over, b.num*a.over)
	}
	return a.rat().Cmp(b.rat())
}

func (a exact) sign() int { return a.compare(whole(0)) }

// double is the nearest one.
func (a exact) double() float64 {
	if a.isSmall() {
		return float64(a.num) / float64(a.over)
	}
	f, _ := a.rat().Float64()
	return f
}

func (a exact) abs() exact {
	if a.sign() < 0 {
		return whole(0).minus(a)
	}
	return a
}

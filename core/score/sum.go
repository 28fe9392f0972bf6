package score

import "math/big"

// sum is an exact sum of products. Weights and scores are whole numbers but for a
// few, and those are added up without fractions, which take ten times as long.
type sum struct {
	whole int64
	rest  *big.Rat // of the others; nil for 0
}

// small is above every factor of a product that is added up as a whole number: a
// million million of them fit into an int64.
const small = 1 << 11

// add adds a product. Neither factor is NaN or infinite.
func (s *sum) add(a, b float64) {
	m, n := int64(a), int64(b)
	if float64(m) == a && float64(n) == b && -small < m && m < small && -small < n && n < small {
		s.whole += m * n
		return
	}
	if s.rest == nil {
		s.rest = new(big.Rat)
	}
	s.rest.Add(s.rest, new(big.Rat).Mul(decimal(a), decimal(b)))
}

// rat is what it comes to.
func (s *sum) rat() *big.Rat {
	all := new(big.Rat).SetInt64(s.whole)
	if s.rest != nil {
		all.Add(all, s.rest)
	}
	return all
}

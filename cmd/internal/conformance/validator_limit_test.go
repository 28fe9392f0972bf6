package conformance

import (
	"math"

	"github.com/rubric-ls/rubric/core/yaml"
)

// limit is what a number under a key has to be; KEY_invalid if it is not.
type limit struct {
	key string
	ok  func(float64) bool
}

func aboveZero(x float64) bool     { return x > 0 }
func notBelow0(x float64) bool     { return x >= 0 }
func isShare(x float64) bool       { return x >= 0 && x <= 1 }
func isCount(x float64) bool       { return x >= 1 && x == math.Trunc(x) && !math.IsInf(x, 0) }
func isWorkerCount(x float64) bool { return isCount(x) && x <= 50 }

// limits checks the numbers of a mapping that are there.
func (f *findings) limits(n *yaml.Node, path string, limits ...limit) {
	for _, l := range limits {
		value := f.get(n, l.key)
		if value == nil {
			continue
		}
		if number, ok := value.Number(); !ok || !l.ok(number) {
			f.add(l.key+"_invalid", path+"."+l.key)
		}
	}
}

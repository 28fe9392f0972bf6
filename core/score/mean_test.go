package score_test

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

func TestMean(t *testing.T) {
	for _, c := range []struct {
		name         string
		shares       []score.Share
		spec, agentv float64
		none         bool
	}{
		{"one", []score.Share{{Value: 0.3, Weight: 2}}, 0.3, 0.3, false},
		{"two to one", []score.Share{{Value: 1, Weight: 2}, {Value: 0, Weight: 1}}, 2.0 / 3, 2.0 / 3, false},
		{"tenths", []score.Share{{Value: 1, Weight: .7}, {Value: 1, Weight: .1}, {Value: 0, Weight: .2}}, 0.8, 0.7999999999999999, false},
		{"a weight below 0", []score.Share{{Value: 0, Weight: -1}, {Value: 1, Weight: 3}}, 1, 1, false},
		{"nothing", nil, 0, 0, true},
		{"no weight", []score.Share{{Value: 1, Weight: 0}}, 0, 0, true},
		{"less than no weight", []score.Share{{Value: 1, Weight: -1}}, 0, 0, true},
		{"NaN", []score.Share{{Value: 1, Weight: math.NaN()}}, 0, 0, true},
	} {
		for profile, want := range map[score.Profile]float64{score.Spec: c.spec, score.AgentV: c.agentv} {
			if got, ok := score.Mean(profile, c.shares); got != want || ok == c.none {
				t.Errorf("%s, %s: %v %v, want %v", c.name, profile, got, ok, want)
			}
		}
	}
	if got, ok := score.Mean(score.Spec, []score.Share{{Value: math.Inf(1), Weight: 1}}); ok {
		t.Errorf("an endless value has the mean %v", got)
	}
}

// TestMeanIsExact: it is the double nearest to the true mean, and lies within the
// values, however the weights are written.
func TestMeanIsExact(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	for range 2000 {
		var shares []score.Share
		var sum, all int64
		for range 1 + rng.Intn(6) {
			met, weight := int64(rng.Intn(2)), int64(1+rng.Intn(50))
			shares = append(shares, score.Share{Value: float64(met), Weight: float64(weight) / 10})
			sum += met * weight
			all += weight
		}
		want, _ := big.NewRat(sum, all).Float64()
		if got, ok := score.Mean(score.Spec, shares); !ok || got != want {
			t.Fatalf("%v: %v, want %v", shares, got, want)
		}
	}
}

func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		name         string
		tolerance    score.Tolerance
		got, want    float64
		spec, agentv bool
	}{
		{"equal", score.Tolerance{}, 5, 5, true, true},
		{"just", score.Tolerance{Max: 1}, 1501, 1500, true, true},
		{"just, below", score.Tolerance{Max: 1}, 1499, 1500, true, true},
		{"beyond", score.Tolerance{Max: 1}, 1501.5, 1500, false, false},
		{"tenths", score.Tolerance{Max: 0.1}, 1.1, 1, true, false},
		{"a share", score.Tolerance{Max: 0.05, Relative: true}, 105, 100, true, true},
		{"a share of less than 0", score.Tolerance{Max: 0.05, Relative: true}, -105, -100, true, true},
		{"more than a share", score.Tolerance{Max: 0.05, Relative: true}, 105.1, 100, false, false},
		{"of 0 there is no share", score.Tolerance{Max: 0.5, Relative: true}, 0.5, 0, true, true},
		{"less than nothing", score.Tolerance{Max: -1}, 5, 5, false, false},
		{"NaN", score.Tolerance{Max: 1}, math.NaN(), 1, false, false},
		{"endless", score.Tolerance{Max: 1}, math.Inf(1), math.Inf(1), false, false},
		{"an endless tolerance", score.Tolerance{Max: math.Inf(1)}, 1, 2, false, false},
	} {
		for profile, want := range map[score.Profile]bool{score.Spec: c.spec, score.AgentV: c.agentv} {
			if got := c.tolerance.Allows(profile, c.got, c.want); got != want {
				t.Errorf("%s, %s: %v", c.name, profile, got)
			}
		}
	}
}

package score_test

import (
	"math"
	"testing"

	"github.com/rubric-ls/rubric/core/score"
)

// onePair makes pairs with one trial each.
func onePair(differences ...float64) (pairs []score.Pair) {
	for _, d := range differences {
		pairs = append(pairs, score.Pair{First: []float64{0}, Second: []float64{d}})
	}
	return pairs
}

// darwin has the heights of cross-fertilised maize less those of self-fertilised, in eighths of an
// inch. Fisher counts 863 of the 32,768 arrangements of the signs that have at least the actual sum
// (The Design of Experiments, 1935, section 21): 5.27 % two-sided.
var darwin = []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}

// TestMeanDifferenceOfFisher compares the interval with Fisher's published count. As 5.27 % is more than
// 5 %, the interval holds 0, and it just does: no test at 5.3 % would.
func TestMeanDifferenceOfFisher(t *testing.T) {
	got := score.MeanDifference(onePair(darwin...))
	if got == nil || got.Level != 0.95 || got.Low > 0 || math.Abs(got.Low+1.0/6) > 1e-9 || got.High != 41 {
		t.Fatalf("%+v, want −1/6 to 41", got)
	}
	// The bounds are means of subsets, which can be counted without the test: 862 are at most 0,
	// and with the arrangement as it was these are Fisher's 863.
	atMostZero, atMostLow := 1, 1
	for set := 1; set < 1<<len(darwin); set++ {
		sum, n := 0.0, 0.0
		for i, d := range darwin {
			if set>>i&1 == 1 {
				sum, n = sum+d, n+1
			}
		}
		if sum <= 0 {
			atMostZero++
		}
		if sum/n <= got.Low+1e-9 {
			atMostLow++
		}
	}
	if atMostZero != 863 {
		t.Errorf("%d arrangements, Fisher has 863", atMostZero)
	}
	if share := float64(atMostLow) / (1 << 15); share <= 0.025 || share > 0.0255 {
		t.Errorf("the lower bound leaves %.4f", share)
	}
}

// TestMeanDifferenceOfStudent uses Student's data on sleep (The probable error of a mean, 1908). His
// own method has 0.70 to 2.46, but it assumes a normal distribution.
func TestMeanDifferenceOfStudent(t *testing.T) {
	got := score.MeanDifference(onePair(1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4))
	if got == nil || math.Abs(got.Low-0.70) > 0.15 || math.Abs(got.High-2.46) > 0.15 {
		t.Errorf("%+v", got)
	}
}

// TestMeanDifferenceOfFew shows that few cases have no interval, rather than a narrow one.
func TestMeanDifferenceOfFew(t *testing.T) {
	for n := range 6 {
		if got := score.MeanDifference(onePair(make([]float64, n)...)); got != nil {
			t.Errorf("%d equal cases: %+v", n, got)
		}
	}
	got := score.MeanDifference(onePair(0.1, 0.2, 0.3, 0.4, 0.5, 0.6))
	if got == nil || got.Low != 0.1 || got.High != 0.6 {
		t.Errorf("of six, the interval is the whole range: %+v", got)
	}
	if got := score.MeanDifference(onePair(make([]float64, 40)...)); got == nil || got.Low != 0 || got.High != 0 {
		t.Errorf("equal runs: %+v", got)
	}
}

// TestMeanDifferenceOfTrials uses the trials of one case. Eight trials are four of each run in 70
// arrangements, and 2.5 % of these is one: the actual one. The next ones give the bounds.
func TestMeanDifferenceOfTrials(t *testing.T) {
	pair := score.Pair{First: []float64{0, 0.1, 0.1, 0.2}, Second: []float64{0.7, 0.7, 0.8, 0.8}}
	one := score.MeanDifference([]score.Pair{pair})
	if one == nil || *one != (score.Interval{Level: 0.95, Low: 0.5, High: 0.8}) {
		t.Fatalf("one case: %+v", one)
	}
	if again := score.MeanDifference([]score.Pair{pair}); *again != *one {
		t.Errorf("%+v, and then %+v", one, again)
	}
	two := score.MeanDifference([]score.Pair{pair, pair})
	if two == nil || two.Low <= one.Low || two.High >= one.High {
		t.Errorf("two cases: %+v, one: %+v", two, one)
	}
}

// TestMeanDifferenceDrawn draws arrangements, of many cases or of many trials. The interval then is
// close to that of a normal distribution, and the same each time.
func TestMeanDifferenceDrawn(t *testing.T) {
	many := make([]float64, 400)
	for i := range many {
		many[i] = float64(i%5)/10 - 0.1 // mean 0.1, standard deviation 0.1414
	}
	got := score.MeanDifference(onePair(many...))
	if again := score.MeanDifference(onePair(many...)); got == nil || *got != *again {
		t.Fatalf("%+v, and then %+v", got, again)
	}
	const half = 1.96 * 0.1416 / 20
	if math.Abs(got.Low-(0.1-half)) > 0.001 || math.Abs(got.High-(0.1+half)) > 0.001 {
		t.Errorf("%+v, want 0.1 ± %.4f", got, half)
	}
	trials := score.Pair{First: many[:30], Second: many[:30]}
	if got := score.MeanDifference([]score.Pair{trials}); got == nil || !(got.Low < 0 && got.High > 0 && got.High < 0.1) {
		t.Errorf("30 trials: %+v", got)
	}
}

// TestMeanDifferenceMoves shows what changes of the scores do to the interval: a constant that is
// added to the second run's scores moves it, and runs that change places turn it around. With all
// arrangements, and with drawn ones.
func TestMeanDifferenceMoves(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
	for _, n := range []int{4, 9} { // trials of the second run, beside three of the first
		second := make([]float64, n)
		moved := make([]float64, n)
		for i := range second {
			second[i] = 0.5 + float64(i*i%7)/20
			moved[i] = second[i] + 0.25
		}
		first := []float64{0.1, 0.25, 0.3}
		pairs := func(a, b []float64) []score.Pair {
			return []score.Pair{{First: a, Second: b}, {First: a[:2], Second: b[1:]}}
		}
		was, is := score.MeanDifference(pairs(first, second)), score.MeanDifference(pairs(first, moved))
		if was == nil || is == nil || !near(is.Low, was.Low+0.25) || !near(is.High, was.High+0.25) {
			t.Errorf("%d trials: %+v, moved by a quarter: %+v", n, was, is)
		}
	}
	few := []score.Pair{{First: []float64{0.1, 0.25, 0.3, 0.2}, Second: []float64{0.5, 0.6, 0.9, 0.7, 0.4}}, {First: []float64{0.3, 0.2}, Second: []float64{0.6}}}
	turned := []score.Pair{{First: few[0].Second, Second: few[0].First}, {First: few[1].Second, Second: few[1].First}}
	was, is := score.MeanDifference(few), score.MeanDifference(turned)
	if was == nil || is == nil || !near(is.Low, -was.High) || !near(is.High, -was.Low) {
		t.Errorf("%+v, and turned around: %+v", was, is)
	}
}

package action

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func weightRefactorings() []refactoring {
	newRefactoring := func(id, title string, weights func([]float64) []float64) refactoring {
		return refactoring{
			Refactoring: Refactoring{ID: id, Title: title},
			applies: func(ec editContext) (string, bool) {
				_, criteria := ec.weightedCriteria()
				if criteria == nil {
					return "", false
				}
				now := criterionWeights(criteria)
				goal := weights(now)
				return "", goal != nil && !slices.Equal(now, goal)
			},
			edits: func(ec editContext) ([]text.Edit, error) {
				nodes, criteria := ec.weightedCriteria()
				var edits []text.Edit
				for i, w := range weights(criterionWeights(criteria)) {
					edit, err := ec.weightEdits(nodes[i], criteria[i], w)
					if err != nil {
						return nil, err
					}
					edits = append(edits, edit...)
				}
				return edits, nil
			},
		}
	}
	return []refactoring{
		newRefactoring("weights-to-one", "scale the rubric's weights to a sum of 1", weightsToOne),
		newRefactoring("weights-to-whole", "write the rubric's weights as the smallest integers", weightsToWhole),
		newRefactoring("weights-even", "make the rubric's weights equal, with the same sum", weightsToEven),
	}
}

// weightedCriteria returns the criteria of the rubric; none unless all can be read and are written
// in place.
func (ec editContext) weightedCriteria() (nodes []*yaml.Node, read []*rubric.Criterion) {
	list := ec.criteriaList()
	if list == nil || len(list.Items) < 2 {
		return nil, nil
	}
	for _, n := range list.Items {
		c := ec.lookupCriterion(n)
		if c == nil || n.Kind == yaml.Alias || !n.Props.Empty() || !(c.Weight >= 0) || math.IsInf(c.Weight, 0) {
			return nil, nil
		}
		nodes, read = append(nodes, n), append(read, c)
	}
	return nodes, read
}

func criterionWeights(all []*rubric.Criterion) []float64 {
	return generic.Map(all, func(c *rubric.Criterion) float64 { return c.Weight })
}

// weightEdits returns the edit that sets a criterion's weight. A weight of 1 that is not written
// stays unwritten.
func (ec editContext) weightEdits(n *yaml.Node, c *rubric.Criterion, weight float64) ([]text.Edit, error) {
	written := strconv.FormatFloat(weight, 'f', -1, 64)
	switch {
	case c.Weight == weight:
		return nil, nil
	case c.WeightSpan.Empty():
		return ec.appendEntries(n, newPair{key: "weight", value: written}), nil
	case !n.Span.Contains(c.WeightSpan):
		return nil, errors.New("a weight comes from another place by a merge key or alias")
	}
	return []text.Edit{{Span: c.WeightSpan, New: written}}, nil
}

// maxDecimals is the maximum number of decimal places of a written weight.
const maxDecimals = 4

// weightsToOne scales weights to a sum of exactly 1. It uses the fewest decimal places that keep the
// shares exact; else two, or more if a weight would become 0. It returns nil if there is nothing to
// scale.
func weightsToOne(weights []float64) []float64 {
	total := sum(weights)
	if total <= 0 || math.IsInf(total, 0) {
		return nil
	}
	units, scale := []int(nil), 0.0
	for places := 1; places <= maxDecimals; places++ {
		scale = math.Pow10(places)
		if u, exact := apportion(weights, total, scale); exact {
			units = u
			break
		}
	}
	for places := 2; units == nil && places <= maxDecimals; places++ {
		scale = math.Pow10(places)
		if u, _ := apportion(weights, total, scale); places == maxDecimals || !anyVanishes(weights, u) {
			units = u
		}
	}
	return generic.Map(units, func(u int) float64 { return float64(u) / scale })
}

// apportion distributes scale units by weight. Units left by rounding down go to the largest
// remainders. exact reports that there were no remainders.
func apportion(weights []float64, total, scale float64) (units []int, exact bool) {
	units = make([]int, len(weights))
	order := make([]int, len(weights))
	rest := make([]float64, len(weights))
	left := int(scale)
	exact = true
	for i, w := range weights {
		part := w / total * scale
		if near := math.Round(part); math.Abs(part-near) < 1e-9*scale {
			part = near
		}
		units[i], order[i] = int(part), i
		rest[i] = part - float64(units[i])
		left -= units[i]
		exact = exact && rest[i] == 0
	}
	generic.SortStable(order, func(i, j int) int { return cmp.Compare(rest[j], rest[i]) })
	for i := 0; left > 0; i, left = i+1, left-1 {
		units[order[i%len(order)]]++
	}
	return units, exact
}

func anyVanishes(weights []float64, units []int) bool {
	for i, w := range weights {
		if w > 0 && units[i] == 0 {
			return true
		}
	}
	return false
}

// weightsToWhole returns the smallest integers with the same shares; nil if the weights have too
// many decimal places.
func weightsToWhole(weights []float64) []float64 {
	scale := math.Pow10(maxDecimals)
	units := make([]int, len(weights))
	divisor := 0
	for i, w := range weights {
		part := math.Round(w * scale)
		if math.Abs(w*scale-part) > 1e-6 || part > math.MaxInt32 {
			return nil
		}
		units[i] = int(part)
		divisor = gcd(divisor, units[i])
	}
	if divisor == 0 {
		return nil
	}
	return generic.Map(units, func(u int) float64 { return float64(u / divisor) })
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// weightsToEven returns equal weights with the same sum, as far as maxDecimals allows; nil if the
// sum is not positive.
func weightsToEven(weights []float64) []float64 {
	total := sum(weights)
	if total <= 0 || math.IsInf(total, 0) {
		return nil
	}
	scale := math.Pow10(maxDecimals)
	even := math.Round(total/float64(len(weights))*scale) / scale
	if even == 0 {
		return nil
	}
	return slices.Repeat([]float64{even}, len(weights))
}

func sum(weights []float64) (total float64) {
	for _, w := range weights {
		total += w
	}
	return total
}

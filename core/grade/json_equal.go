package grade

import "reflect"

// equalJSON compares two values as JSON has them: numbers by value whatever their
// Go type, a number never equals a string, lists in order.
func equalJSON(a, b any) bool {
	if x, ok := toFloat(a); ok {
		y, ok := toFloat(b)
		return ok && x == y
	}
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equalJSON(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && len(x) == len(y) && containsAll(b, x)
	}
	return reflect.DeepEqual(a, b)
}

// toFloat is the value of a number of any Go type.
func toFloat(value any) (float64, bool) {
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

package grade

import "reflect"

// equal compares two values as JSON has them: numbers by value whatever their
// Go type, a number never equals a string, lists in order.
func equal(a, b any) bool {
	if x, ok := float(a); ok {
		y, ok := float(b)
		return ok && x == y
	}
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equal(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && len(x) == len(y) && holds(b, x)
	}
	return reflect.DeepEqual(a, b)
}

// float is the value of a number of any Go type.
func float(value any) (float64, bool) {
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

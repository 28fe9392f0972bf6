package schema

import "fmt"

// DescribeNumber words what number a type takes: "whole number from 0 to 10".
func (t *Type) DescribeNumber() string {
	what := "number"
	if t.IsInteger {
		what = "whole number"
	}
	switch {
	case t.ExcludesMin && t.Max != nil:
		return fmt.Sprintf("%s above %v and up to %v", what, *t.Min, *t.Max)
	case t.ExcludesMin:
		return fmt.Sprintf("%s above %v", what, *t.Min)
	case t.Min != nil && t.Max != nil:
		return fmt.Sprintf("%s from %v to %v", what, *t.Min, *t.Max)
	case t.Min != nil:
		return fmt.Sprintf("%s of at least %v", what, *t.Min)
	}
	return what
}

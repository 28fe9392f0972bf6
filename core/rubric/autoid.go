package rubric

import (
	"strconv"
	"strings"
)

const autoIDPrefix = "rubric-"

// AutoID is the id of a criterion that was written without one, by its place in its
// list, from 1.
func AutoID(number int) string { return autoIDPrefix + strconv.Itoa(number) }

// IsAutoID reports whether an id is one that [AutoID] gives: it says where in its own
// case a criterion stands, and nothing of it.
func IsAutoID(id string) bool {
	number, ok := strings.CutPrefix(id, autoIDPrefix)
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

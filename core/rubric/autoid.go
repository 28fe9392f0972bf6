package rubric

import (
	"strconv"
	"strings"
)

const numbering = "rubric-"

// AutoID is the id of a criterion that was written without one, by its place in its
// list, from 1.
func AutoID(place int) string { return numbering + strconv.Itoa(place) }

// Numbered reports whether an id is one that [AutoID] gives: it says where in its own
// case a criterion stands, and nothing of it.
func Numbered(id string) bool {
	place, ok := strings.CutPrefix(id, numbering)
	return ok && place != "" && strings.Trim(place, "0123456789") == ""
}

package lint

import (
	"maps"
	"slices"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/spell"
)

// dependencies are the cases of a file, and which of them each one depends on.
type dependencies struct {
	ids   map[string]bool
	edges map[string][]string
}

func indexDependencies(results []*Result) *dependencies {
	d := &dependencies{caseIDs(results), map[string][]string{}}
	for _, r := range results {
		for _, f := range r.Facts {
			switch {
			case f.IsCase:
				d.ids[f.Key] = true
			case f.Dependent != "":
				d.edges[f.Dependent] = append(d.edges[f.Dependent], f.Key)
			}
		}
	}
	return d
}

// has reports whether there is a case with the id, as far as the cases are known.
func (d *dependencies) has(id string) bool { return d.ids[id] || d.ids[""] }

// check returns the nearest id for a case that does not exist, and a message if the case on depends on the
// case id.
func (d *dependencies) check(id, on string) (suggestion, cycle string) {
	if !d.has(on) {
		return spell.Nearest(on, slices.Sorted(maps.Keys(d.ids))), ""
	}
	before := map[string]string{on: id} // the case through which each one was reached
	for queue := []string{on}; len(queue) > 0; queue = queue[1:] {
		for _, next := range d.edges[queue[0]] {
			if next == id {
				path := []string{id}
				for at := queue[0]; at != id; at = before[at] {
					path = append(path, at)
				}
				slices.Reverse(path[1:])
				return "", "these tests depend on each other in a circle: " + diag.JoinList(diag.Backtick(path), "and") + "; the runner refuses the file"
			}
			if _, seen := before[next]; !seen {
				before[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	return "", ""
}

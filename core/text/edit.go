package text

import (
	"fmt"
	"sort"
	"strings"
)

// Edit replaces the text inside Span by New; an empty span inserts.
type Edit struct {
	Span Span   `json:"span"`
	New  string `json:"new"`
}

// Apply makes all edits at once; each span counts in body as it was. Edits may
// come in any order, but may not overlap or leave body: that is an error and
// body is returned unchanged. Insertions at one place keep their order.
func Apply(body string, edits []Edit) (string, error) {
	sorted := append([]Edit(nil), edits...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Span.Start < sorted[j].Span.Start })
	var out strings.Builder
	end := 0
	for _, e := range sorted {
		if e.Span.Start < end || e.Span.End < e.Span.Start || e.Span.End > len(body) {
			return body, fmt.Errorf("edit [%d, %d) overlaps another or leaves the text of %d bytes", e.Span.Start, e.Span.End, len(body))
		}
		out.WriteString(body[end:e.Span.Start])
		out.WriteString(e.New)
		end = e.Span.End
	}
	out.WriteString(body[end:])
	return out.String(), nil
}

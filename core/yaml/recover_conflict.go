package yaml

import (
	"strings"

	"github.com/rubric-ls/rubric/core/text"
)

// cutConflictMarkers leaves out the lines that a version control system puts around
// the sides of a conflict.
func (r *recovery) cutConflictMarkers(fail *loadFailure) bool {
	var markers []text.Span
	for line := 0; line < len(r.body); line = nextLine(r.body, lineEnd(r.body, line)) {
		end := lineEnd(r.body, line)
		if isConflictMarker(r.body[line:end]) {
			markers = append(markers, text.Span{Start: line, End: end})
		}
	}
	r.cutAll(markers, fail)
	return len(markers) > 0
}

func isConflictMarker(line string) bool {
	for _, mark := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if rest, ok := strings.CutPrefix(line, mark); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

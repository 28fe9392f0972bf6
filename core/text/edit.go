package text

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// Edit replaces the text inside Span with New. An empty span inserts.
type Edit struct {
	Span Span   `json:"span"`
	New  string `json:"new"`
}

// Apply makes all edits at once; every span refers to the original body. Edits may come
// in any order. Insertions at one offset keep their order. If edits overlap or leave
// body, Apply returns body unchanged and an error.
func Apply(body string, edits []Edit) (string, error) {
	sorted := append([]Edit(nil), edits...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Span.Start < sorted[j].Span.Start })
	var out strings.Builder
	end := 0
	for _, e := range sorted {
		if e.Span.Start < end || e.Span.End < e.Span.Start || e.Span.End > len(body) {
			return body, fmt.Errorf("edit [%d, %d) overlaps another edit or exceeds the text of %d bytes", e.Span.Start, e.Span.End, len(body))
		}
		out.WriteString(body[end:e.Span.Start])
		out.WriteString(e.New)
		end = e.Span.End
	}
	out.WriteString(body[end:])
	return out.String(), nil
}

// Diff returns edits that turn before into after. Each edit covers a few lines, so
// that marks and cursors in unchanged lines stay in place. After each difference it
// resumes at the nearest pair of equal lines, so the result is correct but not minimal.
func Diff(before, after string) (edits []Edit) {
	oldLines, newLines := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	offset := 0
	for len(oldLines) > 0 || len(newLines) > 0 {
		removed, added := nextMatch(oldLines, newLines)
		old, new := strings.Join(oldLines[:removed], ""), strings.Join(newLines[:added], "")
		if old != new {
			edits = append(edits, trimCommon(offset, old, new))
		}
		offset += len(old)
		oldLines, newLines = oldLines[removed:], newLines[added:]
		if len(oldLines) > 0 && len(newLines) > 0 { // the equal pair
			offset += len(oldLines[0])
			oldLines, newLines = oldLines[1:], newLines[1:]
		}
	}
	return edits
}

// maxLookahead is the number of lines to search for the next equal pair.
const maxLookahead = 200

// nextMatch returns the number of lines before the nearest pair of equal lines on each
// side. It returns all lines if no pair is within maxLookahead.
func nextMatch(oldLines, newLines []string) (removed, added int) {
	for lines := 0; lines <= maxLookahead; lines++ {
		for removed := 0; removed <= lines; removed++ {
			added := lines - removed
			if removed < len(oldLines) && added < len(newLines) && oldLines[removed] == newLines[added] {
				return removed, added
			}
		}
	}
	return len(oldLines), len(newLines)
}

// trimCommon returns the edit that replaces old, at offset, with new. The edit excludes
// the common prefix and suffix.
func trimCommon(offset int, old, new string) Edit {
	start := 0
	for start < len(old) && start < len(new) {
		r, size := utf8.DecodeRuneInString(old[start:])
		if s, n := utf8.DecodeRuneInString(new[start:]); s != r || n != size || old[start:start+size] != new[start:start+size] {
			break
		}
		start += size
	}
	end := 0
	for end < len(old)-start && end < len(new)-start {
		r, size := utf8.DecodeLastRuneInString(old[start : len(old)-end])
		if s, n := utf8.DecodeLastRuneInString(new[start : len(new)-end]); s != r || n != size || old[len(old)-end-size:len(old)-end] != new[len(new)-end-size:len(new)-end] {
			break
		}
		end += size
	}
	// A client cannot point between the two halves of a line break.
	if end > 0 && old[len(old)-end] == '\n' && (strings.HasSuffix(old[start:len(old)-end], "\r") || strings.HasSuffix(new[start:len(new)-end], "\r")) {
		end--
	}
	return Edit{Span: Span{Start: offset + start, End: offset + len(old) - end}, New: new[start : len(new)-end]}
}

package text

import (
	"strings"
	"unicode/utf8"
)

// Diff are edits that make one text of another, a few lines each, so that
// marks and cursors elsewhere stay where they are. It looks for the nearest
// pair of equal lines after each difference, which need not give the fewest
// edits but always gives right ones.
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
		if len(oldLines) > 0 && len(newLines) > 0 { // the pair that is equal
			offset += len(oldLines[0])
			oldLines, newLines = oldLines[1:], newLines[1:]
		}
	}
	return edits
}

// maxLookahead is how many lines ahead an equal pair is looked for.
const maxLookahead = 200

// nextMatch is how many lines of each differ before the nearest pair of equal ones;
// all of them if there is none in reach.
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

// trimCommon is the edit of old, which is at an offset, to new without what they
// have in common at either end.
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

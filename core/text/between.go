package text

import (
	"strings"
	"unicode/utf8"
)

// Between are edits that make one text of another, a few lines each, so that
// marks and cursors elsewhere stay where they are. It looks for the nearest
// pair of equal lines after each difference, which need not give the fewest
// edits but always gives right ones.
func Between(before, after string) (edits []Edit) {
	was, is := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	at := 0
	for len(was) > 0 || len(is) > 0 {
		gone, come := resume(was, is)
		old, new := strings.Join(was[:gone], ""), strings.Join(is[:come], "")
		if old != new {
			edits = append(edits, trimmed(at, old, new))
		}
		at += len(old)
		was, is = was[gone:], is[come:]
		if len(was) > 0 && len(is) > 0 { // the pair that is equal
			at += len(was[0])
			was, is = was[1:], is[1:]
		}
	}
	return edits
}

// reach is how many lines ahead an equal pair is looked for.
const reach = 200

// resume is how many lines of each differ before the nearest pair of equal ones;
// all of them if there is none in reach.
func resume(was, is []string) (gone, come int) {
	for lines := 0; lines <= reach; lines++ {
		for gone := 0; gone <= lines; gone++ {
			come := lines - gone
			if gone < len(was) && come < len(is) && was[gone] == is[come] {
				return gone, come
			}
		}
	}
	return len(was), len(is)
}

// trimmed is the edit of old, which is at an offset, to new without what they
// have in common at either end.
func trimmed(at int, old, new string) Edit {
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
	return Edit{Span: Span{Start: at + start, End: at + len(old) - end}, New: new[start : len(new)-end]}
}

package offline

import "strings"

// stem takes the common endings off an English word, lightly: forms of one word
// should meet, different words should not. Words of other scripts stay.
func stem(word string) string {
	word = strings.TrimSuffix(strings.ReplaceAll(word, "’", "'"), "'s")
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	word = singular(word)
	for _, ending := range []string{"ingly", "edly", "ing", "ed", "ly", "er"} {
		root, cut := strings.CutSuffix(word, ending)
		if cut && len(root) >= 3 && strings.ContainsAny(root, "aeiouy") {
			word = undouble(root)
			break
		}
	}
	if len(word) > 3 {
		word = strings.TrimSuffix(word, "e")
	}
	if root, cut := strings.CutSuffix(word, "y"); cut && len(root) >= 3 {
		word = root + "i"
	}
	return word
}

func singular(word string) string {
	switch {
	case len(word) < 4:
	case strings.HasSuffix(word, "ies"):
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "xes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
	case strings.HasSuffix(word, "s"):
		return word[:len(word)-1]
	}
	return word
}

// undouble turns "shipp" back into "ship".
func undouble(root string) string {
	n := len(root)
	if n > 3 && root[n-1] == root[n-2] && !strings.ContainsRune("lsz", rune(root[n-1])) {
		return root[:n-1]
	}
	return root
}

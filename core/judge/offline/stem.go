package offline

import "strings"

// stem takes the endings off an English word, lightly: the forms of one word
// should meet, different words should not. What it leaves need not be a word.
// Words with other than the letters a to z stay as they are.
func stem(text string) string {
	text = strings.TrimSuffix(text, "'s")
	for i := range len(text) {
		if text[i] < 'a' || text[i] > 'z' {
			return text
		}
	}
	text = inflection(singular(text))
	text = quiet(text)
	for _, e := range derived {
		if root, cut := strings.CutSuffix(text, e.ending); cut && len(root) >= e.root {
			text = root
			break
		}
	}
	return undouble(quiet(text))
}

// derived are endings that make one word of another, as they stand without a
// final e or y, with the shortest root that they are taken from.
var derived = []struct {
	ending string
	root   int
}{
	{"isation", 3}, {"ization", 3}, {"ation", 4}, {"ition", 4}, {"ement", 4}, {"ment", 3}, {"ness", 3}, {"ful", 3}, {"less", 3},
	{"abl", 4}, {"ibl", 4}, {"iv", 4}, {"iz", 4}, {"is", 4}, {"er", 4}, {"or", 5}, {"al", 4}, {"it", 4}, {"ic", 4}, {"ion", 5},
}

func singular(text string) string {
	switch {
	case len(text) < 4:
	case strings.HasSuffix(text, "ies"):
		return text[:len(text)-3] + "y"
	case strings.HasSuffix(text, "sses"), strings.HasSuffix(text, "shes"), strings.HasSuffix(text, "ches"), strings.HasSuffix(text, "xes"):
		return text[:len(text)-2]
	case strings.HasSuffix(text, "ss"), strings.HasSuffix(text, "us"), strings.HasSuffix(text, "is"):
	case strings.HasSuffix(text, "s"):
		return text[:len(text)-1]
	}
	return text
}

// inflection takes off what verbs and adverbs end in. "string" and "speed" end
// in no such thing.
func inflection(text string) string {
	if strings.HasSuffix(text, "eed") {
		return text
	}
	for _, ending := range []string{"ingly", "edly", "ing", "ed", "ly"} {
		root, cut := strings.CutSuffix(text, ending)
		if cut && len(root) >= 3 && strings.ContainsAny(root, "aeiouy") {
			return undouble(root)
		}
	}
	return text
}

// quiet takes off a final e, y or i, which come and go: "expire", "expiry",
// "expiring".
func quiet(text string) string {
	if n := len(text); n > 3 && strings.IndexByte("eyi", text[n-1]) >= 0 {
		return text[:n-1]
	}
	return text
}

// undouble turns "shipp" back into "ship".
func undouble(text string) string {
	if n := len(text); n > 3 && text[n-1] == text[n-2] {
		return text[:n-1]
	}
	return text
}

package metric

import (
	"slices"
	"strings"
)

// Claim is a sentence of an answer and how it stands to the evidence.
type Claim struct {
	Sentence      string  `json:"sentence"`
	Label         string  `json:"label"` // as the judge wrote it; see [ScoreLabels]
	Rationale     string  `json:"rationale"`
	Supporting    *string `json:"supporting_excerpt"`    // quoted from the evidence
	Contradicting *string `json:"contradicting_excerpt"` // quoted from the evidence
}

// The labels of a claim, in lower case.
var (
	groundedLabels   = []string{"supported", "not_applicable"}
	ungroundedLabels = []string{"unsupported", "contradictory", "disputed"}
)

// ScoreLabels is the share of labels that are supported or not applicable, of
// those that are one of the five, and how many these are; case and space around
// do not matter. The score is nil if none is.
func ScoreLabels(labels []string) (score *float64, counted int) {
	var all []*float64
	for _, l := range labels {
		switch l = strings.ToLower(strings.TrimSpace(l)); {
		case slices.Contains(groundedLabels, l):
			all = append(all, number(1))
		case slices.Contains(ungroundedLabels, l):
			all = append(all, number(0))
		}
	}
	return Mean(all), len(all)
}

func claimLabels(claims []Claim) []string {
	labels := make([]string, len(claims))
	for i, c := range claims {
		labels[i] = c.Label
	}
	return labels
}

// ParseSentences finds the sentences between <sentence> and </sentence>, in lower
// case and over as many lines as they take.
func ParseSentences(reply string) []string {
	var sentences []string
	for {
		_, rest, opened := strings.Cut(reply, "<sentence>")
		sentence, rest, closed := strings.Cut(rest, "</sentence>")
		if !opened || !closed {
			return sentences
		}
		sentences = append(sentences, sentence)
		reply = rest
	}
}

// claimKeys begin the five fields of a claim, each but the first on its own line.
var claimKeys = []string{"sentence:", "\nlabel:", "\nrationale:", "\nsupporting_excerpt:", "\ncontradicting_excerpt:"}

// ParseClaims reads a judge's labels of sentences: blocks of five fields in a
// fixed order, their keys in any case. A field goes on until the next key of its
// block, so that one that lacks a field takes it from the block after it, and is
// lost if there is none. An excerpt of null is none.
func ParseClaims(reply string) []Claim {
	var claims []Claim
	reply = strings.TrimSpace(reply)
	folded := asciiLower(reply) // of the same length: places in it are places in reply
	at := 0
	for {
		var fields [5]string
		for i, key := range claimKeys {
			found := strings.Index(folded[at:], key)
			if found < 0 {
				return claims // nor has any later block all five
			}
			if i > 0 {
				fields[i-1] = strings.TrimSpace(reply[at : at+found])
			}
			at += found + len(key)
		}
		end := len(reply)
		if next := strings.Index(folded[at:], "\nsentence:"); next >= 0 {
			end = at + next
		}
		fields[4] = strings.TrimSpace(reply[at:end])
		at = end
		claims = append(claims, Claim{fields[0], fields[1], fields[2], excerptOrNil(fields[3]), excerptOrNil(fields[4])})
	}
}

func excerptOrNil(text string) *string {
	if strings.EqualFold(text, "null") {
		return nil
	}
	return &text
}

func asciiLower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

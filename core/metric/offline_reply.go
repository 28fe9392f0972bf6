package metric

import (
	"encoding/json"
	"strings"
	"unicode"
)

// parseOfflineReply reads the offline stand-in's verdicts on a brief's items.
func parseOfflineReply(reply string) []RubricScore {
	var decoded struct {
		Checks []struct {
			ID        string `json:"id"`
			Satisfied *bool  `json:"satisfied"`
			Reasoning string `json:"reasoning"`
		} `json:"checks"`
	}
	if json.Unmarshal([]byte(reply), &decoded) != nil {
		return nil
	}
	var scores []RubricScore
	for _, c := range decoded.Checks {
		s := RubricScore{ID: c.ID, Rationale: c.Reasoning}
		if c.Satisfied != nil {
			s.Score = number(0)
			if *c.Satisfied {
				s.Score = number(1)
			}
		}
		scores = append(scores, s)
	}
	return scores
}

// splitSentences cuts a text into sentences without a judge: at the ends of lines, and
// where a mark that ends sentences stands before a space.
func splitSentences(text string) []string {
	var sentences []string
	for line := range strings.Lines(text) {
		runes := []rune(line)
		start := 0
		for i, r := range runes {
			last := i+1 == len(runes)
			if !last && !(strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?", r) && unicode.IsSpace(runes[i+1])) {
				continue
			}
			if sentence := strings.TrimSpace(string(runes[start : i+1])); strings.ContainsFunc(sentence, isWordRune) {
				sentences = append(sentences, sentence)
			}
			start = i + 1
		}
	}
	return sentences
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

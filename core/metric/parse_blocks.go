package metric

import (
	"strings"
	"unicode"
)

// Block is what a judge's reply says of one property.
type Block struct {
	ID        string // "" if it names none
	Property  string
	Rationale string
	Verdict   string   // as the judge wrote it
	Score     *float64 // what it counts as: 1 for yes, 0 for no, nil for neither
}

// ParseBlocks reads a judge's reply of blocks: lines with the labels ID,
// Property, Rationale and Verdict, each followed by a colon and one space. Other
// lines are passed over.
//
// Rationales and verdicts may begin anywhere in a line. Properties and ids must
// begin theirs, and unless there are as many properties as rationales and
// verdicts, the reply has no blocks: one that is left out would put the others
// with the wrong partners. Under [V2] there are no ids, a property may begin
// anywhere, and surplus ones are cut off.
func ParseBlocks(p Profile, reply string) []Block {
	var blocks []Block
	var rationales, verdicts []string
	id := ""
	for line := range strings.SplitSeq(reply, "\n") {
		if p == V2 {
			for _, property := range valuesAfter(line, "Property: ") {
				blocks = append(blocks, Block{Property: property})
			}
		} else if named, ok := leadingValue(line, "ID: "); ok {
			id = named
		} else if property, ok := leadingValue(line, "Property: "); ok {
			blocks = append(blocks, Block{ID: id, Property: property})
			id = ""
		}
		rationales = append(rationales, valuesAfter(line, "Rationale: ")...)
		verdicts = append(verdicts, valuesAfter(line, "Verdict: ")...)
	}
	n := min(len(blocks), len(rationales), len(verdicts))
	if p != V2 && (len(blocks) != n || len(rationales) != n || len(verdicts) != n) {
		return nil
	}
	for i := range blocks[:n] {
		blocks[i].Rationale, blocks[i].Verdict, blocks[i].Score = rationales[i], verdicts[i], verdictScore(verdicts[i])
	}
	return blocks[:n]
}

// valuesAfter is what follows a label in a line. A line that ends in the label again
// has it twice: ADK finds it at the end, with nothing after it.
func valuesAfter(line, label string) []string {
	_, rest, ok := strings.Cut(line, label)
	switch {
	case !ok:
		return nil
	case strings.HasSuffix(rest, label):
		return []string{strings.TrimSpace(rest), ""}
	}
	return []string{strings.TrimSpace(rest)}
}

// leadingValue is what follows a label that begins a line.
func leadingValue(line, label string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), label)
	return strings.TrimSpace(rest), ok
}

// verdictScore looks for the letters of yes, and then of no, anywhere: "unknown" and
// "not applicable" are a no, as in ADK.
func verdictScore(text string) *float64 {
	text = strings.ToLower(text)
	switch {
	case strings.Contains(text, "yes"):
		return number(1)
	case strings.Contains(text, "no"):
		return number(0)
	}
	return nil
}

// isPlain reports whether the verdict is a yes or a no and nothing else.
func (b Block) isPlain() bool {
	word := strings.ToLower(strings.Trim(b.Verdict, " .*_`\"'"))
	return word == "yes" || word == "no"
}

// countedAs is what the verdict counts as, in a word.
func (b Block) countedAs() string {
	switch {
	case b.Score == nil:
		return "neither yes nor no"
	case *b.Score == 1:
		return "yes"
	}
	return "no"
}

package metric

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/nfkc"
	"github.com/rubric-ls/rubric/core/pattern"
)

// Block is a judge's reply about one property.
type Block struct {
	ID        string // "" if the reply names none
	Property  string
	Rationale string
	Verdict   string   // as the judge wrote it
	Score     *float64 // 1 for yes, 0 for no, nil for neither
}

// ParseBlocks parses a judge's reply of blocks: lines with the labels ID, Property, Rationale and
// Verdict, each followed by a colon and one space. Other lines are skipped.
//
// Rationales and verdicts may begin anywhere in a line. Properties and ids must begin theirs.
// Unless there are as many properties as rationales and verdicts, the reply has no blocks: a
// missing one would pair the others wrongly. Under [V2] there are no ids, a property may begin
// anywhere, and surplus ones are dropped.
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

// valuesAfter returns the text after a label in a line. A line that ends in the same label gives a
// second, empty value, as in ADK.
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

func leadingValue(line, label string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), label)
	return strings.TrimSpace(rest), ok
}

// verdictScore searches for the letters of yes, and then of no, anywhere: "unknown" and "not
// applicable" are a no, as in ADK.
func verdictScore(text string) *float64 {
	text = strings.ToLower(text)
	switch {
	case strings.Contains(text, "yes"):
		return new(1.0)
	case strings.Contains(text, "no"):
		return new(0.0)
	}
	return nil
}

func (b Block) isPlain() bool {
	word := strings.ToLower(strings.Trim(b.Verdict, " .*_`\"'"))
	return word == "yes" || word == "no"
}

func (b Block) countedAs() string {
	switch {
	case b.Score == nil:
		return "neither yes nor no"
	case *b.Score == 1:
		return "yes"
	}
	return "no"
}

// Label is a judge's verdict on an answer.
type Label string

const (
	Valid    Label = "VALID"
	Invalid  Label = "INVALID"
	NotFound Label = "NOT_FOUND" // the reply has no valid label
)

func (l Label) score() *float64 {
	return map[Label]*float64{Valid: new(1.0), Invalid: new(0.0)}[l]
}

// The value of a key is in brackets, in quotes or bare. A comma, a line end or a closing brace
// follows. No JSON is parsed: ADK takes the first match.
const (
	blank         = `\s\v\x1c-\x1f\x85\pZ` // white space in Python
	blanks        = `[` + blank + `]*`
	valueOpening  = `:` + blanks + `\[*` + blanks + `"*`
	valueClosing  = `"*` + blanks + `\]*` + blanks + `[,\n}]`
	wordPattern   = `([^"^\]` + blank + `]*)`
	phrasePattern = `([^"\]]*)`
	linePattern   = `([^"\]\n]*?)`
)

var (
	validKey   = pattern.New(`"is_the_agent_response_valid"` + valueOpening + wordPattern + valueClosing)
	userKey    = pattern.New(`"is_valid"` + valueOpening + phrasePattern + valueClosing)
	userLine   = pattern.New(`"is_valid"` + valueOpening + linePattern + valueClosing)
	invalidKey = pattern.New(`"is_the_agent_response_invalid"` + valueOpening + wordPattern + valueClosing)

	validWords   = []string{"valid", "true"}
	invalidWords = []string{"invalid", "almost", "false", "partially_valid", "partially valid", "partially"}
)

// ParseLabel returns the label in a judge's reply about a final response. The comparison is exact,
// so "Valid" is not a label. With the negated key, which ends in invalid, every value except
// invalid and true means valid.
func ParseLabel(reply string) Label {
	if m := validKey().FindStringSubmatch(reply); m != nil {
		return classifyLabel(trimLabel(m[1]))
	}
	if m := invalidKey().FindStringSubmatch(reply); m != nil {
		if word := trimLabel(m[1]); word == "true" || word == "invalid" {
			return Invalid
		}
		return Valid
	}
	return NotFound
}

func classifyLabel(word string) Label {
	switch {
	case slices.Contains(validWords, word):
		return Valid
	case slices.Contains(invalidWords, word):
		return Invalid
	}
	return NotFound
}

// trimLabel removes what ADK removes: commas and braces, and by an error in its pattern also
// backslashes and the letter s.
func trimLabel(value string) string { return strings.Trim(value, `\s,}`) }

// ParseUserLabel returns the label in a judge's reply about a simulated user's turn. It may be in
// capitals, have two words and be padded. A bare word that other text follows is none, because the
// value extends to the last comma, brace or line end.
func ParseUserLabel(reply string) Label { return findUserLabel(userKey, reply) }

// userLabel is [ParseUserLabel], but takes a bare word that other text follows as a label too. ADK
// drops that reply.
func userLabel(reply string) Label {
	if l := ParseUserLabel(reply); l != NotFound {
		return l
	}
	return findUserLabel(userLine, reply)
}

func findUserLabel(key pattern.Lazy, reply string) Label {
	m := key().FindStringSubmatch(reply)
	if m == nil {
		return NotFound
	}
	return classifyLabel(strings.ToLower(strings.TrimSpace(strings.ReplaceAll(strings.Trim(m[1], "}"), ",", ""))))
}

// isPythonSpace reports whether Python's patterns take a character as white space.
func isPythonSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

var typographicReplacer = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-")

// Normalize returns the text by which a property that a judge repeats is recognized: in form NFKC,
// with plain quotes, dashes and single spaces, in lower case, without the punctuation that judges
// add around it. Under [V2] it only trims and lower-cases.
func Normalize(p Profile, text string) string {
	if p == V2 {
		return nfkc.Lower(strings.TrimSpace(text))
	}
	text = typographicReplacer.Replace(nfkc.Normalize(text))
	words := strings.Join(strings.FieldsFunc(text, isPythonSpace), " ")
	return nfkc.Lower(strings.Trim(words, " *_`#>-•\"'"))
}

package offline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/pattern/ecmascript"
)

// A decision is a verdict with its reason. An unknown one may have none.
type decision struct {
	verdict int
	why     string
}

const (
	unknown, yes, no = 0, 1, 2 // verdicts: unknown if only a model can tell
	quoted           = "(?:`[^`]+`|\"[^\"]+\"|“[^”]+”|«[^»]+»|„[^“”]+[“”]|「[^」]+」)"
	unit             = `(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|dollars?|euros?|cents?|%|€|£|°[CF]|[kcm]m|[km]g|ml|ms|[KMGT]B|UTC|am|pm)`
	amount           = `(?:[$€£]\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*\s?` + unit + `)`
	literal          = `(?:` + quoted + `|` + amount + `)`
	noun             = `(?:(?:the |an? )?(?:exact |literal )?(?:words?|phrases?|text|string|terms?|keywords?|number|amount|price) )?`
	subject          = `(?i)^(?:(?:(?:the )?(?:answer|response|reply|output|submission)|it) )?(?:(?:must|should|has to|needs to) )?`
	figure           = `(\d{1,9}|one|two|three|four|five|six|seven|eight|nine|ten)`
)

var (
	verdictOf = map[bool]int{true: yes, false: no}
	figures   = map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10"}

	// The forms of criteria that are decided. Each matches a whole criterion.
	mentions = pattern.New(subject + `(?:(does not |doesn't |not |never )?(?:mention|contain|include|name|quote|say|state|cite)s?|(?:contain|include)s? (no)) (` + noun + literal + `(?:(?:,| and| or|, and|, or) ` + noun + literal + `)*)$`)
	isJSON   = pattern.New(subject + `(?:is|be|returns?|outputs?) (?:only )?(?:an? )?(?:valid |well-formed )?JSON( object)?(?: with (?:the )?(?:key|field)s? (` + quoted + `(?:(?:,| and|, and) ` + quoted + `)*))?$`)
	matches  = pattern.New(subject + `(does not |doesn't |not )?match(?:es)? (?:the )?(?:pattern |regular expression )?/((?:[^/\\]|\\.)+)/([a-z]*)$`)
	limits   = pattern.New(subject + `(?:(?:is|be|has|have|uses?|contains?|in) )?(?:(at most|(?:no|not) (?:more|longer) than|up to)|(under|below|(?:fewer|less|shorter) than)|(at least|(?:no|not) (?:fewer|less) than)|((?:more|longer) than|over)|exactly) ` + figure + ` (word|sentence|bullet|item)s?(?: points?)?(?: long)?$`)

	literals = pattern.New(`(?i)` + literal)
	doubt    = pattern.New(`(?i)\b(?:not|no|never|none|nor|neither|nothing|without|cannot|unable|\w+n['’]t|thousand|[mb]illion)\b`)

	// Sentences end at least where sure matches, not after abbreviations, and at most where stop does.
	sure = pattern.New(`(?:[!?]|(?:^|[\s("'“-])\p{Ll}{4,}\.)["')”]*(?:\s+["'(“]?\p{Lu}|$)`)
	stop = pattern.New(`[.!?…]+["')”]*(?:\s|\p{Lu}|$)|[。！？\n]`)

	item   = pattern.New(`(?m)^[ \t]*(?:[-*•]|\d+[.)])[ \t]+\S`)
	number = pattern.New(`(?m)^[ \t]*\d+[.)][ \t]+\S`)
	nested = pattern.New(`(?m)^[ \t]+(?:[-*•]|\d+[.)])[ \t]+\S`)
)

// decide looks at one criterion. Two that are joined by "and" are decided one by one.
func decide(criterion, submission string) decision {
	text := strings.TrimSuffix(strings.Join(strings.Fields(criterion), " "), ".")
	whole := decideForm(text, submission)
	d := whole
	for at := 0; d.verdict == unknown && at < min(len(text), 500); at++ {
		if rest, ok := strings.CutPrefix(text[at:], " and "); ok {
			d = decideForm(rest, submission)
			switch first := decideForm(text[:at], submission); {
			case first.verdict == unknown || d.verdict == yes && first.verdict == no:
				d = first
			case d.verdict == first.verdict:
				d.why = first.why + "; " + d.why
			}
		}
	}
	switch {
	case d.verdict == unknown:
		return decision{why: cmp.Or(whole.why, d.why)}
	case strings.TrimSpace(submission) == "":
		return decision{no, "the submission is empty"}
	}
	return d
}

func decideForm(text, submission string) decision {
	if m := mentions().FindStringSubmatch(text); m != nil {
		return decideLiterals(m[3], submission, m[1]+m[2] == "")
	}
	if m := isJSON().FindStringSubmatch(text); m != nil {
		return decideJSON(m[1] != "", m[2], submission)
	}
	if m := limits().FindStringSubmatch(text); m != nil {
		return decideLength(m[1:5], strings.ToLower(m[5]), strings.ToLower(m[6]), strings.TrimSpace(submission))
	}
	if m := matches().FindStringSubmatch(text); m != nil {
		if re, err := ecmascript.Compile(m[2], m[3]); err == nil {
			if found, err := re.MatchString(submission); err == nil {
				return decision{verdictOf[found == (m[1] == "")], fmt.Sprintf("it %s /%s/%s", map[bool]string{true: "matches", false: "does not match"}[found], m[2], m[3])}
			}
		}
	}
	return decision{}
}

// decideLiterals decides literals that are joined by commas, "and" or "or", but not by both. All
// or one must be there or, if they are not affirmed, none may be.
func decideLiterals(text, submission string, affirmed bool) decision {
	d, counts, doubts := decision{}, map[int]int{}, ""
	for _, l := range literals().FindAllString(text, -1) {
		found := find(l, submission, affirmed)
		counts[found.verdict]++
		d.why = strings.TrimPrefix(d.why+"; "+found.why, "; ")
		if found.verdict == unknown {
			doubts = cmp.Or(doubts, found.why)
		}
	}
	between := strings.ToLower(literals().ReplaceAllString(text, ""))
	either := !affirmed || strings.Contains(between, " or ")
	switch {
	case either && strings.Contains(between, " and "):
	case counts[verdictOf[either]] > 0: // one settles it
		d.verdict = verdictOf[either == affirmed]
	case counts[unknown] == 0:
		d.verdict = verdictOf[either != affirmed]
	}
	if d.verdict == unknown {
		d.why = doubts
	}
	return d
}

// find looks for a literal as whole words. It is in doubt if it stands only in other letters
// or inside a word, or, to be affirmed, only in sentences that negate something. An amount
// that is missing is in doubt too: it may be written in another way.
func find(l, submission string, affirmed bool) decision {
	text := unquote(l)
	doubted := func(format string) decision {
		return decision{why: fmt.Sprintf(format, text) + " " + needsModel}
	}
	for _, s := range map[bool][]string{true: stop().Split(submission, -1), false: {submission}}[affirmed] {
		if pattern.ContainsWords(s, text) && !(affirmed && doubt().MatchString(strings.ReplaceAll(s, text, ""))) {
			return decision{yes, "it has `" + text + "`"}
		}
	}
	switch {
	case pattern.ContainsWords(submission, text):
		return doubted("`%s` is in the answer, next to words that may deny or change it; what is meant")
	case strings.Contains(submission, text), letters(text) != "" && strings.Contains(letters(submission), letters(text)):
		return doubted("`%s` is in the answer only in another spelling or inside a word; whether it counts")
	case text == l, strings.ContainsFunc(submission, unicode.IsMark):
		return doubted("`%s` is not in the answer word for word; whether it is meant")
	}
	return decision{no, "it does not have `" + text + "`"}
}

// unquote returns a literal without its quotation marks. An amount has none.
func unquote(l string) string {
	runes := []rune(l)
	if !strings.ContainsRune("`\"“«„「", runes[0]) {
		return l
	}
	return string(runes[1 : len(runes)-1])
}

// letters returns the letters and digits of a text, in lower case.
func letters(text string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), ""))
}

// decideJSON looks for keys at the top of an object. JSON inside other text is not decided.
func decideJSON(object bool, keys, submission string) decision {
	var value any
	if json.Unmarshal([]byte(submission), &value) != nil {
		if strings.IndexAny(strings.TrimSpace(submission), "{[") > 0 {
			return decision{why: "it has other text around what may be JSON; whether that counts " + needsModel}
		}
		return decision{no, "it is not JSON"}
	}
	members, isObject := value.(map[string]any)
	if object && !isObject {
		return decision{no, "it is JSON, but no object"}
	}
	for _, key := range literals().FindAllString(keys, -1) {
		if _, has := members[unquote(key)]; !has {
			return decision{no, "it is JSON without the key " + key}
		}
	}
	return decision{yes, strings.TrimSuffix("it is JSON with "+keys, " with ")}
}

// decideLength decides a limit: at most, below, at least, above or exactly. Every length
// between those that [count] returns must give the same answer.
func decideLength(limit []string, figure, unit, text string) decision {
	n, _ := strconv.Atoi(cmp.Or(figures[figure], figure))
	low, high := n, n
	switch {
	case limit[0]+limit[1] != "":
		low, high = 0, n-min(1, len(limit[1]))
	case limit[2]+limit[3] != "":
		low, high = n+min(1, len(limit[3])), 1<<30
	}
	counts := count(unit, text)
	if len(counts) == 0 {
		return decision{}
	}
	least, most := slices.Min(counts), slices.Max(counts)
	if within := low <= least && most <= high; within || most < low || high < least {
		return decision{verdictOf[within], fmt.Sprintf("it has %d %ss", counts[0], unit)}
	}
	return decision{}
}

// count returns the lengths of a text in a unit, one for each way to count. It returns none for
// scripts other than Latin and Cyrillic, and for lists without marks or with two kinds of them.
func count(unit, text string) []int {
	if unit == "bullet" || unit == "item" {
		numbers, all := len(number().FindAllString(text, -1)), len(item().FindAllString(text, -1))
		if all == 0 || numbers > 0 && (unit == "bullet" || numbers < all) {
			return nil
		}
		return []int{all - len(nested().FindAllString(text, -1)), all}
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin, unicode.Cyrillic) }) {
		return nil
	}
	isBlank := func(part string) bool { return letters(part) == "" }
	if fields := strings.Fields(text); unit == "word" {
		words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' })
		return []int{len(slices.DeleteFunc(slices.Clone(fields), isBlank)), len(fields), len(words)}
	}
	return []int{max(1, len(sure().FindAllString(text, -1))), max(1, len(slices.DeleteFunc(stop().Split(text, -1), isBlank)))}
}

package offline

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	sized = regexp.MustCompile(`(?i)\b(under|below|fewer than|less than|at most|no more than|not more than|within|up to|maximum of|max\.?|` +
		`at least|more than|over|minimum of|no fewer than|no less than|exactly|in)\s+(\d+|one|two|three|four|five|six|seven|eight|nine|ten)` +
		`(?:\s+(?:or fewer|or less))?[\s-]+(word|sentence|character|line|paragraph|bullet|item)s?\b(?:\s+(?:long|or fewer|or less))?`)
	asJSON    = regexp.MustCompile(`(?i)\b(?:(?:is|as|in|returns?|outputs?|only)\s+(?:an?\s+)?(?:(?:valid|well-formed|parsable|parseable)\s+)?|(?:valid|well-formed|parsable|parseable)\s+)JSON\b(?:\s+(?:object|format|array))?`)
	bullets   = regexp.MustCompile(`(?im)^\s*(?:[-*•]|\d+[.)])\s+\S`)
	bulleted  = regexp.MustCompile(`(?i)\b(?:bullet(?:ed)?(?:\s+(?:points?|lists?))|bullets|numbered\s+(?:list|steps))\b`)
	sentence  = regexp.MustCompile(`[.!?。！？]+(?:\s|$|["”)])`)
	blankLine = regexp.MustCompile(`\n\s*\n`)
	fence     = regexp.MustCompile("(?s)^\\s*```[a-zA-Z]*\\s*\n(.*?)\n?```\\s*$")
)

var numerals = map[string]int{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}

// measures takes out of a wish what can be measured, and measures it.
func (s *submission) measures(e *evidence, wish string) string {
	wish = sized.ReplaceAllStringFunc(wish, func(phrase string) string {
		m := sized.FindStringSubmatch(phrase)
		limit, known := numerals[strings.ToLower(m[2])]
		if !known {
			limit, _ = strconv.Atoi(m[2])
		}
		unit := strings.ToLower(m[3])
		count := s.count(unit)
		e.must(fmt.Sprintf("%s (it has %d)", strings.TrimSpace(phrase), count), within(strings.ToLower(m[1]), count, limit))
		if e.broken && count > 0 && limit > 0 {
			e.closeness = min(e.closeness, min(float64(count), float64(limit))/max(float64(count), float64(limit)))
		}
		return " "
	})
	wish = asJSON.ReplaceAllStringFunc(wish, func(string) string {
		body := s.text
		if m := fence.FindStringSubmatch(body); m != nil {
			body = m[1]
		}
		e.must("valid JSON", json.Valid([]byte(body)))
		return " "
	})
	return bulleted.ReplaceAllStringFunc(wish, func(phrase string) string {
		e.must(phrase, bullets.MatchString(s.text))
		return " "
	})
}

func within(relation string, count, limit int) bool {
	switch relation {
	case "under", "below", "fewer than", "less than":
		return count < limit
	case "more than", "over":
		return count > limit
	case "at least", "minimum of", "no fewer than", "no less than":
		return count >= limit
	case "exactly", "in":
		return count == limit
	}
	return count <= limit
}

func (s *submission) count(unit string) int {
	text := strings.TrimSpace(s.text)
	switch {
	case text == "":
		return 0
	case unit == "word":
		return len(strings.Fields(text))
	case unit == "character":
		return utf8.RuneCountInString(text)
	case unit == "sentence":
		return max(1, len(sentence.FindAllString(text, -1)))
	case unit == "line":
		return strings.Count(text, "\n") + 1
	case unit == "paragraph":
		return len(blankLine.Split(text, -1))
	}
	return len(bullets.FindAllString(text, -1))
}

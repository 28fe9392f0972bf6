package grade

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/pattern"
)

var (
	namedMonthDate = pattern.New(`^(\d{1,2})-([A-Za-z]{3,9})-(\d{4})$`)
	numericDate    = pattern.New(`^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$`)
)

// parseDateJS reads a date as the reference does, and returns its day in UTC: what JavaScript's Date
// accepts, which is much, and then two numbers and a year. They are a month and a day by the formats,
// or else in the order that makes a date, month first.
func parseDateJS(value any, formats []string) (day string, ok bool) {
	text := trimSpaceJS(stringJS(value))
	if t, ok := parseDateV8(text); ok {
		return t.Format(time.DateOnly), true
	}
	if m := namedMonthDate().FindStringSubmatch(text); m != nil {
		if month := slices.Index(monthNames, strings.ToLower(m[2])); month >= 0 {
			return makeDay(m[3], month%12+1, atoi(m[1])), true
		}
	}
	m := numericDate().FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	named := strings.Join(formats, " ")
	american := strings.Contains(named, "MM/DD") || strings.Contains(named, "MM-DD")
	european := strings.Contains(named, "DD/MM") || strings.Contains(named, "DD-MM")
	first, second := atoi(m[1]), atoi(m[2])
	inferred := american == european
	switch {
	case inferred && first > 12 && second <= 12, european && !american && second >= 1 && second <= 12 && first >= 1 && first <= 31:
		return makeDay(m[3], second, first), true
	case inferred && first <= 12 && second <= 31, american && !european && first >= 1 && first <= 12 && second >= 1 && second <= 31:
		return makeDay(m[3], first, second), true
	}
	return "", false
}

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// makeDay returns a day; one after the end of a month is in the next.
func makeDay(year string, month, day int) string {
	return time.Date(atoi(year), time.Month(month), day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// stringJS returns a JSON value as JavaScript's String does.
func stringJS(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "[object Object]"
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			if item != nil {
				parts[i] = stringJS(item)
			}
		}
		return strings.Join(parts, ",")
	}
	text, ok := scalarText(value)
	if !ok {
		text = fmt.Sprint(value)
	}
	return text
}

// monthNames are short and long names, in the order of the year.
var monthNames = []string{
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
}

// zoneHours are the time zones that V8 knows by name, as hours from UTC.
var zoneHours = map[string]int{
	"z": 0, "ut": 0, "utc": 0, "gmt": 0, "cdt": -5, "cst": -6, "edt": -4, "est": -5, "mdt": -6, "mst": -7, "pdt": -7, "pst": -8,
}

// isoDate is a date of ISO 8601, and what follows a T.
var isoDate = pattern.New(`^(\d{4}|[+-]\d{6})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?(?:[Tt](.*))?$`)

// isoTime is a time of ISO 8601 with its zone.
var isoTime = pattern.New(`^(?:([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?|(24):(00)(?::(00)(?:\.0+)?)?)(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?$`)

// maxYear is the last year of JavaScript's dates.
const maxYear = 275760

// parseDateV8 reads a date as V8 does. It is in ISO's form, or else free: numbers and names of months
// and zones in any order. Words before the first number and text in parentheses are ignored.
func parseDateV8(text string) (t time.Time, ok bool) {
	d := dateParts{rest: text, afternoon: -1}
	if m := isoDate().FindStringSubmatch(text); m != nil {
		d.days, d.iso = []int{atoi(m[1]), max(1, atoi(m[2])), max(1, atoi(m[3]))}, true
		if len(text) > len(m[1]) && m[4] == "" && strings.HasSuffix(strings.ToLower(text), "t") {
			return t, false
		}
		if m[4] != "" {
			clock := isoTime().FindStringSubmatch(m[4])
			if clock == nil {
				return t, false
			}
			d.clock = []int{atoi(clock[1] + clock[4]), atoi(clock[2] + clock[5]), atoi(clock[3] + clock[6])}
			d.zone = atoi(clock[8])*60 + atoi(clock[9])
			if clock[7] == "-" {
				d.zone = -d.zone
			}
		}
		return d.time()
	}
	for d.rest != "" {
		if !d.readToken() {
			return t, false
		}
	}
	return d.time()
}

// dateParts are the parts of a date that were read so far.
type dateParts struct {
	rest      string
	iso       bool
	days      []int // at most three
	month     int   // by name; 0 if there is none
	clock     []int // hours, minutes, seconds and milliseconds
	afternoon int   // hours to add to a clock of 12 hours; -1 if the clock has 24
	zone      int   // minutes from UTC
	inZone    bool  // a zone was named, so that its distance may follow
	zoneHour  bool  // the hours of the distance were read, and its minutes were not
	zoneSign  int
	numbered  bool // a number was read
}

// take removes the longest start of the rest whose bytes are accepted.
func (d *dateParts) take(accept func(c byte) bool) string {
	n := 0
	for n < len(d.rest) && accept(d.rest[n]) {
		n++
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *dateParts) skip(symbol string) (found bool) {
	d.rest, found = strings.CutPrefix(d.rest, symbol)
	return found
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWordByte accepts what V8 takes for letters.
func isWordByte(c byte) bool { return c >= 'A' }

// readToken reads one part of a date in free form. It is false if there is no such date.
func (d *dateParts) readToken() bool {
	if digits := d.take(isDigit); digits != "" {
		d.numbered = true
		return d.readNumber(min(atoi(digits), 999999999))
	}
	if word := strings.ToLower(d.take(isWordByte)); word != "" {
		return d.readWord(word)
	}
	symbol := d.rest[0]
	d.rest = d.rest[1:]
	switch {
	case (symbol == '+' || symbol == '-') && (d.inZone && d.zone == 0 || len(d.clock) > 0):
		return d.readZone(symbol)
	case symbol == '+' || symbol == '-' || symbol == ')':
		return !d.numbered
	case symbol == '(':
		for depth := 1; depth > 0 && d.rest != ""; d.rest = d.rest[1:] {
			switch d.rest[0] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
	}
	return true
}

func (d *dateParts) readNumber(n int) bool {
	expected := len(d.clock) == 1 && n < 60 || len(d.clock) == 2 && n < 60 || len(d.clock) == 3 && n < 1000
	switch {
	case d.skip(":"):
		if d.skip(":") {
			if len(d.clock) > 0 {
				return false
			}
			d.clock = []int{n, 0}
			return true
		}
		if len(d.clock) == 4 {
			return false
		}
		d.clock = append(d.clock, n)
		d.skip(".")
	case d.skip(".") && expected:
		d.clock = append(d.clock, n)
		if d.take(isDigit) == "" || len(d.clock) == 4 {
			return false
		}
		d.endClock()
	case d.zoneHour && n < 60:
		d.zone, d.zoneHour = d.zone+d.zoneSign*n, false
	case expected:
		d.clock = append(d.clock, n)
		d.endClock()
		return d.rest == "" || strings.ContainsRune(" \t\n\r+-Zz", rune(d.rest[0]))
	default:
		if len(d.days) == 3 {
			return false
		}
		d.days = append(d.days, n)
		d.skip("-")
	}
	return true
}

func (d *dateParts) endClock() {
	for len(d.clock) < 4 {
		d.clock = append(d.clock, 0)
	}
}

func (d *dateParts) readWord(word string) bool {
	month := slices.Index(monthNames[:12], word[:min(3, len(word))])
	hours, isZone := zoneHours[word]
	switch {
	case (word == "am" || word == "pm") && len(d.clock) > 0:
		if d.afternoon = 0; word == "pm" {
			d.afternoon = 12
		}
	case month >= 0:
		d.month = month + 1
		d.skip("-")
	case isZone && d.numbered:
		d.zone, d.inZone = hours*60, true
	default: // a word before the first number, and apart from it
		return !d.numbered && (d.rest == "" || !isDigit(d.rest[0]))
	}
	return true
}

// readZone reads the distance from UTC after its sign.
func (d *dateParts) readZone(sign byte) bool {
	if d.zoneSign = 1; sign == '-' {
		d.zoneSign = -1
	}
	digits := d.take(isDigit)
	n := atoi(digits)
	d.numbered, d.inZone = true, true
	switch length := len(digits); {
	case strings.HasPrefix(d.rest, ":"):
		d.zone, d.zoneHour = d.zoneSign*n*60, true
	case length == 1 || length == 2:
		d.zone = d.zoneSign * n * 60
	case length == 3 || length == 4:
		d.zone = d.zoneSign * (n/100*60 + n%100)
	default:
		return false
	}
	return true
}

// time returns the date that the parts make.
func (d *dateParts) time() (t time.Time, ok bool) {
	if len(d.days) == 0 {
		return t, false
	}
	for len(d.days) < 3 {
		d.days = append(d.days, 1)
	}
	year, month, day := d.days[2], d.days[0], d.days[1]
	switch isDay := d.days[0] >= 1 && d.days[0] <= 31; {
	case d.month == 0 && (d.iso || !isDay):
		year, month, day = d.days[0], d.days[1], d.days[2]
	case d.month > 0 && isDay:
		year, month, day = d.days[1], d.month, d.days[0]
	case d.month > 0:
		year, month, day = d.days[0], d.month, d.days[1]
	}
	if !d.iso && year >= 0 && year < 50 {
		year += 2000
	} else if !d.iso && year >= 50 && year < 100 {
		year += 1900
	}
	d.endClock()
	hour, minute, second := d.clock[0], d.clock[1], d.clock[2]
	if d.afternoon >= 0 {
		if hour > 12 {
			return t, false
		}
		hour = hour%12 + d.afternoon
	}
	if month < 1 || month > 12 || day < 1 || day > 31 || year > maxYear || year < -maxYear ||
		hour > 24 || minute > 59 || second > 59 || hour == 24 && (minute > 0 || second > 0 || d.clock[3] > 0) {
		return t, false
	}
	return time.Date(year, time.Month(month), day, hour, minute-d.zone, second, 0, time.UTC), true
}

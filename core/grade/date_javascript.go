package grade

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/javascript"
	"github.com/rubric-ls/rubric/core/pattern"
)

var (
	namedMonthDate = pattern.New(`^(\d{1,2})-([A-Za-z]{3,9})-(\d{4})$`)
	numericDate    = pattern.New(`^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$`)
)

// parseDateJS reads a date as the reference does, and returns its day in UTC: what JavaScript's Date
// accepts, which is much and has the month first, and then two numbers and a year: a day and a month by
// the formats, or else in the order that makes a date.
func parseDateJS(value any, formats []string) (day string, ok bool) {
	text := javascript.TrimSpace(javascript.String(value))
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
	case inferred && first > 12 && second <= 12, european && second > 0 && second <= 12 && first > 0 && first <= 31:
		return makeDay(m[3], second, first), true
	case inferred && first <= 12 && second <= 31:
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

// monthNames are short and long names, in the order of the year.
var monthNames = []string{
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
}

// zoneHours are the time zones that V8 knows by name, as hours from UTC.
var zoneHours = map[string]int{
	"z": 0, "ut": 0, "utc": 0, "gmt": 0, "cdt": -5, "cst": -6, "edt": -4, "est": -5, "mdt": -6, "mst": -7, "pdt": -7, "pst": -8,
}

// isoDate is a date and a time of ISO 8601 with its zone. A time begins with T; nothing else may follow.
var isoDate = pattern.New(`^(\d{4}|[+-]\d{6})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?(?:([Tt])(?:(\d\d):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?:[Zz]|([+-]\d\d):?(\d\d))?)?)?$`)

// datePart is one part of a date in free form: a time, a distance from UTC, a number, a word, or a
// byte that separates parts.
var datePart = pattern.New(`^(?:(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?|([+-]\d{1,2}):?(\d\d)?|(\d+)[-.]?|([A-Z_a-z[\]^{|}~\x{80}-\x{10FFFF}]+)-?|\([^)]*\)?|(?s:.))`)

// maxYear is the last year of JavaScript's dates.
const maxYear = 275760

// parseDateV8 reads a date as V8 does. It is in ISO's form, or else free: numbers and names of months
// and zones in any order. Words before the first number and text in parentheses are ignored.
func parseDateV8(text string) (t time.Time, ok bool) {
	d := dateParts{afternoon: -1}
	if m := isoDate().FindStringSubmatch(text); m != nil {
		d.days, d.iso = []int{atoi(m[1]), max(1, atoi(m[2])), max(1, atoi(m[3]))}, true
		d.hour, d.minute, d.second, d.zone = atoi(m[5]), atoi(m[6]), atoi(m[7]), minutesFromUTC(m[8], m[9])
		return d.time(m[4] == "" || m[5] != "")
	}
	for text != "" {
		m := datePart().FindStringSubmatch(text)
		if (m[4] != "") && !d.timed {
			m[0] = m[0][:1] // only a sign
		}
		if text = text[len(m[0]):]; !d.add(m, text) {
			return t, false
		}
	}
	return d.time(true)
}

// dateParts are the parts of a date that were read so far.
type dateParts struct {
	iso                  bool
	days                 []int // at most three
	month                int   // by name; 0 if there is none
	hour, minute, second int
	afternoon            int  // hours to add to a clock of 12 hours; -1 if the clock has 24
	zone                 int  // minutes from UTC
	timed                bool // a time or a zone was read
}

// add adds a match of datePart, before the rest. It is false if there is no such date.
func (d *dateParts) add(m []string, rest string) bool {
	numbered := len(d.days) > 0 || d.timed
	switch {
	case m[1] != "":
		if d.timed {
			return false
		}
		d.hour, d.minute, d.second, d.timed = atoi(m[1]), atoi(m[2]), atoi(m[3]), true
		last := &d.second
		if m[3] == "" {
			last = &d.minute
		}
		if *last >= 60 { // it is one more number of the day
			d.days, *last = append(d.days, *last), 0
			return len(d.days) > 1 && len(d.days) <= 3 && d.minute < 60
		}
		return d.minute < 60
	case m[4] != "" && d.timed:
		d.zone = minutesFromUTC(m[4], m[5])
	case m[0] == "+", m[0] == "-", m[0] == ")":
		return !numbered
	case m[6] != "":
		d.days = append(d.days, min(atoi(m[6]), 999999999))
		return len(d.days) <= 3
	case m[7] != "":
		word := strings.ToLower(m[7])
		month := slices.Index(monthNames[:12], word[:min(3, len(word))])
		hours, isZone := zoneHours[word]
		switch {
		case (word == "am" || word == "pm") && d.timed:
			if d.afternoon = 0; word == "pm" {
				d.afternoon = 12
			}
		case month >= 0:
			d.month = month + 1
		case isZone && numbered:
			d.zone, d.timed = hours*60, true
		default: // a word before the first number, and apart from it
			return !numbered && (rest == "" || rest[0] < '0' || rest[0] > '9')
		}
	}
	return true
}

func minutesFromUTC(hours, minutes string) int {
	if strings.HasPrefix(hours, "-") {
		return atoi(hours)*60 - atoi(minutes)
	}
	return atoi(hours)*60 + atoi(minutes)
}

// time returns the date that the parts make. Two digits are a year from 1950 to 2049.
func (d *dateParts) time(valid bool) (t time.Time, ok bool) {
	if len(d.days) == 0 {
		return t, false
	}
	d.days = append(d.days, 1, 1)[:3]
	year, month, day := d.days[2], d.days[0], d.days[1]
	switch isDay := d.days[0] >= 1 && d.days[0] <= 31; {
	case d.month == 0 && (d.iso || !isDay):
		year, month, day = d.days[0], d.days[1], d.days[2]
	case d.month > 0 && isDay:
		year, month, day = d.days[1], d.month, d.days[0]
	case d.month > 0:
		year, month, day = d.days[0], d.month, d.days[1]
	}
	if !d.iso && year < 50 {
		year += 2000
	} else if !d.iso && year < 100 {
		year += 1900
	}
	if d.afternoon >= 0 {
		valid = valid && d.hour <= 12
		d.hour = d.hour%12 + d.afternoon
	}
	valid = valid && month >= 1 && month <= 12 && day >= 1 && day <= 31 && year <= maxYear && d.hour <= 24 && (d.hour < 24 || d.minute == 0 && d.second == 0)
	return time.Date(year, time.Month(month), day, d.hour, d.minute-d.zone, 0, 0, time.UTC), valid
}

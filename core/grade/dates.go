package grade

import (
	"fmt"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/rubric"
)

// Layouts in Go's notation. A date without a zone is taken as it stands, one
// with a zone by its day in UTC.
var (
	isoLayouts = []string{
		time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", "2006-01-02T15:04",
		time.DateTime, "2006-01-02 15:04", "2006-1-2", "2006/1/2",
	}
	wordLayouts = []string{
		"2-Jan-2006", "2-January-2006", "Jan 2, 2006", "January 2, 2006", "Jan 2 2006", "January 2 2006", "2 Jan 2006", "2 January 2006",
	}
	monthFirst = []string{"1/2/2006", "1-2-2006"}
	dayFirst   = []string{"2/1/2006", "2-1-2006"}
)

// compareDates compares two dates by their day.
func (t task) compareDates(f rubric.Field, value, expected any) string {
	layouts := t.dateLayouts(f.Formats)
	got, ok := parseDate(value, layouts)
	if !ok {
		return describeValue(value) + " is no date in a known format"
	}
	want, ok := parseDate(expected, layouts)
	if !ok {
		return "expected " + describeValue(expected) + ", which is no date in a known format"
	}
	if got != want {
		return fmt.Sprintf("%s, not %s", got, want)
	}
	return ""
}

// dateLayouts are what a date may look like, in the order tried. ISO dates and
// months in words are always understood. Then come the formats of the field, or
// both numeric orders, the American one first.
//
// The reference reads numbers the American way whatever the formats say, if
// they can be; the other order is left for what cannot, unless only American
// formats are named.
func (t task) dateLayouts(formats []string) []string {
	all := append(append([]string{}, isoLayouts...), wordLayouts...)
	switch {
	case t.isReference():
		all = append(all, monthFirst...)
		named := strings.Join(formats, " ")
		american := strings.Contains(named, "MM/DD") || strings.Contains(named, "MM-DD")
		european := strings.Contains(named, "DD/MM") || strings.Contains(named, "DD-MM")
		if !american || european {
			all = append(all, dayFirst...)
		}
	case len(formats) > 0:
		for _, f := range formats {
			all = append(all, goLayout(f))
		}
	default:
		all = append(append(all, monthFirst...), dayFirst...)
	}
	return all
}

// goLayout turns a format such as DD.MM.YYYY into Go's notation.
func goLayout(format string) string {
	return strings.NewReplacer(
		"YYYY", "2006", "YY", "06", "MMMM", "January", "MMM", "Jan", "MM", "1", "M", "1",
		"DD", "2", "D", "2", "HH", "15", "mm", "04", "ss", "05", "Z", "Z07:00",
	).Replace(format)
}

func parseDate(value any, layouts []string) (day string, ok bool) {
	text := strings.TrimSpace(fmt.Sprint(value))
	for _, layout := range layouts {
		if d, err := time.Parse(layout, text); err == nil {
			return d.UTC().Format(time.DateOnly), true
		}
	}
	return "", false
}

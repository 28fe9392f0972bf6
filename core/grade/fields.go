package grade

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/score"
)

// maxShownFields limits the hits and misses that a comparison of fields lists.
const maxShownFields = 4

// gradeFields compares fields of the JSON in the submission with those of the expected answer. A
// field without an expected value is a hit that says so, and a missing optional field too. They
// have no weight; in the reference only the latter.
func gradeFields(_ context.Context, t task) Outcome {
	if len(t.grader.Fields) == 0 && !t.isReference() {
		return Outcome{Result: score.UngradedResult("it lists no fields to compare")}
	}
	got, err := t.answerData()
	if err != nil {
		// A submission that is not JSON has every field wrong, so it is graded.
		miss := fmt.Sprintf("the answer cannot be read as JSON: %v", err)
		return Outcome{Result: score.PlainResult(0, nil, []string{miss}, miss)}
	}
	want, ok := ExpectedData(t.evalCase)
	if !ok || t.ports.Profile == score.AgentVHead { // which reads no expected output
		return Outcome{Result: t.missingData("no expected message holds data to compare with")}
	}
	var hits, misses []string
	var shares []score.Share
	compared := false
	for _, f := range t.grader.Fields {
		share := score.Share{Value: 1, Weight: f.Weight}
		expected, isExpected := LookupPath(want, f.Path)
		value, isPresent := LookupPath(got, f.Path)
		compared = compared || isExpected
		switch {
		case !isExpected:
			hits = append(hits, f.Path+": no value is expected")
			if !t.isReference() {
				share.Weight = 0
			}
		case !isPresent && !f.Required:
			hits = append(hits, f.Path+": missing and optional")
			share.Weight = 0
		default:
			problem := "required and missing"
			if isPresent {
				problem = t.compareField(f, value, expected)
			}
			if problem == "" {
				hits = append(hits, f.Path)
			} else {
				misses = append(misses, f.Path+": "+problem)
				share.Value = 0
			}
		}
		shares = append(shares, share)
	}
	if !compared && !t.isReference() {
		return Outcome{Result: score.UngradedResult("the expected output has none of its fields")}
	}
	return Outcome{Result: t.fieldResult(hits, misses, shares)}
}

func (t task) fieldResult(hits, misses []string, shares []score.Share) score.Result {
	value, weighed := score.Mean(t.ports.Profile, shares)
	if t.isReference() {
		value = sumByWeight(shares)
	}
	switch {
	case t.grader.AllOrNothing && len(misses) > 0:
		value = 0
	case t.grader.AllOrNothing || len(shares) == 0:
		value = 1
	case !weighed && !t.isReference():
		return score.UngradedResult("none of its fields has a weight to count")
	}
	reasoning := fmt.Sprintf("%d of %d fields match", len(hits), len(hits)+len(misses))
	return score.PlainResult(value, hits[:min(maxShownFields, len(hits))], misses[:min(maxShownFields, len(misses))], reasoning)
}

// sumByWeight returns the mean as the reference computes it for fields: any total but 0 divides.
func sumByWeight(shares []score.Share) float64 {
	sum, total := 0.0, 0.0
	for _, s := range shares {
		total += s.Weight
		sum += s.Value * s.Weight
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// answerData returns the data in the submission. The reference looks for an object even in a list,
// so it cannot read a list of several.
func (t task) answerData() (any, error) {
	if !t.isReference() {
		var value any
		if json.Unmarshal([]byte(removeFences(t.submission.Answer)), &value) == nil {
			return value, nil
		}
	}
	return ExtractJSON(t.submission.Answer)
}

// ExpectedData returns the data of the last expected answer of c that has any.
func ExpectedData(c *rubric.Case) (any, bool) {
	for i := len(c.Expected) - 1; i >= 0; i-- {
		m := c.Expected[i]
		if m.Role != "assistant" {
			continue
		}
		switch content := m.Content.(type) {
		case map[string]any, []any:
			return content, true
		case string:
			if value, err := ExtractJSON(content); err == nil {
				return value, true
			}
		}
	}
	return nil, false
}

// compareField returns what is wrong with the value of a field, "" if nothing.
func (t task) compareField(f rubric.Field, value, expected any) string {
	switch f.Match {
	case "numeric_tolerance":
		return t.compareNumbers(f, value, expected)
	case "date":
		return t.compareDates(f, value, expected)
	case "exact":
		if !equalJSON(value, expected) {
			return fmt.Sprintf("%s, not %s", describeValue(value), describeValue(expected))
		}
		return ""
	}
	return fmt.Sprintf("`%s` is not a way to compare fields", f.Match)
}

// LookupPath follows a path such as `a.b`, `a[0]` or `a.0`.
func LookupPath(value any, path string) (any, bool) {
	parts := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	for _, part := range parts {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[part]
			if !ok {
				return nil, false
			}
			value = next
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, len(parts) > 0
}

// compareNumbers compares two numbers, either of which may be a string. It returns the fault, "" if
// they match.
func (t task) compareNumbers(f rubric.Field, value, expected any) string {
	got, ok := t.parseNumeric(value)
	if !ok {
		return describeValue(value) + " is not a number"
	}
	want, ok := t.parseNumeric(expected)
	if !ok {
		return "expected " + describeValue(expected) + ", which is not a number"
	}
	if (score.Tolerance{Max: f.Tolerance, Relative: f.Relative}).Allows(t.ports.Profile, got, want) {
		return ""
	}
	return fmt.Sprintf("%v is not within %v of %v", got, f.Tolerance, want)
}

var leadingNumber = pattern.New(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?`)

// parseNumeric reads a finite number. The reference also accepts a number at the start of a string.
func (t task) parseNumeric(value any) (float64, bool) {
	if n, ok := toFloat(value); ok {
		return n, true
	}
	text, _ := value.(string)
	text = strings.TrimSpace(text)
	if t.isReference() {
		text = leadingNumber().FindString(text)
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

// Date layouts in Go's notation. A date without a zone is taken as written, a date with a zone by
// its day in UTC.
var (
	clearLayouts = []string{ // the year first, or a month's name
		time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", "2006-01-02T15:04",
		time.DateTime, "2006-01-02 15:04", "2006-1-2", "2006/1/2",
		"2-Jan-2006", "2-January-2006", "Jan 2, 2006", "January 2, 2006", "Jan 2 2006", "January 2 2006", "2 Jan 2006", "2 January 2006",
	}
	numericLayouts = []string{"1/2/2006", "1-2-2006", "2/1/2006", "2-1-2006"} // month first
)

// compareDates compares two dates by their day. It returns the fault, "" if they match.
func (t task) compareDates(f rubric.Field, value, expected any) string {
	parse := parseDate
	if t.isReference() {
		parse = parseDateJS
	}
	got, ok := parse(value, f.Formats)
	if !ok {
		return describeValue(value) + " is not a date in a known format"
	}
	want, ok := parse(expected, f.Formats)
	if !ok {
		return "expected " + describeValue(expected) + ", which is not a date in a known format"
	}
	if got != want {
		return fmt.Sprintf("%s, not %s", got, want)
	}
	return ""
}

// goLayout converts a format such as DD.MM.YYYY to Go's notation.
var goLayout = strings.NewReplacer(
	"YYYY", "2006", "YY", "06", "MMMM", "January", "MMM", "Jan", "MM", "1", "M", "1",
	"DD", "2", "D", "2", "HH", "15", "mm", "04", "ss", "05", "Z", "Z07:00",
)

// parseDate always accepts ISO dates and names of months. The formats of the field follow, or else
// both numeric orders.
func parseDate(value any, formats []string) (day string, ok bool) {
	layouts := numericLayouts
	if len(formats) > 0 {
		layouts = generic.Map(formats, goLayout.Replace)
	}
	text := strings.TrimSpace(fmt.Sprint(value))
	for _, layout := range slices.Concat(clearLayouts, layouts) {
		if d, err := time.Parse(layout, text); err == nil {
			return d.UTC().Format(time.DateOnly), true
		}
	}
	return "", false
}

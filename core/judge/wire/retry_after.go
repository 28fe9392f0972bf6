package wire

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// retryAfter is how long the provider asks to wait: in a header, as a number or as a
// time that is held against the reply's own, so that no clock is needed; or in
// the error itself.
func (r Reply) retryAfter(body errorBody) time.Duration {
	if ms, ok := parseAmount(r.header("Retry-After-Ms"), time.Millisecond); ok {
		return ms
	}
	value := r.header("Retry-After")
	if seconds, ok := parseAmount(value, time.Second); ok {
		return seconds
	}
	until, err := time.Parse(time.RFC1123, value)
	now, dateErr := time.Parse(time.RFC1123, r.header("Date"))
	if err == nil && dateErr == nil {
		return max(0, until.Sub(now))
	}
	for _, d := range body.Details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil {
			return max(0, wait)
		}
	}
	return 0
}

// parseAmount is a number of units, not below 0 and not without end.
func parseAmount(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	return time.Duration(min(n, 1e6) * float64(unit)), true
}

func (r Reply) header(name string) string {
	for key, values := range r.Header {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

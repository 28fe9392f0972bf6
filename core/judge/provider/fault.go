package provider

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/judge"
)

// Kind says why there is no answer.
type Kind string

const (
	Refused       Kind = "refused"     // the model declined to answer
	Truncated     Kind = "truncated"   // the reply reached a token limit
	Filtered      Kind = "filtered"    // a content filter of the provider withheld the question or the answer
	Unauthorized  Kind = "denied"      // the key is not accepted
	NotFound      Kind = "missing"     // there is no such model, or nothing at this address
	QuotaExceeded Kind = "exhausted"   // the account is empty; waiting does not help
	RateLimited   Kind = "limited"     // too many requests in too short a time
	ServerError   Kind = "busy"        // the provider failed
	Malformed     Kind = "broken"      // the reply is not in the provider's format
	Unsupported   Kind = "unsupported" // the model does not support a feature of the request
	Rejected      Kind = "rejected"    // the provider does not accept the request, for any other reason

	// No reply is decoded to these: hosts say so of connections.
	ConnectionLost Kind = "away"   // there was no connection, or it broke off
	Unreachable    Kind = "absent" // there is no such host, or nothing listens there
	Blocked        Kind = "barred" // there must be no connection: a certificate or a redirect is not trustworthy
)

// Feature is an optional part of a request.
type Feature string

const (
	Schema      Feature = "schema"      // a reply that is held to a JSON Schema
	Temperature Feature = "temperature" // a temperature
	Seed        Feature = "seed"        // a seed
)

// Fault is the error of a reply that holds no answer.
type Fault struct {
	Kind       Kind
	Status     int           // HTTP status; 0 if the status is one of success
	Message    string        // the provider's own words, one line; may be empty
	RetryAfter time.Duration // how long the provider asks to wait; 0 if it does not say
	Feature    Feature       // set for Unsupported
	KeyLabel   string        // set by hosts for Unauthorized: where the key is from; may be empty
}

// Error describes the fault in one sentence.
func (f *Fault) Error() string {
	text := map[Kind]string{
		Refused: "the model refused to answer", Truncated: "the reply was cut off at the token limit",
		Filtered: "a content filter of the provider withheld the reply", Unauthorized: cmp.Or(f.KeyLabel, "the key") + " was not accepted",
		NotFound: "there is no such model or address", QuotaExceeded: "the account has no quota left",
		RateLimited: "the provider's rate limit is reached", ServerError: "the provider failed",
		Malformed: "the reply is not in the provider's format", Rejected: "the provider rejected the request",
		Unsupported: "the model does not support a " + string(f.Feature),
	}[f.Kind]
	if text == "" {
		text = "it " + judge.ErrUnreachable.Error()
	}
	if f.Status != 0 {
		text += fmt.Sprintf(" (status %d)", f.Status)
	}
	if f.Message != "" {
		text += ": " + f.Message
	}
	return text
}

// Is matches [judge.ErrUnreachable], unless the provider answered and refused just this question.
func (f *Fault) Is(target error) bool {
	return target == judge.ErrUnreachable &&
		!slices.Contains([]Kind{Refused, Truncated, Filtered, Unsupported, Rejected}, f.Kind)
}

// IsTemporary reports whether the same request may be answered later.
func (f *Fault) IsTemporary() bool {
	return slices.Contains([]Kind{RateLimited, ServerError, Malformed, ConnectionLost}, f.Kind)
}

// IsPermanent reports whether no other question will be answered either. Status 403 is not
// permanent, because it may be about the question's content.
func (f *Fault) IsPermanent() bool {
	return f.Status != 403 && slices.Contains([]Kind{Unauthorized, NotFound, QuotaExceeded, Blocked}, f.Kind)
}

type errorBody struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Param   string `json:"param"`
	Code    any    `json:"code"`
	Inner   struct {
		Code string `json:"code"`
	} `json:"innererror"`
	Details []struct {
		Reason     string `json:"reason"`
		RetryDelay string `json:"retryDelay"`
	} `json:"details"`
}

// StatusFault returns the fault that the status of a response means.
func StatusFault(r Response) *Fault {
	body := parseErrorBody([]byte(r.Body))
	f := &Fault{Kind: faultKind(r.Status, body), Status: r.Status, Message: shorten(body.Message), RetryAfter: r.retryAfter(body)}
	if f.Kind == Rejected {
		if feature, ok := body.unsupportedFeature(); ok {
			f.Kind, f.Feature = Unsupported, feature
		}
	}
	return f
}

// parseErrorBody finds the error in a body: {"error": {…}}, {"error": "…"}, {"message": …},
// {"detail": …}, a list of one of these, or plain text.
func parseErrorBody(body []byte) (c errorBody) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
		errorBody
	}
	if json.Unmarshal(body, &outer) != nil {
		return errorBody{Message: string(body)}
	}
	c = outer.errorBody
	for _, inner := range []json.RawMessage{outer.Error, outer.Detail} {
		var text string
		switch {
		case len(inner) == 0 || string(inner) == "null":
		case json.Unmarshal(inner, &text) == nil:
			return errorBody{Message: text}
		case json.Unmarshal(inner, &c) == nil:
			c.Message = cmp.Or(c.Message, string(inner))
			return c
		default:
			return errorBody{Message: string(inner)}
		}
	}
	return c
}

func faultKind(status int, body errorBody) Kind {
	text := body.lowerText()
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return strings.Contains(text, w) })
	}
	switch {
	case has("content_filter", "responsibleaipolicyviolation", "content_policy_violation", "content management policy", "input was flagged"):
		return Filtered
	case has("insufficient_quota", "credit balance is too low", "billing_error", "billing_hard_limit") || status == 402:
		return QuotaExceeded
	case status == 401 || status == 403 || has("api_key_invalid", "api key not valid"):
		return Unauthorized
	case status == 404:
		return NotFound
	case status == 429:
		return RateLimited
	case status == 408 || status == 409 || status >= 500:
		return ServerError
	}
	return Rejected
}

// lowerText returns all texts of the error, in lower case.
func (b errorBody) lowerText() string {
	parts := []string{b.Message, b.Type, b.Param, b.Inner.Code, fmt.Sprint(b.Code)}
	for _, d := range b.Details {
		parts = append(parts, d.Reason)
	}
	return strings.ToLower(strings.Join(parts, " "))
}

// unsupportedFeature returns the optional feature that the error is about, if any.
func (b errorBody) unsupportedFeature() (Feature, bool) {
	text := cmp.Or(strings.ToLower(b.Param), b.lowerText())
	for _, marker := range []struct {
		word string
		of   Feature
	}{
		{"temperature", Temperature}, {"seed", Seed},
		{"response_format", Schema}, {"json_schema", Schema}, {"text.format", Schema}, {"output_config", Schema}, {"output_format", Schema},
		{"response_json_schema", Schema}, {"responsejsonschema", Schema}, {"response_mime_type", Schema}, {"json mode", Schema},
		{"structured output", Schema}, {"invalid schema", Schema}, {"grammar", Schema}, {"json schema", Schema},
	} {
		if strings.Contains(text, marker.word) {
			return marker.of, true
		}
	}
	return "", false
}

func shorten(text string) string { return excerpt.Shorten(text, 300) }

// retryAfter returns how long the provider asks to wait. It reads the Retry-After headers, as a
// number or as a time, and then the error body. A time is compared with the reply's own Date, so
// no clock is needed.
func (r Response) retryAfter(body errorBody) time.Duration {
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

// parseAmount parses a number of units. Negative numbers are invalid and huge ones are cut off.
func parseAmount(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(n) || n < 0 {
		return 0, false
	}
	return time.Duration(min(n, 1e6) * float64(unit)), true
}

func (r Response) header(name string) string {
	for key, values := range r.Header {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

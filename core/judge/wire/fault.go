package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/judge"
)

// Kind is why there is no answer.
type Kind string

const (
	Refused       Kind = "refused"     // the model declined to answer
	Truncated     Kind = "truncated"   // it ran into a limit of tokens
	Filtered      Kind = "filtered"    // a filter of the provider's kept the question or the answer back
	Unauthorized  Kind = "denied"      // the key is not accepted
	NotFound      Kind = "missing"     // there is no such model, or nothing at this address
	QuotaExceeded Kind = "exhausted"   // the account has nothing left, and waiting does not help
	RateLimited   Kind = "limited"     // too much was asked in too short a time
	ServerError   Kind = "busy"        // the provider has a problem of its own
	Malformed     Kind = "broken"      // what came back is not in the provider's own form
	Unsupported   Kind = "unsupported" // the model does not take one of the features sent
	Rejected      Kind = "rejected"    // the request is not as the provider wants it, for any other reason

	// No reply is decoded to these: hosts say so of connections.
	ConnectionLost Kind = "away"   // there was none, or it broke off
	Unreachable    Kind = "absent" // there is no such host, or nothing listens there
	Blocked        Kind = "barred" // there must be none: a certificate or a redirect is not to be trusted
)

// Feature is something that is sent wherever it is taken, and can be done without.
type Feature string

const (
	Schema      Feature = "schema"      // a reply held to a JSON Schema
	Temperature Feature = "temperature" // a temperature
	Seed        Feature = "seed"        // a seed
)

// Fault is why a reply holds no answer.
type Fault struct {
	Kind       Kind
	Status     int           // of HTTP; 0 if the reply was well
	Message    string        // the provider's own words, one line; may be empty
	RetryAfter time.Duration // how long the provider asks to wait; 0: it does not say
	Feature    Feature       // of Unsupported
	KeyLabel   string        // of Denied: the key in words, as a host has them; "" for none
}

// Error says it in one sentence.
func (f *Fault) Error() string {
	text := map[Kind]string{
		Refused: "the model refused to answer", Truncated: "the reply broke off at the limit of tokens",
		Filtered: "a content filter of the provider kept the reply back", Unauthorized: cmp.Or(f.KeyLabel, "the key") + " was not accepted",
		NotFound: "there is no such model or address", QuotaExceeded: "the account has no quota left",
		RateLimited: "the provider's rate limit is reached", ServerError: "the provider failed",
		Malformed: "the reply is not in the provider's form", Rejected: "the provider rejected the request",
		Unsupported: "the model does not take a " + string(f.Feature),
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

// Is makes the provider unreachable for whoever asks, unless it did its part or
// it is this one question that it would not take.
func (f *Fault) Is(target error) bool {
	return target == judge.ErrUnreachable &&
		!slices.Contains([]Kind{Refused, Truncated, Filtered, Unsupported, Rejected}, f.Kind)
}

// IsTemporary reports whether the same request may well be answered later.
func (f *Fault) IsTemporary() bool {
	return slices.Contains([]Kind{RateLimited, ServerError, Malformed, ConnectionLost}, f.Kind)
}

// IsPermanent reports whether no other question will be answered either. Being
// forbidden may be for what is asked.
func (f *Fault) IsPermanent() bool {
	return f.Status != 403 && slices.Contains([]Kind{Unauthorized, NotFound, QuotaExceeded, Blocked}, f.Kind)
}

// errorBody is what errors of all providers have in some form.
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

// statusFault is the fault of a reply whose status is none of success.
func statusFault(r Reply) *Fault {
	body := parseErrorBody([]byte(r.Body))
	f := &Fault{Kind: faultKind(r.Status, body), Status: r.Status, Message: shorten(body.Message), RetryAfter: r.retryAfter(body)}
	if f.Kind == Rejected {
		if feature, ok := body.unsupportedFeature(); ok {
			f.Kind, f.Feature = Unsupported, feature
		}
	}
	return f
}

// parseErrorBody finds the error in a body: {"error": {…}}, {"error": "…"}, {"message":
// …}, {"detail": …}, a list of one of these, or whatever text there is.
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
			if c.Message == "" {
				c.Message = string(inner)
			}
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

// lowerText are all that the complaint says, in lower case.
func (b errorBody) lowerText() string {
	parts := []string{b.Message, b.Type, b.Param, b.Inner.Code, fmt.Sprint(b.Code)}
	for _, d := range b.Details {
		parts = append(parts, d.Reason)
	}
	return strings.ToLower(strings.Join(parts, " "))
}

// unsupportedFeature is what the complaint is about, if that can be done without.
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

// shorten is enough of what a provider said.
func shorten(text string) string { return excerpt.Shorten(text, 300) }

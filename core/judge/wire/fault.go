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
	Refused     Kind = "refused"     // the model declined to answer
	Truncated   Kind = "truncated"   // it ran into a limit of tokens
	Filtered    Kind = "filtered"    // a filter of the provider's kept the question or the answer back
	Denied      Kind = "denied"      // the key is not accepted
	Missing     Kind = "missing"     // there is no such model, or nothing at this address
	Exhausted   Kind = "exhausted"   // the account has nothing left, and waiting does not help
	Limited     Kind = "limited"     // too much was asked in too short a time
	Busy        Kind = "busy"        // the provider has a problem of its own
	Broken      Kind = "broken"      // what came back is not in the provider's own form
	Unsupported Kind = "unsupported" // the model does not take one of the features sent
	Rejected    Kind = "rejected"    // the request is not as the provider wants it, for any other reason

	// No reply is decoded to these: hosts say so of connections.
	Away   Kind = "away"   // there was none, or it broke off
	Absent Kind = "absent" // there is no such host, or nothing listens there
	Barred Kind = "barred" // there must be none: a certificate or a redirect is not to be trusted
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
	Kind    Kind
	Status  int           // of HTTP; 0 if the reply was well
	Message string        // the provider's own words, one line; may be empty
	After   time.Duration // how long the provider asks to wait; 0: it does not say
	Feature Feature       // of Unsupported
	Key     string        // of Denied: the key in words, as a host has them; "" for none
}

// Error says it in one sentence.
func (f *Fault) Error() string {
	said := map[Kind]string{
		Refused: "the model refused to answer", Truncated: "the reply broke off at the limit of tokens",
		Filtered: "a content filter of the provider kept the reply back", Denied: cmp.Or(f.Key, "the key") + " was not accepted",
		Missing: "there is no such model or address", Exhausted: "the account has no quota left",
		Limited: "the provider's rate limit is reached", Busy: "the provider failed",
		Broken: "the reply is not in the provider's form", Rejected: "the provider rejected the request",
		Unsupported: "the model does not take a " + string(f.Feature),
	}[f.Kind]
	if said == "" {
		said = "it " + judge.ErrUnreachable.Error()
	}
	if f.Status != 0 {
		said += fmt.Sprintf(" (status %d)", f.Status)
	}
	if f.Message != "" {
		said += ": " + f.Message
	}
	return said
}

// Is makes the provider unreachable for whoever asks, unless it did its part or
// it is this one question that it would not take.
func (f *Fault) Is(target error) bool {
	return target == judge.ErrUnreachable &&
		!slices.Contains([]Kind{Refused, Truncated, Filtered, Unsupported, Rejected}, f.Kind)
}

// Passing reports whether the same request may well be answered later.
func (f *Fault) Passing() bool {
	return slices.Contains([]Kind{Limited, Busy, Broken, Away}, f.Kind)
}

// Lasting reports whether no other question will be answered either. Being
// forbidden may be for what is asked.
func (f *Fault) Lasting() bool {
	return f.Status != 403 && slices.Contains([]Kind{Denied, Missing, Exhausted, Barred}, f.Kind)
}

// complaint is what errors of all providers have in some form.
type complaint struct {
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

// failed is the fault of a reply whose status is none of success.
func failed(r Reply) *Fault {
	c := complaintOf([]byte(r.Body))
	f := &Fault{Kind: kindOf(r.Status, c), Status: r.Status, Message: line(c.Message), After: r.after(c)}
	if f.Kind == Rejected {
		if feature, ok := c.feature(); ok {
			f.Kind, f.Feature = Unsupported, feature
		}
	}
	return f
}

// complaintOf finds the error in a body: {"error": {…}}, {"error": "…"}, {"message":
// …}, {"detail": …}, a list of one of these, or whatever text there is.
func complaintOf(body []byte) (c complaint) {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
		complaint
	}
	if json.Unmarshal(body, &outer) != nil {
		return complaint{Message: string(body)}
	}
	c = outer.complaint
	for _, inner := range []json.RawMessage{outer.Error, outer.Detail} {
		var text string
		switch {
		case len(inner) == 0 || string(inner) == "null":
		case json.Unmarshal(inner, &text) == nil:
			return complaint{Message: text}
		case json.Unmarshal(inner, &c) == nil:
			if c.Message == "" {
				c.Message = string(inner)
			}
			return c
		default:
			return complaint{Message: string(inner)}
		}
	}
	return c
}

func kindOf(status int, c complaint) Kind {
	words := c.words()
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return strings.Contains(words, w) })
	}
	switch {
	case has("content_filter", "responsibleaipolicyviolation", "content_policy_violation", "content management policy", "input was flagged"):
		return Filtered
	case has("insufficient_quota", "credit balance is too low", "billing_error", "billing_hard_limit") || status == 402:
		return Exhausted
	case status == 401 || status == 403 || has("api_key_invalid", "api key not valid"):
		return Denied
	case status == 404:
		return Missing
	case status == 429:
		return Limited
	case status == 408 || status == 409 || status >= 500:
		return Busy
	}
	return Rejected
}

// words are all that the complaint says, in lower case.
func (c complaint) words() string {
	said := []string{c.Message, c.Type, c.Param, c.Inner.Code, fmt.Sprint(c.Code)}
	for _, d := range c.Details {
		said = append(said, d.Reason)
	}
	return strings.ToLower(strings.Join(said, " "))
}

// feature is what the complaint is about, if that can be done without.
func (c complaint) feature() (Feature, bool) {
	words := cmp.Or(strings.ToLower(c.Param), c.words())
	for _, sign := range []struct {
		word string
		of   Feature
	}{
		{"temperature", Temperature}, {"seed", Seed},
		{"response_format", Schema}, {"json_schema", Schema}, {"text.format", Schema}, {"output_config", Schema}, {"output_format", Schema},
		{"response_json_schema", Schema}, {"responsejsonschema", Schema}, {"response_mime_type", Schema}, {"json mode", Schema},
		{"structured output", Schema}, {"invalid schema", Schema}, {"grammar", Schema}, {"json schema", Schema},
	} {
		if strings.Contains(words, sign.word) {
			return sign.of, true
		}
	}
	return "", false
}

// line is enough of what a provider said.
func line(text string) string { return excerpt.Of(text, 300) }

package wire_test

import (
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/judge/wire/address"
)

// TestModeration: an endpoint's categories are verdicts, and what is none of its
// replies is a fault.
func TestModeration(t *testing.T) {
	m := wire.Model{Name: "m", Key: "k"}
	at, err := address.Resolve(wire.Moderation, m)
	if err != nil || at.URL != "https://api.openai.com/v1/moderations" || at.Header["Authorization"] != "Bearer k" {
		t.Errorf("%+v %v", at, err)
	}
	if body, err := wire.Moderation.Encode(m, judge.Question{User: "some <text>"}); err != nil || string(body) != `{"input":"some <text>","model":"m"}` {
		t.Errorf("%s %v", body, err)
	}
	for _, c := range []struct {
		status int
		body   string
		want   string
	}{
		{200, `{"model":"m","results":[{"categories":{"violence":true,"hate":false,"illicit":null},"category_scores":{"hate":0.00012}}]}`,
			`{"checks":[{"id":"hate","satisfied":true,"reasoning":"not found by m, 0.00012 of 1"},{"id":"violence","satisfied":false,"reasoning":"found by m"}]}`},
		{200, `{"results":[{"categories":{}}]}`, "broken"},
		{200, `{"results":[]}`, "broken"},
		{200, `{`, "broken"},
		{401, `{"error":{"message":"no"}}`, "denied"},
	} {
		a, err := wire.Moderation.Decode(wire.Reply{Status: c.status, Body: c.body})
		got := a.Text
		if fault, ok := err.(*wire.Fault); ok {
			got = string(fault.Kind)
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}

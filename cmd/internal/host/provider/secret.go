package provider

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge/wire"
)

// hidden is what stands in the place of a key.
const hidden = "[key]"

// open are headers, and parameters of addresses, that are no keys. An answer may well be
// about what they say: a site that is named to a router, or a day that is a version.
var open = []string{"http-referer", "referer", "origin", "x-title", "user-agent", "accept", "anthropic-version", "anthropic-beta", "openai-beta", "api-version"}

// schemes are what may stand before a key in a header, and is no part of it.
var schemes = []string{"bearer", "basic", "token"}

// secrets hides what a model's definition keeps secret in what is said of it:
// providers quote keys in errors, and anything may be quoted in an answer.
func secrets(m wire.Model) *strings.Replacer {
	kept := []string{m.Key}
	for name, value := range m.Headers {
		if !slices.Contains(open, strings.ToLower(name)) {
			kept = append(kept, value)
			if scheme, key, _ := strings.Cut(value, " "); slices.Contains(schemes, strings.ToLower(scheme)) {
				kept = append(kept, key)
			}
		}
	}
	if at, err := url.Parse(m.Base); err == nil {
		password, _ := at.User.Password()
		kept = append(kept, at.User.Username(), password)
		for name, values := range at.Query() {
			if !slices.Contains(open, strings.ToLower(name)) {
				kept = append(kept, values...)
			}
		}
	}
	return Hiding(kept)
}

// Hiding hides secrets in what is said: as they are, as JSON quotes them, and as they
// stand in a URL.
func Hiding(secrets []string) *strings.Replacer {
	longest := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, secret := range longest { // first: of one that begins like another the rest would stay
		if len(secret) < 8 { // `none` and the like, which hide nothing and stand everywhere
			continue
		}
		quoted, _ := json.Marshal(secret)
		// Most are alike in all forms: a text without that is then given back uncopied.
		for _, form := range slices.Compact([]string{secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret)}) {
			pairs = append(pairs, form, hidden)
		}
	}
	return strings.NewReplacer(pairs...)
}

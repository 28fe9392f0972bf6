package provider

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge/wire"
)

// redactedKey is what stands in the place of a key.
const redactedKey = "[key]"

// publicNames are headers, and parameters of addresses, that are no keys. An answer may well be
// about what they say: a site that is named to a router, or a day that is a version.
var publicNames = []string{"http-referer", "referer", "origin", "x-title", "user-agent", "accept", "anthropic-version", "anthropic-beta", "openai-beta", "api-version"}

// authSchemes are what may stand before a key in a header, and is no part of it.
var authSchemes = []string{"bearer", "basic", "token"}

// modelRedactor hides what a model's definition keeps secret in what is said of it:
// providers quote keys in errors, and anything may be quoted in an answer.
func modelRedactor(m wire.Model) *strings.Replacer {
	found := []string{m.Key}
	for name, value := range m.Headers {
		if !slices.Contains(publicNames, strings.ToLower(name)) {
			found = append(found, value)
			if scheme, key, _ := strings.Cut(value, " "); slices.Contains(authSchemes, strings.ToLower(scheme)) {
				found = append(found, key)
			}
		}
	}
	if at, err := url.Parse(m.Base); err == nil {
		password, _ := at.User.Password()
		found = append(found, at.User.Username(), password)
		for name, values := range at.Query() {
			if !slices.Contains(publicNames, strings.ToLower(name)) {
				found = append(found, values...)
			}
		}
	}
	return NewRedactor(found)
}

// NewRedactor hides secrets in what is said: as they are, as JSON quotes them, and as they
// stand in a URL.
func NewRedactor(secrets []string) *strings.Replacer {
	longest := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, secret := range longest { // first: of one that begins like another the rest would stay
		if len(secret) < 8 { // `none` and the like, which hide nothing and stand everywhere
			continue
		}
		quoted, _ := json.Marshal(secret)
		// Most are alike in all forms: a text without that is then given back uncopied.
		for _, form := range slices.Compact([]string{secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret)}) {
			pairs = append(pairs, form, redactedKey)
		}
	}
	return strings.NewReplacer(pairs...)
}

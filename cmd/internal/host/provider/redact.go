package provider

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	wire "github.com/rubric-ls/rubric/core/judge/provider"
)

const redactedKey = "[key]"

// publicNames are headers and URL parameters that are not secret. Answers may contain their
// values, such as a site's name or a date that is a version.
var publicNames = []string{"http-referer", "referer", "origin", "x-title", "user-agent", "accept", "anthropic-version", "anthropic-beta", "openai-beta", "api-version"}

// authSchemes may precede a key in a header, and are not part of it.
var authSchemes = []string{"bearer", "basic", "token"}

// modelRedactor redacts the secrets of a model's definition: providers quote keys in errors, and
// an answer may quote anything.
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

// NewRedactor redacts secrets in texts: as they are, as JSON escapes them, and as URLs escape
// them.
func NewRedactor(secrets []string) *strings.Replacer {
	longest := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, secret := range longest { // longest first, in case one secret is the prefix of another
		if len(secret) < 8 { // `none` and the like are not secret and occur everywhere
			continue
		}
		quoted, _ := json.Marshal(secret)
		// Most secrets look the same in all forms; with one pair, Replace returns a text without it uncopied.
		for _, form := range slices.Compact([]string{secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret)}) {
			pairs = append(pairs, form, redactedKey)
		}
	}
	return strings.NewReplacer(pairs...)
}

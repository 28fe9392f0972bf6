// Package address computes where a model is asked: the whole URL, and the headers. It is separate
// from package provider because it needs net/url, which a page has already and would otherwise load
// again with the evaluator.
package address

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/rubric-ls/rubric/core/judge/provider"
)

// Address is the URL to POST questions to, with headers. It holds the key and must never be
// shown.
type Address struct {
	URL    string
	Header map[string]string
}

// Resolve returns the address of a provider's model.
func Resolve(p provider.Provider, m provider.Model) (Address, error) {
	base := cmp.Or(m.Base, p.BaseURL)
	target, err := url.Parse(strings.TrimRight(base, "/"))
	switch {
	case base == "":
		return Address{}, fmt.Errorf("`%s` has no address; set %s", p.Name, strings.Join(p.BaseVars, " or "))
	case err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https":
		return Address{}, errors.New("its address is not an http or https URL") // which may hold a key
	case m.Name == "":
		return Address{}, fmt.Errorf("name a model of `%s`", p.Name)
	}
	path, header := p.Endpoint(m)
	path, query, _ := strings.Cut(path, "?")
	basePath := strings.TrimRight(target.EscapedPath(), "/")
	if providerURL, err := url.Parse(p.BaseURL); err == nil && p.Keyless && basePath == "" {
		target = target.JoinPath(providerURL.Path) // the user's own server is often given by its host alone
	}
	target = target.JoinPath(remainingPath(basePath, path))
	if name, _, _ := strings.Cut(query, "="); query != "" && !target.Query().Has(name) {
		target.RawQuery = strings.TrimLeft(target.RawQuery+"&"+query, "&")
	}
	headers := map[string]string{"Content-Type": "application/json"}
	for _, extra := range []map[string]string{header, m.Headers} {
		for name, value := range extra {
			if value != "" {
				maps.DeleteFunc(headers, func(other, _ string) bool { return strings.EqualFold(other, name) })
				headers[name] = value
			}
		}
	}
	return Address{target.String(), headers}, nil
}

// remainingPath returns the part of path that does not end base yet: people copy addresses with
// some or all of the API path.
func remainingPath(base, path string) string {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '/') {
		if strings.HasSuffix(base, "/"+path[:end]) {
			return path[end:]
		}
	}
	return path
}

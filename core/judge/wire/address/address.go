package address

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/rubric-ls/rubric/core/judge/wire"
)

// Address is where to POST questions. It holds the key: it is never to be shown.
type Address struct {
	URL    string
	Header map[string]string
}

// Resolve is where a provider's model is asked.
func Resolve(p wire.Provider, m wire.Model) (Address, error) {
	base := m.Base
	if base == "" {
		base = p.BaseURL
	}
	target, err := url.Parse(strings.TrimRight(base, "/"))
	switch {
	case base == "":
		return Address{}, fmt.Errorf("it is not said where `%s` is; set %s", p.Name, strings.Join(p.BaseVars, " or "))
	case err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https":
		return Address{}, errors.New("its address is no http or https URL") // which may hold a key
	case m.Name == "":
		return Address{}, fmt.Errorf("name a model of `%s`", p.Name)
	}
	path, header := p.Endpoint(m)
	path, query, _ := strings.Cut(path, "?")
	basePath := strings.TrimRight(target.EscapedPath(), "/")
	if providerURL, err := url.Parse(p.BaseURL); err == nil && p.Keyless && basePath == "" {
		target = target.JoinPath(providerURL.Path) // of a server of one's own, which is called by its host
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

// remainingPath is what a path goes on with where a base ends: people copy addresses with some
// of it or all.
func remainingPath(base, path string) string {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '/') {
		if strings.HasSuffix(base, "/"+path[:end]) {
			return path[end:]
		}
	}
	return path
}

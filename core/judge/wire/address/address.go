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

// Of is where a provider's model is asked.
func Of(p wire.Provider, m wire.Model) (Address, error) {
	base := m.Base
	if base == "" {
		base = p.Base
	}
	at, err := url.Parse(strings.TrimRight(base, "/"))
	switch {
	case base == "":
		return Address{}, fmt.Errorf("it is not said where `%s` is; set %s", p.Name, strings.Join(p.BaseVars, " or "))
	case err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https":
		return Address{}, errors.New("its address is no http or https URL") // which may hold a key
	case m.Name == "":
		return Address{}, fmt.Errorf("name a model of `%s`", p.Name)
	}
	path, header := p.Place(m)
	path, query, _ := strings.Cut(path, "?")
	on := strings.TrimRight(at.EscapedPath(), "/")
	if own, err := url.Parse(p.Base); err == nil && p.Keyless && on == "" {
		at = at.JoinPath(own.Path) // of a server of one's own, which is called by its host
	}
	at = at.JoinPath(beyond(on, path))
	if name, _, _ := strings.Cut(query, "="); query != "" && !at.Query().Has(name) {
		at.RawQuery = strings.TrimLeft(at.RawQuery+"&"+query, "&")
	}
	all := map[string]string{"Content-Type": "application/json"}
	for _, more := range []map[string]string{header, m.Headers} {
		for name, value := range more {
			if value != "" {
				maps.DeleteFunc(all, func(other, _ string) bool { return strings.EqualFold(other, name) })
				all[name] = value
			}
		}
	}
	return Address{at.String(), all}, nil
}

// beyond is what a path goes on with where a base ends: people copy addresses with some
// of it or all.
func beyond(base, path string) string {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '/') {
		if strings.HasSuffix(base, "/"+path[:end]) {
			return path[end:]
		}
	}
	return path
}

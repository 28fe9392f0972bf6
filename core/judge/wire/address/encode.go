package address

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
)

// Request is what to send. It holds the key: it is never to be shown.
type Request struct {
	Method string
	URL    string
	Header map[string]string
	Body   []byte // JSON
}

// Encode is the request that puts q to a provider's model. Without a schema in q any
// text is asked for.
func Encode(p wire.Provider, m wire.Model, q judge.Question) (Request, error) {
	base := m.Base
	if base == "" {
		base = p.Base
	}
	at, err := url.Parse(strings.TrimRight(base, "/"))
	switch {
	case base == "":
		return Request{}, fmt.Errorf("it is not said where `%s` is; set %s", p.Name, strings.Join(p.BaseVars, " or "))
	case err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https":
		return Request{}, errors.New("its address is no http or https URL") // which may hold a key
	case m.Name == "":
		return Request{}, fmt.Errorf("name a model of `%s`", p.Name)
	}
	path, header, body, err := p.Compose(m, q)
	if err != nil {
		return Request{}, err
	}
	path, query, _ := strings.Cut(path, "?")
	at = at.JoinPath(path)
	if query != "" {
		at.RawQuery = strings.TrimLeft(at.RawQuery+"&"+query, "&")
	}
	req := Request{Method: "POST", URL: at.String(), Header: map[string]string{"Content-Type": "application/json"}, Body: body}
	for _, more := range []map[string]string{header, m.Headers} {
		for name, value := range more {
			if value != "" {
				maps.DeleteFunc(req.Header, func(other, _ string) bool { return strings.EqualFold(other, name) })
				req.Header[name] = value
			}
		}
	}
	return req, nil
}

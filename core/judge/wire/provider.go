package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/judge"
)

// Provider is one kind of server that models are asked at.
type Provider struct {
	Name     string   // as in `--judge openai:MODEL`
	Base     string   // where it is unless something else is said; "" if that has to be
	BaseVars []string // the environment variables that customarily say where it is
	KeyVars  []string // and those that hold its key; the first that is set counts
	Keyless  bool     // it may be asked without a key

	encode func(Model, judge.Question) (path string, header map[string]string, body any)
	decode func(Reply) (judge.Answer, error)
}

// Providers are those that are built in, by rank of their names in messages.
func Providers() []Provider {
	return []Provider{OpenAI, Responses, Azure, OpenRouter, VLLM, LMStudio, Anthropic, Gemini, Ollama}
}

// Find is the provider with a name.
func Find(name string) (Provider, bool) {
	all := Providers()
	if i := slices.IndexFunc(all, func(p Provider) bool { return p.Name == name }); i >= 0 {
		return all[i], true
	}
	return Provider{}, false
}

// Model is whom to ask at a provider, and how.
type Model struct {
	Name        string
	Base        string            // a URL; "" for the provider's own
	Key         string            // "" for none
	Headers     map[string]string // besides the provider's own, or in their place
	Version     string            // of Azure's interface; "" for the one that has no versions
	Temperature *float64          // nil: 0
	Seed        int64             // of the first sample; the others count on from it
	MaxTokens   int               // that the reply may have; 0: the provider decides
	Thinking    int               // tokens that the model may think with; 0: not said
	Without     []Feature         // what this model is known not to take
}

// lacks reports whether the model is to be asked without f.
func (m Model) lacks(f Feature) bool { return slices.Contains(m.Without, f) }

// temperature is nil when none is to be sent.
func (m Model) temperature() *float64 {
	switch {
	case m.lacks(Temperature):
		return nil
	case m.Temperature == nil:
		return new(float64)
	}
	return m.Temperature
}

// seed is nil when none is to be sent.
func (m Model) seed(q judge.Question) *int64 {
	if m.lacks(Seed) {
		return nil
	}
	seed := m.Seed + int64(q.Sample)
	return &seed
}

// schema is nil when the form of the reply is to be said in words.
func (m Model) schema(q judge.Question, drop ...string) any {
	if m.lacks(Schema) || len(q.Schema) == 0 {
		return nil
	}
	return portable(q.Schema, drop)
}

// system is what the model is told to be. A model without structured replies is
// told the form of its reply in words.
func (m Model) system(q judge.Question) string {
	if !m.lacks(Schema) || len(q.Schema) == 0 {
		return q.System
	}
	return q.System + "\n\nThe reply is one JSON object, valid for this JSON Schema:\n" + string(q.Schema)
}

// Request is what to send. It holds the key: it is never to be shown.
type Request struct {
	Method string
	URL    string
	Header map[string]string
	Body   []byte // JSON
}

// Reply is what came back, whole.
type Reply struct {
	Status int
	Header map[string][]string
	Body   []byte
}

// Encode is the request that puts q to m. Without a schema in q any text is
// asked for.
func (p Provider) Encode(m Model, q judge.Question) (Request, error) {
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

// Compose is what [Provider.Encode] sends, for hosts that have the model's address and
// its key themselves: the path below the address, the provider's own headers, and the
// body.
func (p Provider) Compose(m Model, q judge.Question) (path string, header map[string]string, body []byte, err error) {
	path, header, content := p.encode(m, q)
	body, err = encodeJSON(content)
	return path, header, body, err
}

// Decode is the answer that a reply holds. The error is a [*Fault]; the answer
// that comes with one says what it took, if that is known.
func (p Provider) Decode(r Reply) (judge.Answer, error) {
	if r.Status < 200 || r.Status > 299 {
		return judge.Answer{}, failed(r)
	}
	a, err := p.decode(r)
	if err == nil && strings.TrimSpace(a.Text) == "" {
		err = &Fault{Kind: Broken, Message: "it has no text"}
	}
	return a, err
}

func encodeJSON(body any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // prompts are to be read as they are
	if err := encoder.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// decodeJSON reads a reply in a provider's own form.
func decodeJSON[T any](r Reply) (reply T, err error) {
	if bad := json.Unmarshal(r.Body, &reply); bad != nil {
		return reply, &Fault{Kind: Broken, Message: bad.Error()}
	}
	return reply, nil
}

// bearer is how most providers are shown a key.
func bearer(key string) map[string]string {
	if key == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + key}
}

package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/judge"
)

// Provider is one kind of server that models are asked at.
type Provider struct {
	Name     string   // as in `--judge openai:MODEL`
	BaseURL  string   // where it is unless something else is said; "" if that has to be
	BaseVars []string // the environment variables that customarily say where it is
	KeyVars  []string // and those that hold its key; the first that is set counts
	Keyless  bool     // it may be asked without a key

	endpoint func(Model) (path string, header map[string]string)
	encode   func(Model, judge.Question) any
	decode   func(Reply) (judge.Answer, error)
}

// Providers are those that are built in, by rank of their names in messages.
func Providers() []Provider {
	return []Provider{OpenAI, Responses, Azure, OpenRouter, VLLM, LMStudio, Anthropic, Gemini, Ollama}
}

// FindProvider is the provider with a name.
func FindProvider(name string) (Provider, bool) {
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
	Thinking    int               // tokens that the model may think with; 0: not said, below 0: none
	Without     []Feature         // what this model is known not to take
}

// omits reports whether the model is to be asked without f.
func (m Model) omits(f Feature) bool { return slices.Contains(m.Without, f) }

// temperature is nil when none is to be sent.
func (m Model) temperature() *float64 {
	switch {
	case m.omits(Temperature):
		return nil
	case m.Temperature == nil:
		return new(float64)
	}
	return m.Temperature
}

// seed is nil when none is to be sent.
func (m Model) seed(q judge.Question) *int64 {
	if m.omits(Seed) {
		return nil
	}
	seed := m.Seed + int64(q.Sample)
	return &seed
}

// schema is nil when the form of the reply is to be said in words.
func (m Model) schema(q judge.Question) json.RawMessage {
	if m.omits(Schema) {
		return nil
	}
	return portableSchema(q.Schema)
}

// system is what the model is told to be. A model without structured replies is
// told the form of its reply in words.
func (m Model) system(q judge.Question) string {
	if !m.omits(Schema) || len(q.Schema) == 0 {
		return q.System
	}
	return q.System + "\n\nThe reply is one JSON object, valid for this JSON Schema:\n" + string(q.Schema)
}

// Reply is what came back, whole.
type Reply struct {
	Status int
	Header map[string][]string
	Body   string
}

// Endpoint is where m is asked: the path below its address, and the provider's own
// headers, with the key.
func (p Provider) Endpoint(m Model) (path string, header map[string]string) { return p.endpoint(m) }

// Encode is what puts q to m, as JSON. Without a schema in q any text is asked for.
func (p Provider) Encode(m Model, q judge.Question) ([]byte, error) {
	return encodeJSON(p.encode(m, q))
}

// percentEncode is a text as one segment of a path, or as a value of a query.
func percentEncode(text string) string {
	var out strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}

// Decode is the answer that a reply holds. The error is a [*Fault]; the answer
// that comes with one says what it took, if that is known.
func (p Provider) Decode(r Reply) (judge.Answer, error) {
	if r.Status < 200 || r.Status > 299 {
		return judge.Answer{}, statusFault(r)
	}
	a, err := p.decode(r)
	if err == nil && strings.TrimSpace(a.Text) == "" {
		err = &Fault{Kind: Malformed, Message: "it has no text"}
	}
	return a, err
}

func encodeJSON(body any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // prompts stay readable
	if err := e.Encode(body); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decodeJSON reads a reply in a provider's own form.
func decodeJSON[T any](r Reply) (reply T, err error) {
	if strings.TrimSpace(r.Body) == "" {
		return reply, &Fault{Kind: Malformed, Message: "it is empty"}
	}
	if json.Unmarshal([]byte(r.Body), &reply) != nil {
		problem := "is no whole JSON"
		if json.Valid([]byte(r.Body)) {
			problem = "is other JSON"
		}
		return reply, &Fault{Kind: Malformed, Message: "it " + problem + " and begins with `" + excerpt.Shorten(r.Body, 60) + "`"}
	}
	return reply, nil
}

// describeValue says that a key of a reply is not there, or that it is something else than a
// finished reply has.
func describeValue(key, value string) string {
	if value == "" {
		return "it has no `" + key + "`"
	}
	return "its `" + key + "` is `" + shorten(value) + "`"
}

// bearerHeader is how most providers are shown a key.
func bearerHeader(key string) map[string]string {
	if key == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + key}
}

// Package provider holds the wire formats of model providers: it encodes questions as requests and
// decodes replies. Each provider is a value in its own file, which registers it, with golden files in testdata.
//
// Everything here is a pure function of its arguments. The host sends the requests and decides
// over which connection and how often: the command line uses Go's client, a page uses fetch.
//
// If a reply holds no answer, the error is a [Fault]. Its kind tells a refusal from a truncated
// reply, and temporary faults from permanent ones. Whether an answer is any good is not decided
// here.
package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

// Provider is one kind of model server.
type Provider struct {
	Name     string   // as in `--judge openai:MODEL`
	BaseURL  string   // default address; "" if it must be configured
	BaseVars []string // environment variables that customarily hold the address
	KeyVars  []string // environment variables that hold the key; the first that is set counts
	Keyless  bool     // requests without a key are allowed

	// Endpoint returns the path below a model's address, and the provider's own headers with the key.
	Endpoint func(Model) (path string, header map[string]string)

	position int // see register

	encode func(Model, judge.Question) any
	decode func(Response) (judge.Answer, error)
}

// registered are the built-in providers, in the order in which messages name them.
var registered []Provider

// register adds a provider, and returns it. position is its place in messages, from 1; a new provider
// comes last.
func register(position int, p Provider) Provider {
	p.position = position
	registered = append(registered, p)
	generic.SortStable(registered, func(a, b Provider) int { return cmp.Compare(a.position, b.position) })
	return p
}

// Providers returns the built-in providers, in the order in which messages name them.
func Providers() []Provider { return slices.Clone(registered) }

// FindProvider returns the provider with a name.
func FindProvider(name string) (Provider, bool) {
	if i := slices.IndexFunc(registered, func(p Provider) bool { return p.Name == name }); i >= 0 {
		return registered[i], true
	}
	return Provider{}, false
}

// Names returns the names of all providers.
func Names() []string { return generic.Map(registered, func(p Provider) string { return p.Name }) }

// JudgeKinds are what may come before the colon in the name of a judge.
func JudgeKinds() []string { return append([]string{"cli", "replay"}, Names()...) }

// JudgeNames describes the names that judges have, for messages.
func JudgeNames() string {
	return "`offline`, `cli:COMMAND`, `replay:FILE`, PROVIDER:MODEL with one of " + diag.JoinList(diag.Backtick(Names()), "and") + ", or the name of a target in targets.yaml"
}

// CheckJudge returns an error if what comes before a colon in the name of a judge is none of [JudgeKinds], or if
// nothing comes after it.
func CheckJudge(name string) error {
	kind, rest, cut := strings.Cut(name, ":")
	switch isKind := slices.Contains(JudgeKinds(), kind); {
	case cut && !isKind:
		return fmt.Errorf("there is no judge `%s`%s", name, spell.DidYouMeanOr(kind, JudgeKinds(), "it is "+JudgeNames()))
	case cut && strings.TrimSpace(rest) == "":
		what := cmp.Or(map[string]string{"cli": "command", "replay": "file"}[kind], "model")
		return fmt.Errorf("it names no %s, as in `%s:%s`", what, kind, strings.ToUpper(what))
	}
	return nil
}

// CheckPriced returns an error if a name in a table of prices is not PROVIDER:MODEL.
func CheckPriced(name string) error {
	provider, _, cut := strings.Cut(name, ":")
	if _, found := FindProvider(provider); found && cut {
		return nil
	} else if !cut {
		return fmt.Errorf("the price of `%s` does not name PROVIDER:MODEL, such as `openai:gpt-4.1`", name)
	}
	return fmt.Errorf("the price of `%s`: there is no provider `%s`%s", name, provider, spell.DidYouMeanOr(provider, Names(), "there are "+diag.JoinList(diag.Backtick(Names()), "and")))
}

// Model is a model at a provider, with its settings. Hosts hash its JSON as a cache key, so its
// fields keep their names.
type Model struct {
	Name        string
	Base        string            // address; "" for the provider's own
	Key         string            // "" for none
	Headers     map[string]string // in addition to the provider's own, or in place of them
	Version     string            // of Azure's API; "" for the API without versions
	Temperature *float64          // nil: 0
	Seed        int64             // of the first sample; later samples count up from it
	MaxTokens   int               // of the reply; 0 leaves it to the provider
	Thinking    int               // tokens for thinking; 0 means not set, below 0 none
	Without     []Feature         // features that the model is known not to support
}

func (m Model) omits(f Feature) bool { return slices.Contains(m.Without, f) }

func (m Model) temperature() *float64 {
	switch {
	case m.omits(Temperature):
		return nil
	case m.Temperature == nil:
		return new(float64)
	}
	return m.Temperature
}

func (m Model) seed(q judge.Question) *int64 {
	if m.omits(Seed) {
		return nil
	}
	return new(m.Seed + int64(q.Sample))
}

// schema returns the schema to send, or nil if the system prompt describes the reply instead.
func (m Model) schema(q judge.Question) json.RawMessage {
	if m.omits(Schema) {
		return nil
	}
	return portableSchema(q.Schema)
}

// system returns the system prompt. Without structured replies it includes the schema.
func (m Model) system(q judge.Question) string {
	if !m.omits(Schema) || len(q.Schema) == 0 {
		return q.System
	}
	return q.System + "\n\nThe reply is one JSON object, valid for this JSON Schema:\n" + string(q.Schema)
}

// Response is a whole HTTP reply.
type Response struct {
	Status int
	Header map[string][]string
	Body   string
}

// Encode encodes q as the JSON of a request. If q has no schema, any text may be the reply.
func (p Provider) Encode(m Model, q judge.Question) ([]byte, error) {
	return text.JSON(p.encode(m, q))
}

// percentEncode encodes text as one segment of a path, or as a value in a query.
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

// Decode returns the answer in a reply. The error is a [*Fault]. The answer beside an error has
// its usage, if that is known.
func (p Provider) Decode(r Response) (judge.Answer, error) {
	if r.Status < 200 || r.Status > 299 {
		return judge.Answer{}, StatusFault(r)
	}
	a, err := p.decode(r)
	if err == nil && strings.TrimSpace(a.Text) == "" {
		err = &Fault{Kind: Malformed, Message: "it has no text"}
	}
	return a, err
}

// decodeJSON returns a function that decodes the JSON of a reply and returns the answer in it.
func decodeJSON[T any](answer func(T, Response) (judge.Answer, error)) func(Response) (judge.Answer, error) {
	return func(r Response) (judge.Answer, error) {
		var reply T
		problem := "is not complete JSON"
		switch {
		case strings.TrimSpace(r.Body) == "":
			return judge.Answer{}, &Fault{Kind: Malformed, Message: "it is empty"}
		case json.Unmarshal([]byte(r.Body), &reply) == nil:
			return answer(reply, r)
		case json.Valid([]byte(r.Body)):
			problem = "is unexpected JSON"
		}
		return judge.Answer{}, &Fault{Kind: Malformed, Message: "it " + problem + " and begins with `" + excerpt.Shorten(r.Body, 60) + "`"}
	}
}

func describeValue(key, value string) string {
	if value == "" {
		return "it has no `" + key + "`"
	}
	return "its `" + key + "` is `" + shorten(value) + "`"
}

// bearerHeader returns the header in which most providers expect the key.
func bearerHeader(key string) map[string]string {
	if key == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + key}
}

// portableSchema adds `"type":"string"` to enums, which some providers require. The replacement
// cannot hit a string of the schema, because quotes in strings are escaped.
func portableSchema(schema json.RawMessage) json.RawMessage {
	return bytes.ReplaceAll(schema, []byte(`"enum":["`), []byte(`"type":"string","enum":["`))
}

// withoutKeywords returns one of our schemas without some keywords, for a provider that does not
// support them. It leaves invalid JSON as it is; the provider reports it.
func withoutKeywords(schema json.RawMessage, keywords ...string) json.RawMessage {
	var tree any
	if json.Unmarshal(schema, &tree) != nil {
		return schema
	}
	dropKeywords(tree, keywords)
	made, err := text.JSON(tree)
	if err != nil {
		return schema
	}
	return made
}

func dropKeywords(schema any, keywords []string) {
	switch s := schema.(type) {
	case []any:
		for _, inner := range s {
			dropKeywords(inner, keywords)
		}
	case map[string]any:
		for _, keyword := range keywords {
			delete(s, keyword)
		}
		dropKeywords(s["items"], keywords)
		dropKeywords(s["anyOf"], keywords)
		if properties, ok := s["properties"].(map[string]any); ok { // its keys are names, not keywords
			for _, inner := range properties {
				dropKeywords(inner, keywords)
			}
		}
	}
}

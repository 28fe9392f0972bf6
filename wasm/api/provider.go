package api

import (
	"encoding/json"
	"errors"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/provider"
)

// Provider is an API for models. Base is its default address.
type Provider struct {
	Name    string `json:"name"`
	Base    string `json:"base"`
	Keyless bool   `json:"keyless"` // works without an API key
}

// pageProviders are the providers that a web page can ask: OpenAI-compatible servers, and Ollama on
// the user's machine.
func pageProviders() []provider.Provider {
	return []provider.Provider{provider.OpenAI, provider.Ollama}
}

func providers(struct{}) ([]Provider, error) {
	var all []Provider
	for _, p := range pageProviders() {
		all = append(all, Provider{p.Name, p.BaseURL, p.Keyless})
	}
	return all, nil
}

// requestParams are a question and the model to ask. Without lists the features that the model is
// known not to support.
type requestParams struct {
	Provider string             `json:"provider"`
	Model    string             `json:"model"`
	System   string             `json:"system"`
	User     string             `json:"user"`
	Schema   json.RawMessage    `json:"schema,omitempty"`
	Sample   int                `json:"sample,omitempty"`
	Without  []provider.Feature `json:"without,omitempty"`
}

// WireRequest is the path, below the model's address, and the JSON body to POST. It contains no
// key; the host adds it.
type WireRequest struct {
	Path string `json:"path"`
	Body string `json:"body"`
}

func composeRequest(p requestParams) (WireRequest, error) {
	server, err := findProvider(p.Provider)
	if err != nil {
		return WireRequest{}, err
	}
	q := judge.Question{System: p.System, User: p.User, Sample: p.Sample}
	if string(p.Schema) != "null" {
		q.Schema = p.Schema
	}
	m := provider.Model{Name: p.Model, Without: p.Without}
	path, _ := server.Endpoint(m)
	body, err := server.Encode(m, q)
	if err != nil {
		return WireRequest{}, failf(Refused, "%s", err)
	}
	return WireRequest{path, string(body)}, nil
}

// responseParams are the HTTP response. Headers are those that the host can read.
type responseParams struct {
	Provider string            `json:"provider"`
	Status   int               `json:"status"`
	Headers  map[string]string `json:"headers,omitempty"`
	Body     string            `json:"body"`
}

// WireResponse is the answer in a response, or the fault if it has none.
type WireResponse struct {
	Text  string      `json:"text"`
	Model string      `json:"model"`
	Usage judge.Usage `json:"usage"`
	Fault *WireFault  `json:"fault,omitempty"`
}

// WireFault is why there is no answer, in one sentence, with what can be done.
type WireFault struct {
	Message     string           `json:"message"`
	Unreachable bool             `json:"unreachable"`       // the provider as a whole did not answer, not only this question
	IsTransient bool             `json:"passing"`           // the same request may succeed later
	RetryAfter  float64          `json:"after"`             // seconds that the provider asks to wait; 0 if it does not say
	Feature     provider.Feature `json:"feature,omitempty"` // a feature that the model does not support; the request can be repeated without it
}

func decodeResponse(p responseParams) (WireResponse, error) {
	server, err := findProvider(p.Provider)
	if err != nil {
		return WireResponse{}, err
	}
	header := map[string][]string{}
	for name, value := range p.Headers {
		header[name] = []string{value}
	}
	a, err := server.Decode(provider.Response{Status: p.Status, Header: header, Body: p.Body})
	r := WireResponse{Text: a.Text, Model: a.Model, Usage: a.Usage}
	var fault *provider.Fault
	switch {
	case errors.As(err, &fault):
		r.Fault = &WireFault{fault.Error(), errors.Is(fault, judge.ErrUnreachable), fault.IsTemporary(), fault.RetryAfter.Seconds(), fault.Feature}
	case err != nil:
		return WireResponse{}, failf(Refused, "%s", err)
	}
	return r, nil
}

func findProvider(name string) (provider.Provider, error) {
	var names []string
	for _, p := range pageProviders() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return provider.Provider{}, unknownName("provider", "provider", name, names, listNames(names))
}

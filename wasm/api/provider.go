package api

import (
	"encoding/json"
	"errors"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/wire"
)

// Provider is one kind of server that models are asked at. Base is where it is
// unless another address is given.
type Provider struct {
	Name    string `json:"name"`
	Base    string `json:"base"`
	Keyless bool   `json:"keyless"` // it may be asked without a key
}

// pageProviders are the providers that pages can ask: that of every server which imitates
// it, and that on the person's own machine.
func pageProviders() []wire.Provider { return []wire.Provider{wire.OpenAI, wire.Ollama} }

func providers(struct{}) ([]Provider, error) {
	var all []Provider
	for _, p := range pageProviders() {
		all = append(all, Provider{p.Name, p.BaseURL, p.Keyless})
	}
	return all, nil
}

// requestParams are a question, and the model that it is put to. Without are the
// features that the model is known not to take.
type requestParams struct {
	Provider string          `json:"provider"`
	Model    string          `json:"model"`
	System   string          `json:"system"`
	User     string          `json:"user"`
	Schema   json.RawMessage `json:"schema,omitempty"`
	Sample   int             `json:"sample,omitempty"`
	Without  []wire.Feature  `json:"without,omitempty"`
}

// WireRequest is what to POST to a path below the model's address, as JSON. It holds
// no key: whoever has one adds it.
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
	m := wire.Model{Name: p.Model, Without: p.Without}
	path, _ := server.Endpoint(m)
	body, err := server.Encode(m, q)
	if err != nil {
		return WireRequest{}, failf(Refused, "%s", err)
	}
	return WireRequest{path, string(body)}, nil
}

// responseParams are what came back. Headers are those that the host is shown.
type responseParams struct {
	Provider string            `json:"provider"`
	Status   int               `json:"status"`
	Headers  map[string]string `json:"headers,omitempty"`
	Body     string            `json:"body"`
}

// WireResponse is the answer in what came back, and if there is none the fault.
type WireResponse struct {
	Text  string      `json:"text"`
	Model string      `json:"model"`
	Usage judge.Usage `json:"usage"`
	Fault *WireFault  `json:"fault,omitempty"`
}

// WireFault is why there is no answer, in one sentence, and what can be done.
type WireFault struct {
	Message     string       `json:"message"`
	Unreachable bool         `json:"unreachable"`       // it is not this one question that got no answer
	IsTransient bool         `json:"passing"`           // the same request may well be answered later
	RetryAfter  float64      `json:"after"`             // for how long the provider asks to wait, in seconds; 0: it does not say
	Feature     wire.Feature `json:"feature,omitempty"` // what the model does not take; the request can be made without
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
	a, err := server.Decode(wire.Reply{Status: p.Status, Header: header, Body: p.Body})
	r := WireResponse{Text: a.Text, Model: a.Model, Usage: a.Usage}
	var fault *wire.Fault
	switch {
	case errors.As(err, &fault):
		r.Fault = &WireFault{fault.Error(), errors.Is(fault, judge.ErrUnreachable), fault.IsTemporary(), fault.RetryAfter.Seconds(), fault.Feature}
	case err != nil:
		return WireResponse{}, failf(Refused, "%s", err)
	}
	return r, nil
}

func findProvider(name string) (wire.Provider, error) {
	var names []string
	for _, p := range pageProviders() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return wire.Provider{}, unknownName("provider", "provider", name, names, listNames(names))
}

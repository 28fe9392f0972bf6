package provider_test

import (
	"testing"
	"time"

	"github.com/rubric-ls/rubric/cmd/internal/host/provider"
	"github.com/rubric-ls/rubric/core/judge/wire"
)

// TestIdentity: what an answer depends on makes another model, and nothing else
// does.
func TestIdentity(t *testing.T) {
	base := func() provider.Model { return model(wire.OpenAI, "") }
	same := map[string]func(*provider.Model){
		"key": func(m *provider.Model) { m.Key = "other" }, "patience": func(m *provider.Model) { m.Retry.Retries = 9 },
		"timeout": func(m *provider.Model) { m.Timeout = time.Hour }, "limits": func(m *provider.Model) { m.Limits.Tokens = 9 },
		"the usual address": func(m *provider.Model) { m.Base = m.Provider.BaseURL },
	}
	for name, change := range same {
		if m := base(); m.Identity() != base().Identity() {
			t.Error("it is not the same twice")
		} else if change(&m); m.Identity() != base().Identity() {
			t.Errorf("%s makes another model", name)
		}
	}
	half := 0.5
	for name, change := range map[string]func(*provider.Model){
		"name": func(m *provider.Model) { m.Name = "n" }, "address": func(m *provider.Model) { m.Base = "http://x" },
		"provider": func(m *provider.Model) { m.Provider = wire.Responses }, "temperature": func(m *provider.Model) { m.Temperature = &half },
		"seed": func(m *provider.Model) { m.Seed = 1 }, "limit": func(m *provider.Model) { m.MaxTokens = 9 }, "thinking": func(m *provider.Model) { m.Thinking = 9 },
		"version": func(m *provider.Model) { m.Version = "v" }, "headers": func(m *provider.Model) { m.Headers = map[string]string{"a": "b"} },
	} {
		m := base()
		if change(&m); m.Identity() == base().Identity() {
			t.Errorf("%s does not make another model", name)
		}
	}
}

package host_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/core/judge/price"
)

func TestReadPrices(t *testing.T) {
	for body, want := range map[string]string{
		"openai:m: {input: 1, output: 2.5}\n":             "",
		"{\"openai:m\": {\"input\": 1, \"output\": 2.5}}": "",
		"x":                       "line 1: prices are a mapping",
		"ollama:b:\n  input: 1\n": "line 1: the price of `ollama:b` is not",
		"openai:x: 1":             "the price of `openai:x` is not",
		"openai:ok: {input: 1, output: 1}\nopenai:x: {input: -1, output: 1}": "line 2: the price of `openai:x`",
		"openai:x: {input: 1, output: 1, more: 1}":                           "the price of `openai:x`",
		"m: {input: 1, output: 1}":                                           "line 1: the price of `m` does not name PROVIDER:MODEL, such as `openai:gpt-4.1`",
		"opnai:m: {input: 1, output: 1}":                                     "there is no provider `opnai`; did you mean `openai`?",
	} {
		path := filepath.Join(t.TempDir(), "prices.yaml")
		hosttest.Put(t, path, body)
		table, err := host.ReadPrices(path)
		switch {
		case want == "" && (err != nil || table["openai:m"] != price.Rate{Input: 1, Output: 2.5}):
			t.Errorf("%q: %v, %v", body, table, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", body, err, want)
		}
	}
}

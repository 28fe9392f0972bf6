package rules_test

import (
	"slices"
	"testing"

	"github.com/rubric-ls/rubric/core/analysis"
)

// TestExposedSecret: keys for their own host, and local servers, are not reported.
func TestExposedSecret(t *testing.T) {
	const env = "api_key: '${{ OPENAI_API_KEY }}'"
	for settings, want := range map[string]string{
		"provider: openai, " + env: "",
		"provider: openai, base_url: https://eu.api.openai.com/v1, " + env:                                                                                                               "",
		"provider: openai, base_url: 'HTTPS://API.OpenAI.com:443/v1', " + env:                                                                                                            "",
		"provider: openai, base_url: http://localhost:4000/v1, " + env:                                                                                                                   "",
		"provider: openai, base_url: 'http://[::1]:4000/v1', " + env:                                                                                                                     "",
		"provider: openai, base_url: http://192.168.1.7:8000/v1, " + env:                                                                                                                 "",
		"provider: openai, base_url: http://vllm:8000/v1, api_key: '${{ VLLM_API_KEY }}'":                                                                                                "",
		"provider: openai, base_url: http://host.docker.internal:1234/v1, api_key: '${{ LOCAL_API_KEY }}'":                                                                               "",
		"provider: openai, base_url: https://openrouter.ai/api/v1, api_key: '${{ OPENROUTER_API_KEY }}'":                                                                                 "",
		"provider: openai, base_url: 'https://${{ OPENAI_HOST }}/v1', " + env:                                                                                                            "",
		"provider: openai, base_url: '${{ OPENAI_BASE_URL }}', " + env:                                                                                                                   "",
		"provider: azure, endpoint: https://mine.openai.azure.com, api_key: '${{ AZURE_OPENAI_API_KEY }}'":                                                                               "",
		"provider: azure, endpoint: https://mine.openai.azure.com, " + env:                                                                                                               "",
		"provider: azure, endpoint: https://gateway.example, api_key: '${{ AZURE_OPENAI_API_KEY }}'":                                                                                     "",
		"provider: azure, endpoint: mine, api_key: '${{ AZURE_OPENAI_API_KEY }}'":                                                                                                        "",
		"provider: openai, base_url: https://gateway.example/v1, api_key: '${{ GATEWAY_API_KEY }}', headers: { Helicone-Auth: 'Bearer ${{ HELICONE_API_KEY }}', X-Team: '${{ TEAM }}' }": "",
		"provider: openai, model: '${{ OPENAI_MODEL }}'":                                                                                                                                 "",

		"provider: openai, base_url: https://openrouter.ai/api/v1, " + env:                                             "warning",
		"provider: openai, base_url: 'https://api.openai.com@evil.example/v1', " + env:                                 "warning",
		"provider: openai, base_url: 'https://api.openai.com.evil.example/v1', " + env:                                 "warning",
		"provider: openai, base_url: 'https://evil.example\\@api.openai.com/v1', " + env:                               "warning",
		"provider: openai, baseUrl: https://evil.example, apiKey: '${{ANTHROPIC_API_KEY}}'":                            "warning",
		"provider: openai, base_url: https://evil.example, headers: { Authorization: 'Bearer ${{ OPENAI_API_KEY }}' }": "warning",
		"provider: gemini, base_url: http://evil.example":                                                              "warning",
		"provider: gemini, base_url: http://8.8.8.8, api_key: x":                                                       "error",
		"provider: gemini, base_url: http://2130706433, api_key: x":                                                    "error",
		"provider: openai, base_url: 'https://evil.example/${{ AWS_SECRET_ACCESS_KEY }}'":                              "warning",
		"provider: openai, model: '${{ AWS_SECRET_ACCESS_KEY }}'":                                                      "warning",
		"provider: openai, headers: { X-Leak: '${{ AWS_SECRET_ACCESS_KEY }}' }":                                        "warning",
		"provider: cli, command_template: x, healthcheck: { type: http, url: 'http://localhost/?k=${{ A_TOKEN }}' }":   "warning",
	} {
		a := analysis.Of(analysis.Input{Path: "targets.yaml", Text: "targets:\n  - { name: a, " + settings + " }\n"})
		var got []string
		for _, d := range a.Diagnostics() {
			if d.Code == "exposed-secret" {
				got = append(got, d.Severity.String())
			}
		}
		if want == "" && got != nil || want != "" && !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %q", settings, got, want)
		}
	}
}

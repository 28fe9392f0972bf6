package provider

import "strings"

// Azure serves OpenAI's models under Azure's addresses and keys. With an API version, the model
// is a deployment in the path; without, the API is OpenAI's.
var Azure = register(3, Provider{
	Name:     "azure",
	BaseVars: []string{"AZURE_OPENAI_ENDPOINT"}, KeyVars: []string{"AZURE_OPENAI_API_KEY", "AZURE_API_KEY"},
	Endpoint: func(m Model) (string, map[string]string) {
		path := "openai/v1/" + completionsPath
		if !strings.Contains(m.Base, "/openai/v1") && (m.Version != "" || strings.Contains(m.Base, "/openai/deployments/")) {
			path = "openai/deployments/" + percentEncode(m.Name) + "/" + completionsPath + "?api-version=" + percentEncode(m.Version)
		}
		return path, map[string]string{"api-key": m.Key}
	},
	encode: encodeChat, decode: decodeJSON(decodeChat),
})

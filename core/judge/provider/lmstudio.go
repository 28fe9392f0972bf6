package provider

// LMStudio serves chat completions of models on this machine.
var LMStudio = register(6, Provider{
	Name: "lmstudio", BaseURL: "http://localhost:1234/v1", Keyless: true,
	BaseVars: []string{"LMSTUDIO_BASE_URL"}, KeyVars: []string{"LMSTUDIO_API_KEY"},
	Endpoint: chatEndpoint, encode: encodeLegacyChat, decode: decodeJSON(decodeChat),
})

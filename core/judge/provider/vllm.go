package provider

// VLLM serves chat completions of open models.
var VLLM = register(5, Provider{
	Name: "vllm", BaseURL: "http://localhost:8000/v1", Keyless: true,
	BaseVars: []string{"VLLM_BASE_URL"}, KeyVars: []string{"VLLM_API_KEY"},
	Endpoint: chatEndpoint, encode: encodeLegacyChat, decode: decodeJSON(decodeChat),
})

package provider

// OpenRouter forwards chat completions to many providers.
var OpenRouter = register(4, Provider{
	Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1",
	BaseVars: []string{"OPENROUTER_BASE_URL"}, KeyVars: []string{"OPENROUTER_API_KEY"},
	Endpoint: chatEndpoint, encode: encodeLegacyChat, decode: decodeJSON(decodeChat),
})

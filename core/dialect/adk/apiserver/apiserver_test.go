package apiserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/adk/apiserver"
)

// TestDecodeTurn checks which events are steps and which is the answer, as in ADK's
// convert_events_to_eval_invocations, and what is an error.
func TestDecodeTurn(t *testing.T) {
	const (
		text    = `{"author":"a","content":{"parts":[{"text":"hi"}]}}`
		call    = `{"author":"a","content":{"parts":[{"text":"wait"},{"functionCall":{"name":"f"}}]}}`
		returns = `{"author":"a","content":{"parts":[{"functionResponse":{"name":"f"}}]}}`
	)
	for name, c := range map[string]struct {
		events      []string
		final, want string // parts of the answer; authors and parts of the steps, or the error
	}{
		"an answer":                       {[]string{text}, `[{"text":"hi"}]`, ``},
		"tools":                           {[]string{call, returns, text}, `[{"text":"hi"}]`, `a [{"text":"wait"},{"functionCall":{"name":"f"}}]; a [{"functionResponse":{"name":"f"}}]`},
		"models' calls":                   {[]string{strings.Replace(call, `{"author"`, `{"modelVersion":"m","author"`, 1), strings.Replace(text, `{"author"`, `{"usageMetadata":{"promptTokenCount":3},"author"`, 1)}, `[{"text":"hi"}]`, `a [{"text":"wait"},{"functionCall":{"name":"f"}}] m; a  {"promptTokenCount":3}`},
		"no answer":                       {[]string{call, returns}, ``, `a [{"text":"wait"},{"functionCall":{"name":"f"}}]; a [{"functionResponse":{"name":"f"}}]`},
		"two agents":                      {[]string{text, strings.Replace(text, `"a"`, `"b"`, 1)}, `[{"text":"hi"}]`, `a [{"text":"hi"}]`},
		"the response is the answer":      {[]string{call, strings.Replace(returns, `{"author"`, `{"actions":{"skipSummarization":true},"author"`, 1)}, `[{"functionResponse":{"name":"f"}}]`, `a [{"text":"wait"},{"functionCall":{"name":"f"}}]`},
		"a long call is answer and step":  {[]string{strings.Replace(call, `{"author"`, `{"longRunningToolIds":["1"],"author"`, 1)}, `[{"text":"wait"},{"functionCall":{"name":"f"}}]`, `a [{"text":"wait"},{"functionCall":{"name":"f"}}]`},
		"the user's own":                  {[]string{strings.Replace(text, `"a"`, `"User"`, 1), text}, `[{"text":"hi"}]`, ``},
		"without an author":               {[]string{strings.Replace(returns, `"author":"a",`, ``, 1), text}, `[{"text":"hi"}]`, `agent [{"functionResponse":{"name":"f"}}]`},
		"unfinished":                      {[]string{strings.Replace(text, `{"author"`, `{"partial":true,"author"`, 1), text}, `[{"text":"hi"}]`, `a [{"text":"hi"}]`},
		"the result of code":              {[]string{`{"author":"a","content":{"parts":[{"text":"1+1"},{"codeExecutionResult":{"output":"2"}}]}}`, text}, `[{"text":"hi"}]`, `a [{"text":"1+1"},{"codeExecutionResult":{"output":"2"}}]`},
		"state alone":                     {[]string{`{"author":"a","actions":{"stateDelta":{"x":1}}}`, text}, `[{"text":"hi"}]`, ``},
		"nothing that is shown":           {[]string{`{"author":"a","content":{"parts":[{"executableCode":{"code":"1"}}]}}`, text}, `[{"text":"hi"}]`, ``},
		"an error":                        {[]string{call, `{"author":"a","errorCode":"SAFETY"}`}, "", "error: the agent's model failed: SAFETY"},
		"an error after which it went on": {[]string{`{"author":"a","errorCode":"MALFORMED_FUNCTION_CALL"}`, text}, `[{"text":"hi"}]`, ``},
		"an exception":                    {[]string{call, `{"error":"ValueError: no","error_details":{"error_type":"ValueError"}}`}, "", "error: the agent failed: ValueError: no"},
		"an exception of 1.4.2":           {[]string{`{"error": "no tool "f" here"}`}, "", `error: the agent failed: no tool "f" here`},
		"another stream":                  {[]string{`<html>`}, "", "error: the server's event is not ADK's: <html>"},
		"another content":                 {[]string{`{"author":"a","content":"hi"}`}, "", `error: the server's event is not ADK's: its content is "hi"`},
		"no events":                       {nil, "", "error: the agent returned no events"},
	} {
		stream := ": comment\nevent: message\n"
		for _, e := range c.events {
			stream += "data: " + e + "\r\n\r\n"
		}
		turn, err := apiserver.DecodeTurn(stream, json.RawMessage(`{"parts":[{"text":"q"}]}`), nil)
		if err != nil {
			if got := "error: " + err.Error(); got != c.want {
				t.Errorf("%s: %s", name, got)
			}
			continue
		}
		var i struct {
			Final struct{ Parts json.RawMessage } `json:"final_response"`
			Data  struct {
				Events []struct {
					Author  string
					Content struct{ Parts json.RawMessage }
					Model   string          `json:"model_version"`
					Usage   json.RawMessage `json:"usage_metadata"`
				} `json:"invocation_events"`
			} `json:"intermediate_data"`
		}
		if err := json.Unmarshal(turn.Invocation, &i); err != nil || i.Data.Events == nil {
			t.Errorf("%s: %v %s", name, err, turn.Invocation)
		}
		var steps []string
		for _, e := range i.Data.Events {
			steps = append(steps, strings.TrimSpace(e.Author+" "+string(e.Content.Parts)+" "+e.Model+string(e.Usage)))
		}
		if got := strings.Join(steps, "; "); got != c.want || string(i.Final.Parts) != c.final {
			t.Errorf("%s: the answer is %s, after %s", name, i.Final.Parts, got)
		}
	}
}

// TestParseAddress checks which addresses are those of servers and apps.
func TestParseAddress(t *testing.T) {
	for address, want := range map[string]apiserver.Address{
		"http://localhost:8000":            {Base: "http://localhost:8000"},
		"http://localhost:8000/":           {Base: "http://localhost:8000"},
		"https://x.run.app/adk/apps/my_ag": {Base: "https://x.run.app/adk", App: "my_ag"},
		"http://[::1]:8000/apps/a%20b":     {Base: "http://[::1]:8000", App: "a b"},
		"localhost:8000":                   {},
		"my_agent":                         {},
		"ftp://localhost":                  {},
		"http://localhost:8000/?app=a":     {},
		"http://localhost/apps/a/users/b":  {},
	} {
		if got, ok := apiserver.ParseAddress(address); got != want || ok != (want.Base != "") {
			t.Errorf("%s is %+v, %v", address, got, ok)
		}
	}
}

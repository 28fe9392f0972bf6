package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent connects the SDK's client to `rubric mcp`.
func agent(t *testing.T) *mcp.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan int, 1)
	go func() { ended <- Main([]string{"mcp"}, toServer, fromServer, io.Discard) }()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		if code := <-ended; code != 0 {
			t.Errorf("the server exits with status %d after its input ended", code)
		}
	})
	return client
}

// callTool returns the text of a tool's answer.
func callTool(t *testing.T, client *mcp.ClientSession, name string, arguments map[string]any) (answer string, isError bool) {
	t.Helper()
	result, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range result.Content {
		b.WriteString(c.(*mcp.TextContent).Text)
	}
	return b.String(), result.IsError
}

const agentFile = `evalcases:
  - id: refund
    expected_outcome: Names the deadline of 30 days
    input: May I send the shoes back?
    expected_output: Yes, within 30 days.
    rubrics:
      - id: deadline
        expected_outcome: Contains "30 days"
`

// TestMCP uses each tool as a coding agent does, on a file and on a text that is not saved.
func TestMCP(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("shoes.eval.yaml", []byte(agentFile), 0o600); err != nil {
		t.Fatal(err)
	}
	run, err := json.Marshal(strings.Replace(agentFile, "30 days.", "60 days.", 1))
	if err != nil {
		t.Fatal(err)
	}
	unsaved := strings.TrimSuffix(strings.TrimPrefix(string(run), `"`), `"`)
	client := agent(t)
	for _, test := range []struct {
		tool, arguments, want string
		isError               bool
	}{
		{"check", `{"path":"shoes.eval.yaml"}`, `"path": "shoes.eval.yaml"`, false},
		{"check", `{"path":"shoes.eval.yaml","text":"evalcases:\n  - id: a\n    expected_outcom: x\n    input: y\n"}`, "unknown-key", false},
		{"check", `{"path":"new.eval.yaml","text":"evalcases:\n  - id: a\n    expected_outcom: x\n    input: y\n"}`, "new.eval.yaml", false},
		{"check", `{"path":"missing.eval.yaml"}`, "missing.eval.yaml", true},
		{"check", `{"path":"--fix"}`, "--fix", true},
		{"explain", `{"rule":"unknown-key"}`, "# unknown-key", false},
		{"explain", `{}`, "unknown-key", false},
		{"explain", `{"rule":"unknown-kye"}`, "unknown-key", true},
		{"run_cases", `{"path":"shoes.eval.yaml"}`, `"verdict": "pass"`, false},
		{"run_cases", `{"path":"shoes.eval.yaml","text":"` + unsaved + `"}`, `"verdict": "fail"`, false},
		{"run_cases", `{"path":"shoes.eval.yaml","cases":["refnd"]}`, "refund", true},
		{"run_cases", `{"path":"shoes.eval.yaml","cases":[""]}`, "no case", true},
		{"run_cases", `{"path":"shoes.eval.yaml","samples":-1}`, "--samples must be from 1", true},
		{"run_cases", `{"path":"shoes.eval.yaml","target":"cli:touch started"}`, "targets.yaml", true},
		{"run_cases", `{"path":"shoes.eval.yaml","judge":"cli:touch started"}`, "targets.yaml", true},
		{"run_cases", `{"path":"shoes.eval.yaml","dry_run":true}`, "dry run", false},
		{"score", `{"path":"shoes.eval.yaml","reply":"{\"checks\":[{\"id\":\"deadline\",\"satisfied\":true,\"reasoning\":\"\"}]}"}`, `"verdict": "pass"`, false},
		{"generate_rubrics", `{"path":"bare.eval.yaml","text":"evalcases:\n  - id: a\n    expected_outcome: Names the deadline\n    input: y\n"}`, "+++ b/bare.eval.yaml", false},
		{"generate_rubrics", `{"path":"shoes.eval.yaml"}`, "already has criteria", false},
		{"compare_runs", `{"old":"old.jsonl","new":"new.jsonl"}`, "old.jsonl", true},
	} {
		var arguments map[string]any
		if err := json.Unmarshal([]byte(test.arguments), &arguments); err != nil {
			t.Fatal(err)
		}
		answer, isError := callTool(t, client, test.tool, arguments)
		if !strings.Contains(answer, test.want) || isError != test.isError {
			t.Errorf("%s %s: error %t, answer %s; want error %t and %s", test.tool, test.arguments, isError, answer, test.isError, test.want)
		}
	}
	entries, err := filepath.Glob("*")
	if err != nil || !slices.Equal(entries, []string{"shoes.eval.yaml"}) {
		t.Errorf("the tools left %v, %v; want only the file that was there", entries, err)
	}
}

// TestMCPConsent sees that an agent cannot run what only a file names.
func TestMCPConsent(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	named := "execution:\n  target: agent\n" + agentFile
	for name, body := range map[string]string{"shoes.eval.yaml": named, "targets.yaml": "targets:\n  - name: agent\n    provider: cli\n    command_template: touch started\n"} {
		if err := os.WriteFile(name, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	answer, isError := callTool(t, agent(t), "run_cases", map[string]any{"path": "shoes.eval.yaml"})
	if !isError || !strings.Contains(answer, "rubric trust") {
		t.Errorf("error %t, answer %s; want an error that names rubric trust", isError, answer)
	}
	if _, err := os.Stat("started"); err == nil {
		t.Error("the command of targets.yaml ran without consent")
	}
}

// TestSkill sees that the skill for coding agents names every tool.
func TestSkill(t *testing.T) {
	skill, err := os.ReadFile("../../../editors/agents/rubric/SKILL.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range mcpTools {
		if !strings.Contains(string(skill), "`"+tool.name+"`") {
			t.Errorf("SKILL.md does not name the tool %s", tool.name)
		}
	}
}

// TestAgentClosesInput sends all requests at once and closes the input, as a shell's pipe does.
func TestAgentClosesInput(t *testing.T) {
	requests := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"sh","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"explain","arguments":{"rule":"unknown-key"}}}
`
	var out strings.Builder
	if status := Main([]string{"mcp"}, strings.NewReader(requests), &out, io.Discard); status != 0 || !strings.Contains(out.String(), `"id":2,"result"`) {
		t.Fatalf("status %d\n%s", status, out.String())
	}
}

package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/wasm/api"
)

var mcpCommand = command{
	name:    "mcp",
	summary: "Serve coding agents over the Model Context Protocol",
	list: func() string {
		return listNames(17, mcpTools, func(t mcpTool) (name, summary string) { return t.name, t.summary })
	},
	example: "claude mcp add rubric -- rubric mcp",
	setup: withoutFlags(func(s *session, _ []string) error {
		defer s.handleInterrupts()()
		err := s.newMCPServer().Run(s.ctx, answeringTransport{mcp.IOTransport{Reader: io.NopCloser(s.stdin), Writer: nopCloser{rawWriter(s.stdout)}}})
		if err != nil && s.ctx.Err() == nil && !errors.Is(err, io.EOF) {
			return err
		}
		return nil
	}),
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// answeringTransport ends once the requests before the end of the input are answered, as those of a pipe, but after
// answerTime or an interrupt in any case: a run goes on no longer, because the agent that pays for it may be gone.
type answeringTransport struct{ mcp.IOTransport }

const answerTime = 5 * time.Second

func (t answeringTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.IOTransport.Connect(ctx)
	return &answeringConnection{Connection: c, interrupted: ctx.Done()}, err
}

type answeringConnection struct {
	mcp.Connection
	interrupted <-chan struct{}
	open        sync.WaitGroup // requests without an answer
}

func (c *answeringConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if request, ok := m.(*jsonrpc.Request); ok && request.IsCall() {
		c.open.Add(1)
	} else if errors.Is(err, io.EOF) {
		answered := make(chan struct{})
		go func() {
			c.open.Wait()
			close(answered)
		}()
		select {
		case <-answered:
		case <-c.interrupted:
		case <-time.After(answerTime):
		}
	}
	return m, err
}

func (c *answeringConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	if _, ok := m.(*jsonrpc.Response); ok {
		defer c.open.Done()
	}
	return c.Connection.Write(ctx, m)
}

// evalFile names the file that a tool reads. A text takes the place of the file's content.
type evalFile struct {
	Path string  `json:"path" jsonschema:"the eval file; what it refers to is found from its folder"`
	Text *string `json:"text,omitempty" jsonschema:"the file's text, if it is not saved yet"`
}

type checkArguments struct{ evalFile }

type explainArguments struct {
	Rule string `json:"rule,omitempty" jsonschema:"the rule's id, such as unknown-key; without it, all rules are listed"`
}

type runArguments struct {
	evalFile
	Cases   []string `json:"cases,omitempty" jsonschema:"ids or patterns of the cases to run; without them, all cases run"`
	Target  string   `json:"target,omitempty" jsonschema:"who answers: self, mock:TEXT, FILE.jsonl with recorded answers, PROVIDER:MODEL, or a name in targets.yaml"`
	Judge   string   `json:"judge,omitempty" jsonschema:"who grades: offline, PROVIDER:MODEL, or a name in targets.yaml"`
	Samples int      `json:"samples,omitempty" jsonschema:"how often the judge is asked about each case"`
	DryRun  bool     `json:"dry_run,omitempty" jsonschema:"only say what would be asked, of whom, and what it may cost"`
}

type scoreArguments struct {
	evalFile
	Case  string `json:"case,omitempty" jsonschema:"the case's id; not needed if there is one case"`
	Reply string `json:"reply" jsonschema:"the judge's reply: {\"checks\": [{\"id\": …, \"satisfied\": true or \"score\": 0 to 10, \"reasoning\": …}]}"`
}

type generateArguments struct {
	evalFile
	Cases []string `json:"cases,omitempty" jsonschema:"ids or patterns of the cases; without them, every case that has no criteria"`
	Judge string   `json:"judge,omitempty" jsonschema:"the model that drafts: PROVIDER:MODEL, or a name in targets.yaml; without it, the expected outcome's statements become criteria"`
}

type compareArguments struct {
	Old string `json:"old" jsonschema:"a .jsonl file of results, as rubric run --out writes it"`
	New string `json:"new" jsonschema:"the results to compare with it"`
}

// An mcpTool is a tool with what it answers and whether it may ask others.
type mcpTool struct {
	name, summary string
	asksOthers    bool
	add           func(*session, *mcp.Server, *mcp.Tool)
}

var mcpTools = []mcpTool{
	{"check", "report the faults of an eval file, ADK evalset or configuration, as JSON with ranges and fixes", false,
		addTool(func(a checkArguments) (toolCall, error) {
			return a.call(checkCommand, "--format", "json"), nil
		})},
	{"explain", "explain a rule: why it exists, and an example before and after", false,
		addTool(func(a explainArguments) (toolCall, error) {
			if a.Rule == "" {
				return toolCall{command: explainCommand}, nil
			}
			return toolCall{command: explainCommand, args: []string{"--", a.Rule}}, nil
		})},
	{"run_cases", "run cases: get answers from a target, grade them, and return the records as JSON", true,
		addTool(func(a runArguments) (toolCall, error) {
			flags := []string{"--format", "json"}
			if a.DryRun {
				flags = []string{"--dry-run"}
			}
			if a.Samples != 0 {
				flags = append(flags, "--samples="+strconv.Itoa(a.Samples))
			}
			flags = appendFlags(flags, "case", a.Cases...)
			flags = appendFlags(flags, "target", a.Target)
			flags = appendFlags(flags, "judge", a.Judge)
			return a.call(runCommand, flags...), cmp.Or(refuseCommand("target", a.Target), refuseCommand("judge", a.Judge))
		})},
	{"score", "score a judge's reply to a case without asking a model", false,
		addTool(func(a scoreArguments) (toolCall, error) {
			c := a.call(scoreCommand, appendFlags([]string{"--format", "json"}, "case", a.Case)...)
			c.stdin = a.Reply
			return c, nil
		})},
	{"generate_rubrics", "draft criteria for cases that have none, as a unified diff", true,
		addTool(func(a generateArguments) (toolCall, error) {
			flags := appendFlags([]string{"--diff", "--verbose"}, "case", a.Cases...)
			return a.call(generateRubricsCommand, appendFlags(flags, "judge", a.Judge)...), refuseCommand("judge", a.Judge)
		})},
	{"compare_runs", "compare two stored runs, case by case and criterion by criterion, as JSON", false,
		addTool(func(a compareArguments) (toolCall, error) {
			return toolCall{command: runsCompareCommand, args: []string{"--format", "json", "--", a.Old, a.New}}, nil
		})},
}

func (s *session) newMCPServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "rubric", Title: "Rubric", Version: api.Version}, &mcp.ServerOptions{
		Logger:       slog.New(slog.DiscardHandler),
		Instructions: "Check an eval file after each edit. Explain a rule before you work around it. Run cases with the target self to test the rubric itself.",
	})
	for _, t := range mcpTools {
		isOpen := t.asksOthers
		t.add(s, server, &mcp.Tool{Name: t.name, Description: t.summary, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !isOpen, DestructiveHint: new(bool), OpenWorldHint: &isOpen}})
	}
	return server
}

// A toolCall is a command that answers a tool, with its arguments.
type toolCall struct {
	command command
	args    []string
	stdin   string
	buffers map[string]string // texts of unsaved files, by path
}

// call returns the call of a command with a file as its last argument.
func (f evalFile) call(c command, flags ...string) toolCall {
	call := toolCall{command: c, args: append(flags, "--", f.Path)}
	if f.Text != nil {
		call.buffers = map[string]string{f.Path: *f.Text}
	}
	return call
}

// appendFlags adds a flag once for each value. An empty one counts as not given, but for a case, as it would select all.
func appendFlags(flags []string, name string, values ...string) []string {
	for _, value := range values {
		if value != "" || name == "case" {
			flags = append(flags, "--"+name+"="+value)
		}
	}
	return flags
}

// refuseCommand returns an error for a target or judge that is a command. The user has not seen it.
func refuseCommand(kind, name string) error {
	if strings.HasPrefix(strings.TrimSpace(name), "cli:") {
		return fmt.Errorf("a tool cannot start a command: define the %s in targets.yaml, and ask the user to run `rubric trust`", kind)
	}
	return nil
}

// addTool adds a tool that runs a command. What the command prints is the result. A command that
// could not do its work, as by a file that cannot be read, is an error of the tool.
func addTool[A any](prepare func(A) (toolCall, error)) func(*session, *mcp.Server, *mcp.Tool) {
	return func(s *session, server *mcp.Server, tool *mcp.Tool) {
		mcp.AddTool(server, tool, func(ctx context.Context, _ *mcp.CallToolRequest, args A) (*mcp.CallToolResult, any, error) {
			call, err := prepare(args)
			if err != nil {
				return nil, nil, err
			}
			return s.runTool(ctx, call), nil, nil
		})
	}
}

func (s *session) runTool(ctx context.Context, call toolCall) *mcp.CallToolResult {
	var stdout, stderr bytes.Buffer
	inner := &session{ctx: ctx, stdin: strings.NewReader(call.stdin), stdout: &stdout, stderr: &stderr, color: "never", command: call.command.name, buffers: call.buffers}
	code := int(exitUsage)
	if fault := diag.CatchPanic(func() { code = inner.exitCode(inner.execute(call)) }); fault != nil {
		fmt.Fprintln(&stderr, fault.Diagnostic(text.Span{}).Message)
	}
	result := &mcp.CallToolResult{IsError: code == int(exitUsage) || code == int(exitUnreachable) && stdout.Len() == 0}
	for _, printed := range []string{stdout.String(), stderr.String()} {
		if printed != "" {
			result.Content = append(result.Content, &mcp.TextContent{Text: printed})
		}
	}
	return result
}

// execute runs a command with its own flags only.
func (s *session) execute(call toolCall) error {
	flags := pflag.NewFlagSet(call.command.name, pflag.ContinueOnError)
	run := call.command.setup(flags)
	if err := flags.Parse(call.args); err != nil {
		return err
	}
	return run(s, flags.Args())
}

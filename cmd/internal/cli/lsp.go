package cli

import (
	"io"
	"log"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/wasm/api"
)

var lspVerb = verb{
	name:    "lsp",
	args:    "[--tcp ADDR | --websocket ADDR]",
	summary: "the language server: what editors start",
	long: `Without options the server speaks over standard input and output, as editors
expect it. What it has to say of its own goes to standard error.

Exit status: 0 after the client's shutdown and exit, 1 if it left without.`,
	example: "rubric lsp\nrubric lsp --tcp 127.0.0.1:7777",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		return func(s *session, args []string) int { return s.lsp(args) }
	},
}

func (s *session) lsp(args []string) int {
	if len(args) > 0 {
		return s.misuse("lsp takes no arguments, and was given `%s`", args[0])
	}
	server := languageServer(log.New(s.stderr, "rubric lsp: ", 0))
	return server.Serve(streams{s.stdin, s.stdout})
}

// languageServer is the server over this machine's files.
func languageServer(l *log.Logger) *lsp.Server {
	return &lsp.Server{Name: "rubric", Version: api.Version, Log: l, Disk: lsp.Disk{
		Input: host.Input, Locate: host.Locate, Read: host.Read,
		Severities: func(path string) (map[string]diag.Severity, error) { return new(host.Settings).Of(path) },
		Files:      func(folders []string) []string { files, _ := host.Files(folders); return files },
	}}
}

// streams are standard input and output as one connection.
type streams struct {
	io.Reader
	io.Writer
}

// Close lets a reader that is waiting for input be: the process is about to end.
func (streams) Close() error { return nil }

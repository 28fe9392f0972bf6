package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/assist"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/wasm/api"
)

var lspCommand = command{
	name:    "lsp",
	args:    "[--tcp ADDR | --websocket ADDR]",
	summary: "the language server: what editors start",
	long: `Without options the server speaks over standard input and output, as editors
expect it. With --tcp or --websocket it serves any number of clients at ADDR. The
first line of standard error is then the address (port 0 is any free one) with a
token, as tcp://ADDR?token=TOKEN or ws://ADDR/lsp?token=TOKEN.

Over TCP a client sends the token in the initialize request, as
initializationOptions: {"token": "TOKEN"}. A connection that does not start with that
is closed. A WebSocket needs the token in its address, and a page in a browser an
--origin that is let in.

Cases are run when somebody asks for it, by the judge and the target of the
settings rubric.judge and rubric.target, which take what rubric run takes. Nothing is
run for a client that sends initializationOptions: {"trusted": false}, but what the
setting rubric.sandboxedGraders lets run: graders that can reach nothing. A client
over TCP or a WebSocket is not trusted unless it sends {"trusted": true}.

Only this machine can connect unless --remote says otherwise; a client on another
machine is shown no file of this one and runs nothing on it.

--log and --trace help to report a fault: the log then holds every message of the
session, with the text of the files that were opened, and without keys and tokens.

Exit status: 0 after the client's shutdown and exit or an interrupt, 1 if the
client left without, 2 if ADDR cannot be listened on.`,
	example: "rubric lsp\nrubric lsp --tcp 127.0.0.1:7777\nrubric lsp --websocket 127.0.0.1:7778 --origin http://localhost:3000",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &lspOptions{}
		flags.StringVar(&o.tcp, "tcp", "", "serve clients that connect to this address")
		flags.StringVar(&o.websocket, "websocket", "", "serve WebSockets that are opened to this address")
		flags.BoolVar(&o.remote, "remote", false, "let other machines connect")
		flags.StringArrayVar(&o.origins, "origin", nil, "a page's origin that may open a WebSocket (may be repeated)")
		flags.StringVar(&o.token, "token", "", "the token of --tcp or --websocket, of at least 16 characters")
		flags.StringVar(&o.log, "log", "", "write errors to this file instead of standard error")
		flags.BoolVar(&o.trace, "trace", false, "log every message, with the text of the opened files")
		flags.Lookup("token").DefValue = "" // made up at the start
		flags.Bool("stdio", false, "speak over standard input and output, which is the default")
		return func(s *session, args []string) int { return s.lsp(args, o) }
	},
}

type lspOptions struct {
	tcp, websocket string
	remote         bool
	origins        []string
	token, log     string
	trace          bool
}

func (s *session) lsp(args []string, o *lspOptions) int {
	switch {
	case len(args) > 0:
		return s.commandError("takes no arguments, and was given `%s`", args[0])
	case o.tcp != "" && o.websocket != "":
		return s.commandError("give --tcp or --websocket, not both")
	case o.websocket == "" && len(o.origins) > 0:
		return s.commandError("--origin is for --websocket")
	case o.tcp+o.websocket == "" && (o.remote || o.token != ""):
		return s.commandError("--remote and --token are for --tcp and --websocket")
	case o.token != "" && len(o.token) < 16:
		return s.commandError("--token is too short to keep others out; give at least 16 characters, or leave it out")
	}
	logger := log.New(s.stderr, "rubric lsp: ", 0)
	if o.log != "" {
		file, err := os.OpenFile(o.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return s.commandError("%s", err)
		}
		defer file.Close()
		logger = log.New(file, "", log.LstdFlags|log.Lmicroseconds)
	}
	server := newLanguageServer(logger)
	server.Trace = o.trace
	server.Host = s.lspHost()
	addr := o.tcp + o.websocket
	if addr == "" {
		return s.serveStreams(server)
	}
	server.Remote = o.remote
	if o.token == "" {
		o.token = rand.Text()
	}
	l, err := lsp.Listen(addr, o.remote)
	if errors.Is(err, lsp.ErrRemote) {
		return s.commandError("%s; --remote lets them connect", err)
	}
	if err != nil {
		return s.commandError("%s", err)
	}
	defer s.handleInterrupts()()
	serve := s.serveWebSockets
	if o.tcp != "" {
		serve = s.serveTCP
	}
	if err := serve(server, l, o); err != nil {
		return s.commandError("%s", err)
	}
	return exitOK
}

// serveStreams serves the client that has started this process. A signal ends it
// as a client would, so that nothing it runs is left behind.
func (s *session) serveStreams(server *lsp.Server) int {
	ctx, stop := signal.NotifyContext(s.ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	server.Context = ctx
	return server.Serve(stdio{s.stdin, rawWriter(s.stdout)})
}

func (s *session) serveTCP(server *lsp.Server, l net.Listener, o *lspOptions) error {
	fmt.Fprintf(s.stderr, "tcp://%s?token=%s\n", l.Addr(), url.QueryEscape(o.token))
	return (&lsp.TCP{Server: server, Token: o.token}).Serve(s.ctx, l)
}

func (s *session) serveWebSockets(server *lsp.Server, l net.Listener, o *lspOptions) error {
	fmt.Fprintf(s.stderr, "ws://%s/lsp?token=%s\n", l.Addr(), url.QueryEscape(o.token))
	return (&lsp.WebSocket{Server: server, Origins: o.origins, Token: o.token}).Serve(s.ctx, l)
}

// newLanguageServer is the server over this machine's files.
func newLanguageServer(l *log.Logger) *lsp.Server {
	schemas := &host.Schemas{}
	inputFor := func(path string) analysis.Input {
		in := host.DependencyInput(path, true)
		in.LoadSchema = schemas.ForFile(path)
		return in
	}
	return &lsp.Server{Name: "rubric", Version: api.Version, Log: l, Disk: lsp.Disk{
		Input: inputFor, Locate: host.Locate, ReadFile: host.ReadFile, ListFolder: listEntries,
		ProgramFingerprint: host.FileFingerprint, TargetsFingerprint: host.TargetsFingerprint,
		Severities: func(path string) (map[string]diag.Severity, error) { return new(host.Settings).Severities(path) },
		ADKProfile: func(path string) metric.Profile {
			profile, _ := new(host.Settings).ADKProfile(path) // what is wrong with the settings is told of the severities
			return profile
		},
		EvalFiles: func(folders []string) []string { files, _ := host.FindEvalFiles(folders); return files },
	}}
}

// listEntries lists a folder, by its path from a file's own; nothing if it cannot be
// read.
func listEntries(evalFile, path string) (all []assist.DirEntry) {
	folder := filepath.Join(filepath.Dir(evalFile), filepath.FromSlash(path))
	files, err := host.ReadFolder(host.Root(evalFile), folder)
	if err != nil {
		return nil
	}
	for _, e := range files {
		all = append(all, assist.DirEntry{Name: e.Name(), IsDir: e.IsDir()})
	}
	return all
}

// stdio are standard input and output as one connection.
type stdio struct {
	io.Reader
	io.Writer
}

// Close closes what can be: whoever still reads or writes is to stop.
func (s stdio) Close() error {
	var errs []error
	for _, side := range []any{s.Reader, s.Writer} {
		if c, ok := side.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

package cli

import (
	"cmp"
	"context"
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
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/transport"
	"github.com/rubric-ls/rubric/wasm/api"
)

var lspCommand = command{
	name:    "lsp",
	summary: "Start the language server",
	example: "rubric lsp\nrubric lsp --tcp 127.0.0.1:7777\nrubric lsp --websocket 127.0.0.1:7778 --origin http://localhost:3000",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		o := &lspOptions{}
		flags.StringVar(&o.tcp, "tcp", "", "serve clients over TCP at `ADDRESS`")
		flags.StringVar(&o.websocket, "websocket", "", "serve clients over WebSockets at `ADDRESS`")
		flags.BoolVar(&o.remote, "remote", false, "let other machines connect")
		flags.StringArrayVar(&o.origins, "origin", nil, "allow pages of `ORIGIN` to open a WebSocket (repeatable)")
		flags.StringVar(&o.token, "token", "", "ask clients for `TOKEN`, at least 16 characters (default: random)")
		flags.StringVar(&o.log, "log", "", "write errors to `FILE` instead of standard error")
		flags.BoolVar(&o.trace, "trace", false, "log every message, with the text of the opened files")
		flags.Bool("stdio", false, "use standard input and output (default)")
		return func(s *session, _ []string) error { return s.lsp(o) }
	},
}

type lspOptions struct {
	tcp, websocket string
	remote         bool
	origins        []string
	token, log     string
	trace          bool
}

func (s *session) lsp(o *lspOptions) error {
	switch {
	case o.tcp != "" && o.websocket != "":
		return errors.New("give --tcp or --websocket, not both")
	case o.websocket == "" && len(o.origins) > 0:
		return errors.New("--origin needs --websocket")
	case o.tcp+o.websocket == "" && (o.remote || o.token != ""):
		return errors.New("--remote and --token need --tcp or --websocket")
	case o.token != "" && len(o.token) < 16:
		return errors.New("--token is too short; give at least 16 characters, or leave it out for a random one")
	}
	for _, origin := range o.origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || origin != strings.ToLower(u.Scheme+"://"+u.Host) {
			return fmt.Errorf("--origin `%s` is no origin; write it like `http://localhost:3000`", origin)
		}
	}
	logger := log.New(s.stderr, "rubric lsp: ", 0)
	if o.log != "" {
		file, err := os.OpenFile(o.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return err
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
	o.token = cmp.Or(o.token, rand.Text())
	l, err := transport.Listen(addr, o.remote)
	if errors.Is(err, transport.ErrRemote) {
		return fmt.Errorf("%s; --remote allows them", err)
	}
	if err != nil {
		return err
	}
	defer s.handleInterrupts()()
	if o.tcp != "" {
		fmt.Fprintf(s.stderr, "tcp://%s?token=%s\n", l.Addr(), url.QueryEscape(o.token))
		return (&transport.TCP{Server: server, Token: o.token}).Serve(s.ctx, l)
	}
	fmt.Fprintf(s.stderr, "ws://%s/lsp?token=%s\n", l.Addr(), url.QueryEscape(o.token))
	return (&transport.WebSocket{Server: server, Origins: o.origins, Token: o.token, Context: s.ctx}).Serve(l)
}

// serveStreams serves the client that started this process. A signal ends it like a
// client's exit, so that no child process is left behind.
func (s *session) serveStreams(server *lsp.Server) error {
	ctx, stop := signal.NotifyContext(s.ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	server.Context = ctx
	return exitStatus(server.Serve(stdio{s.stdin, rawWriter(s.stdout)})).err()
}

// newLanguageServer returns a server that reads this machine's files.
func newLanguageServer(l *log.Logger) *lsp.Server {
	schemas := &host.Schemas{}
	inputFor := func(path string) analysis.Input {
		in := host.DependencyInput(path, true)
		in.LoadSchema = schemas.ForFile(path)
		return in
	}
	results, err := resultstore.DefaultEditorResults()
	server := &lsp.Server{Name: "rubric", Version: api.Version, Log: l, Disk: lsp.Disk{
		Input: inputFor, Locate: disk.Locate, ReadFile: disk.ReadFile, ListFolder: listEntries,
		ProgramFingerprint: disk.FileFingerprint, TargetsFingerprint: disk.TargetsFingerprint,
		IsAgent: func(evalFile, target string) bool { return targets.IsAgent(evalFile, "", target) },
		Settings: func(path string) (lsp.ProjectSettings, error) {
			named, _ := host.RunSettings(path) // Severities has the same error
			severities, err := host.Severities(path)
			return lsp.ProjectSettings{Severities: severities, Run: named}, err
		},
		EvalFiles: func(folders []string) []string { files, _ := disk.FindEvalFiles(folders); return files },
	}}
	if err == nil {
		server.Disk.LoadResults, server.Disk.SaveResults, server.Disk.MoveResults = results.Load, results.Save, results.Move
	}
	return server
}

// listEntries lists a folder relative to the folder of evalFile. It returns nil if the
// folder cannot be read.
func listEntries(evalFile, path string) []ide.DirEntry {
	folder := filepath.Join(filepath.Dir(evalFile), filepath.FromSlash(path))
	files, err := disk.ReadFolder(disk.Root(evalFile), folder)
	if err != nil {
		return nil
	}
	return generic.Map(files, func(e os.DirEntry) ide.DirEntry { return ide.DirEntry{Name: e.Name(), IsDir: e.IsDir()} })
}

// stdio is standard input and output as one connection.
type stdio struct {
	io.Reader
	io.Writer
}

// Close closes both streams if they can be closed.
func (s stdio) Close() error {
	var errs []error
	for _, side := range []any{s.Reader, s.Writer} {
		if c, ok := side.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// lspHost returns the functions with which the language server runs cases, like `rubric
// run` with the same names.
func (s *session) lspHost() lsp.Host {
	store, storeErr := judgecache.Default()
	var faults sync.Map
	open := func(evalFile string, settings run.Settings, plan *run.Plan) (run.Host, error) {
		ports, err := targets.NewPorts(settings, plan, evalFile)
		ports.Key, ports.OnNote = lsp.ClientKey, s.printNote
		if storeErr == nil {
			ports.Cache = store
		}
		ports.OnJudgement = func(_ bool, err error) {
			if err == nil {
				return
			}
			if _, noted := faults.LoadOrStore(err.Error(), true); !noted {
				s.printNote(err.Error())
			}
		}
		return ports.Host(), err
	}
	ports, _ := open("", run.DefaultSettings(), nil)
	return lsp.Host{Host: ports, ForRun: open, ListJudges: targets.AvailableProviders, LoadFiles: fillSuite, CheckConsent: checkEditorConsent, WriteReport: writeHTMLReport}
}

// checkEditorConsent returns an error unless the user has consented to uses with rubric trust, or does so when
// asked. An answer is stored.
func checkEditorConsent(evalFile string, uses []run.Use, ask func() error) error {
	needed, err := newConsents(evalFile, uses)
	if err != nil {
		return err
	}
	return requireConsents(needed, func(shown string) error {
		if ask == nil {
			return fmt.Errorf("this needs your consent once:%s\nallow it with `rubric trust %s`; with `self` as rubric.target and `offline` as rubric.judge, nothing of it runs", shown, evalFile)
		}
		return ask()
	})
}

// writeHTMLReport writes records as `rubric run --format html` does.
func writeHTMLReport(w io.Writer, suite, path string, records []run.Record) error {
	r := report.Report{Suites: []report.Suite{{Name: suite, Path: path, Records: records}}}
	if slices.ContainsFunc(records, func(rec run.Record) bool { return rec.Judge == offline.Name }) {
		r.Notice = offline.Notice
	}
	return r.HTML(w)
}

var playgroundCommand = command{
	name:    "playground",
	summary: "Serve the playground, with a language server behind it",
	example: "rubric playground\nrubric playground --addr 127.0.0.1:7780 --open",
	setup: func(flags *pflag.FlagSet) func(*session, []string) error {
		addr := addrFlag(flags)
		open := flags.Bool("open", false, "open the page in the browser")
		publicURL := flags.String("public-url", "", "have links that the page copies lead to the page at this `URL`")
		return func(s *session, _ []string) error { return s.playground(*addr, *open, *publicURL) }
	},
}

func (s *session) playground(addr string, open bool, publicURL string) error {
	if u, err := url.Parse(publicURL); publicURL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		return fmt.Errorf("--public-url: `%s` is not an address such as https://example.com/playground/", publicURL)
	}
	if _, err := page.EmbeddedSite(); err != nil {
		return err
	}
	return s.servePages(nil, addr, open, publicURL, "#live=%[2]s")
}

func addrFlag(flags *pflag.FlagSet) *string {
	return flags.String("addr", "", "listen at `ADDRESS` of this machine (default 127.0.0.1:7790, or the next free port)")
}

// servePages serves the playground, with a language server behind it, and the stored results in places. first is the path
// of the page to open first, of a token.
func (s *session) servePages(places []string, addr string, open bool, publicURL, first string) error {
	l, err := s.listenPlayground(addr)
	if err != nil {
		return err
	}
	defer s.handleInterrupts()()
	server := newLanguageServer(log.New(io.Discard, "", 0))
	server.Host = s.lspHost()
	ctx, cancel := context.WithCancel(s.ctx)
	live := &transport.WebSocket{Server: server, Token: rand.Text(), Context: ctx}
	defer live.Wait()
	defer cancel()
	if err := s.announce(fmt.Sprintf("http://%[1]s/"+first, l.Addr(), live.Token), open); err != nil {
		return err
	}
	site, siteErr := page.EmbeddedSite()
	v := &viewer{places: places, site: siteErr, files: map[string]viewedFile{}}
	return page.Server{Site: site, Live: live, PublicURL: publicURL, Token: live.Token, Results: v.page}.Serve(s.ctx, l)
}

// announce prints the address of a page, and opens it in the browser if asked to.
func (s *session) announce(address string, open bool) error {
	if err := s.printText(address + "\n"); err != nil {
		return err
	}
	if open {
		if err := process.OpenBrowser(s.ctx, address); err != nil {
			fmt.Fprintf(s.stderr, "rubric: %s: cannot open the page in a browser: %s\n", s.command, err)
		}
	}
	return nil
}

// The playground has fixed ports because browsers store a page's data by port.
const playgroundPort, playgroundLastPort = 7790, 7799

// listenPlayground listens on addr, or on the first free playground port if addr is
// empty. It reports a port that is not the usual one.
func (s *session) listenPlayground(addr string) (net.Listener, error) {
	if addr != "" {
		return transport.Listen(addr, false)
	}
	for port := playgroundPort; ; port++ {
		l, err := transport.Listen(fmt.Sprintf("127.0.0.1:%d", port), false)
		if err == nil && port > playgroundPort {
			fmt.Fprintf(s.stderr, "rubric: %s: port %d is in use; the page is at port %d, where the browser cannot show work saved at other ports\n", s.command, playgroundPort, port)
		}
		if err == nil || port == playgroundLastPort {
			return l, err
		}
	}
}

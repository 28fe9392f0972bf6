package cli

import (
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/lsp"
)

var playgroundCommand = command{
	name:    "playground",
	summary: "a page that checks, explains and scores rubrics, with a live server behind it",
	long: `Serves the page that this program carries, and prints its address. The page works by
itself: it checks and scores in the browser, and fetches nothing. A language server
is at /lsp of the same address, over a WebSocket, which runs cases with your own
judges and targets; the address has its token after the #.

The browser saves your work for this address. Without --addr the port is therefore
always 7790, or the next free one up to 7799 if another program has it.

Only this machine can connect, and only pages of that address. Ends with an
interrupt.

Exit status: 0 after an interrupt, 2 if the address cannot be listened on or this
program was built without the page.`,
	example: "rubric playground\nrubric playground --addr 127.0.0.1:7780 --open",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		o := &playgroundOptions{}
		flags.StringVar(&o.addr, "addr", "", "serve at exactly this address of this machine (default 127.0.0.1:7790, or the next free port)")
		flags.BoolVar(&o.open, "open", false, "open the page in the browser")
		return func(s *session, args []string) int { return s.playground(args, o) }
	},
}

type playgroundOptions struct {
	addr string
	open bool
}

func (s *session) playground(args []string, o *playgroundOptions) int {
	if len(args) > 0 {
		return s.commandError("takes no arguments, and was given `%s`", args[0])
	}
	site, err := page.EmbeddedSite()
	if err != nil {
		return s.commandError("%s", err)
	}
	l, err := s.listenPlayground(o.addr)
	if err != nil {
		return s.commandError("%s", err)
	}
	defer s.handleInterrupts()()
	server := newLanguageServer(log.New(io.Discard, "", 0))
	server.Host = s.lspHost()
	live := &lsp.WebSocket{Server: server, Token: rand.Text()}
	defer live.Close()
	address := fmt.Sprintf("http://%s/#live=%s", l.Addr(), live.Token)
	if code := s.printText(address + "\n"); code != exitOK {
		return code
	}
	if o.open {
		if err := host.OpenBrowser(s.ctx, address); err != nil {
			fmt.Fprintf(s.stderr, "rubric: playground: the page was not opened: %s\n", err)
		}
	}
	if err := page.Serve(s.ctx, l, site, live); err != nil {
		return s.commandError("%s", err)
	}
	return exitOK
}

// Browsers store a page's data by its port, so the playground has a fixed one.
const playgroundPort, playgroundLastPort = 7790, 7799

// listenPlayground listens on addr. If addr is empty, it listens on the first free port
// of the playground's, and reports on stderr when that is not the usual one.
func (s *session) listenPlayground(addr string) (net.Listener, error) {
	if addr != "" {
		return lsp.Listen(addr, false)
	}
	for port := playgroundPort; ; port++ {
		l, err := lsp.Listen(fmt.Sprintf("127.0.0.1:%d", port), false)
		if err == nil && port > playgroundPort {
			fmt.Fprintf(s.stderr, "rubric: playground: port %d is in use; the page is at port %d, where the browser does not show work saved at other ports\n", playgroundPort, port)
		}
		if err == nil || port == playgroundLastPort {
			return l, err
		}
	}
}

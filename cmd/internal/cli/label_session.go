package cli

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"os"
	"strings"

	"github.com/rubric-ls/rubric/cmd/internal/host/labelpage"
	"github.com/rubric-ls/rubric/cmd/internal/host/page"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/calibrate"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/lsp/transport"
)

// serveLabels serves the labelling page until an interrupt.
func (s *session) serveLabels(evalFile string, o *labelOptions) int {
	defer s.handleInterrupts()()
	o.labeller = cmp.Or(o.labeller, os.Getenv("USER"), os.Getenv("USERNAME"))
	switch {
	case o.labeller == "":
		return s.commandError("say who labels, with --labeller NAME")
	case o.count < 0:
		return s.commandError("--count must be at least 0, not %d", o.count)
	}
	records, err := resultstore.ReadResults(resultstore.FindRunFile(o.results))
	if err == nil {
		records, err = s.recordsOfFile(records, evalFile, nil)
	}
	if err != nil {
		return s.commandError("%s", err)
	}
	suite, err := s.readLabelledSuite(evalFile)
	if err != nil {
		return s.commandError("%s", err)
	}
	l := &labelpage.Session{Path: labelsPath(evalFile, o.labels), By: o.labeller, Disputed: o.disputed, Token: rand.Text()}
	l.Items = calibrate.Queue(records, func(id string) string {
		if c := suite.Case(id); c != nil {
			return strings.Join(c.Tags, ",")
		}
		return ""
	})
	l.Agreement = func(labels []rubric.Label) ([][]string, []string) {
		r := calibrate.NewReport(records, labels, defaultWithin)
		return calibrationRows(r), calibrationRemarks(r)
	}
	if o.count > 0 {
		l.Items = l.Items[:min(o.count, len(l.Items))]
	}
	if len(l.Items) == 0 {
		return s.commandError("%s has no answer with criteria to label; label turns of a conversation in %s", o.results, l.Path)
	}
	if _, code := s.openOrStartLabels(evalFile, o.labels); code != exitOK {
		return code
	}
	release, err := resultstore.Lock(l.Path)
	if err != nil {
		return s.commandError("%s", err)
	}
	defer release()
	listener, err := transport.Listen(o.addr, false)
	if err != nil {
		return s.commandError("%s", err)
	}
	if code := s.announce(fmt.Sprintf("http://%s/%s/", listener.Addr(), l.Token), o.open); code != exitOK {
		return code
	}
	if err := page.ServeLoopback(s.ctx, listener, l); err != nil {
		return s.commandError("%s", err)
	}
	return exitOK
}

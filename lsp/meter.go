package lsp

import (
	"context"
	"time"

	"go.lsp.dev/protocol"
)

// creating is how long a client may take to make room for a progress; then there
// is none.
const creating = 5 * time.Second

// meter shows how far a job is, as often as the client takes it in. Work does not
// wait for it.
type meter struct {
	title  string
	latest chan protocol.WorkDoneProgressReport
	over   chan struct{}
}

func newMeter(title string) meter {
	return meter{title, make(chan protocol.WorkDoneProgressReport, 1), make(chan struct{})}
}

// report says how far the job is; what was said before and not yet shown is
// dropped. It is for one goroutine.
func (m meter) report(message string, done, total int) {
	r := protocol.WorkDoneProgressReport{Kind: "report", Message: &message}
	if total > 0 {
		r.Percentage = new(uint32(100 * done / total))
	}
	select {
	case <-m.latest:
	default:
	}
	m.latest <- r
}

func (m meter) close() { close(m.over) }

// show shows the progress from its beginning to its end to a client that can.
func (m meter) show(s *session, token string) {
	c := s.now.Load().client
	if !c.progresses {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, creating)
	defer cancel()
	if err := c.call(ctx, protocol.MethodWindowWorkDoneProgressCreate, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(token)}, nil); err != nil {
		return // the client does not want to know
	}
	c.progress(protocol.String(token), &protocol.WorkDoneProgressBegin{Kind: "begin", Title: m.title, Cancellable: new(true), Percentage: new(uint32)})
	for {
		select {
		case r := <-m.latest:
			c.progress(protocol.String(token), &r)
		case <-m.over:
			c.progress(protocol.String(token), &protocol.WorkDoneProgressEnd{Kind: "end"})
			return
		case <-s.ctx.Done():
			return
		}
	}
}

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
	steps  int // 0 if nobody knows
	latest chan protocol.WorkDoneProgressReport
	over   chan struct{}
}

func newMeter(title string, steps int) meter {
	return meter{title, steps, make(chan protocol.WorkDoneProgressReport, 1), make(chan struct{})}
}

// report says how far the job is; what was said before and not yet shown is
// dropped. It is for one goroutine.
func (m meter) report(message string, done int) {
	r := protocol.WorkDoneProgressReport{Kind: "report", Message: &message, Percentage: m.percent(done)}
	select {
	case <-m.latest:
	default:
	}
	m.latest <- r
}

// percent is how far a job is, nil if nobody knows.
func (m meter) percent(done int) *uint32 {
	if m.steps == 0 {
		return nil
	}
	return new(uint32(100 * min(done, m.steps) / m.steps))
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
	c.progress(protocol.String(token), &protocol.WorkDoneProgressBegin{Kind: "begin", Title: m.title, Cancellable: new(true), Percentage: m.percent(0)})
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

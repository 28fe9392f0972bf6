package lsp

import (
	"context"
	"time"

	"go.lsp.dev/protocol"
)

// createProgressTimeout is how long a client may take to make room for a progress; then there
// is none.
const createProgressTimeout = 5 * time.Second

// progress shows how far a job is, as often as the client takes it in. Work does not
// wait for it.
type progress struct {
	title  string
	total  int // 0 if nobody knows
	latest chan protocol.WorkDoneProgressReport
	done   chan struct{}
}

func newProgress(title string, steps int) progress {
	return progress{title, steps, make(chan protocol.WorkDoneProgressReport, 1), make(chan struct{})}
}

// report says how far the job is; what was said before and not yet shown is
// dropped. It is for one goroutine.
func (p progress) report(message string, done int) {
	r := protocol.WorkDoneProgressReport{Kind: "report", Message: &message, Percentage: p.percentage(done)}
	select {
	case <-p.latest:
	default:
	}
	p.latest <- r
}

// percentage is how far a job is, nil if nobody knows.
func (p progress) percentage(done int) *uint32 {
	if p.total == 0 {
		return nil
	}
	return new(uint32(100 * min(done, p.total) / p.total))
}

func (p progress) close() { close(p.done) }

// send shows the progress from its beginning to its end to a client that can.
func (p progress) send(s *session, token string) {
	c := s.snapshot.Load().client
	if !c.hasProgress {
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, createProgressTimeout)
	defer cancel()
	if err := c.call(ctx, protocol.MethodWindowWorkDoneProgressCreate, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(token)}, nil); err != nil {
		return // the client does not want to know
	}
	c.sendProgress(protocol.String(token), &protocol.WorkDoneProgressBegin{Kind: "begin", Title: p.title, Cancellable: new(true), Percentage: p.percentage(0)})
	for {
		select {
		case r := <-p.latest:
			c.sendProgress(protocol.String(token), &r)
		case <-p.done:
			c.sendProgress(protocol.String(token), &protocol.WorkDoneProgressEnd{Kind: "end"})
			return
		case <-s.ctx.Done():
			return
		}
	}
}

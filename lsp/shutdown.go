package lsp

import "time"

// grace is how long shutdown waits for what is under way: somebody who writes
// all their requests into a pipe at once still gets the answers.
const grace = 500 * time.Millisecond

// shutdown lets nothing more begin, and ends what runs.
func shutdown(s *session, _ *none) (any, error) {
	s.refreshes.last(func() { s.phase.Store(stopping) })
	s.jobs.stop("")
	settled := make(chan struct{})
	go func() {
		s.requests.Wait()
		s.publish.busy.Wait()
		s.jobs.busy.Wait()
		close(settled)
	}()
	select {
	case <-settled:
	case <-time.After(grace):
	case <-s.ctx.Done():
	}
	return nil, nil
}

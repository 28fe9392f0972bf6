package lsp

import "time"

// grace is how long shutdown waits for what is under way: somebody who writes
// all their requests into a pipe at once still gets the answers.
const grace = 500 * time.Millisecond

// shutdown lets nothing more begin, and ends what runs.
func shutdown(s *session, _ *none) (any, error) {
	s.refreshes.last(func() { s.phase.Store(stopping) })
	s.jobs.stop("")
	s.stirred.stir()
	settled := make(chan struct{})
	go func() {
		s.requests.Wait()
		s.publish.busy.Wait()
		s.jobs.busy.Wait()
		close(settled)
	}()
	if !s.within(grace, settled) {
		close(s.late)
		s.within(grace, settled) // until the refusals are written, to a client that reads them
	}
	return nil, nil
}

// within waits for something to be done, and reports whether it was, or nobody is
// left to wait for it.
func (s *session) within(patience time.Duration, done <-chan struct{}) bool {
	select {
	case <-done:
	case <-s.ctx.Done():
	case <-time.After(patience):
		return false
	}
	return true
}

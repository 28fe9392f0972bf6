package lsp

import "time"

// shutdownGrace is how long shutdown waits for what is under way: somebody who writes
// all their requests into a pipe at once still gets the answers.
const shutdownGrace = 500 * time.Millisecond

// shutdown lets nothing more begin, and ends what runs.
func shutdown(s *session, _ *noParams) (any, error) {
	s.refresher.withLock(func() { s.phase.Store(phaseStopping) })
	s.jobs.cancel("")
	s.changes.notify()
	settled := make(chan struct{})
	go func() {
		s.requests.Wait()
		s.publisher.wg.Wait()
		s.jobs.wg.Wait()
		close(settled)
	}()
	if !s.waitFor(shutdownGrace, settled) {
		close(s.abandoned)
		s.waitFor(shutdownGrace, settled) // until the refusals are written, to a client that reads them
	}
	return nil, nil
}

// waitFor waits for something to be done, and reports whether it was, or nobody is
// left to wait for it.
func (s *session) waitFor(patience time.Duration, done <-chan struct{}) bool {
	select {
	case <-done:
	case <-s.ctx.Done():
	case <-time.After(patience):
		return false
	}
	return true
}

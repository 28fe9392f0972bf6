package lsp

import "time"

// shutdownGrace is how long shutdown waits for running requests. A client that pipes in all
// requests at once still gets its responses.
const shutdownGrace = 500 * time.Millisecond

// shutdown rejects new work and ends what is running.
func shutdown(s *session, _ *noParams) (any, error) {
	s.phase.Store(phaseStopping)
	published := s.Stop()
	s.jobs.cancel("")
	settled := make(chan struct{})
	go func() {
		s.requests.Wait()
		<-published
		s.jobs.wg.Wait()
		close(settled)
	}()
	if !s.waitFor(shutdownGrace, settled) {
		close(s.abandoned)
		s.waitFor(shutdownGrace, settled) // until the error responses are written
	}
	return nil, nil
}

// waitFor waits until done is closed, the session ends or the timeout passes. It returns false on
// timeout.
func (s *session) waitFor(timeout time.Duration, done <-chan struct{}) bool {
	select {
	case <-done:
	case <-s.ctx.Done():
	case <-time.After(timeout):
		return false
	}
	return true
}

// parentPollInterval is how often the server checks that the client's process exists: a killed
// editor may leave the pipes open.
const parentPollInterval = 500 * time.Millisecond

// watchParent ends the session when the process exits.
func (s *session) watchParent(pid int) {
	if pid <= 0 {
		return
	}
	go func() {
		tick := time.NewTicker(parentPollInterval)
		defer tick.Stop()
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-tick.C:
				if !isAlive(pid) {
					s.log("the client's process %d has exited", pid)
					s.hangUp()
					return
				}
			}
		}
	}()
}

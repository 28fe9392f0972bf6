package lsp

import "time"

// parentPollInterval is how often it is looked whether the client's process is there: a
// killed editor may leave the pipes open.
const parentPollInterval = 500 * time.Millisecond

// watchParent ends the session when a process is gone.
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
					s.log("the client's process %d is gone", pid)
					s.hangUp()
					return
				}
			}
		}
	}()
}

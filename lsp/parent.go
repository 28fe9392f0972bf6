package lsp

import "time"

// heartbeat is how often it is looked whether the client's process is there: a
// killed editor may leave the pipes open.
const heartbeat = 500 * time.Millisecond

// follow ends the session when a process is gone.
func (s *session) follow(pid int) {
	if pid <= 0 {
		return
	}
	go func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-s.ctx.Done():
				return
			case <-tick.C:
				if !alive(pid) {
					s.log("the client's process %d is gone", pid)
					s.hangUp()
					return
				}
			}
		}
	}()
}

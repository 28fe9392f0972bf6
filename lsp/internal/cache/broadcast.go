package cache

import "sync"

// A Broadcast wakes all goroutines that wait for the next change of the workspace. The zero value is
// ready to use.
type Broadcast struct {
	mu      sync.Mutex
	changed chan struct{} // closed by the next change; nil until someone waits
}

// Wait returns a channel that the next notify closes.
func (b *Broadcast) Wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.changed
}

// notify wakes all current waiters.
func (b *Broadcast) notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

package lsp

import "sync"

// broadcast tells whoever waits for it that something has changed of which files may
// say something new.
type broadcast struct {
	mu      sync.Mutex
	changed chan struct{} // closed by the next change; nil while nobody waits
}

// wait is closed by the next change.
func (b *broadcast) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.changed
}

// notify says that something has changed.
func (b *broadcast) notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

package lsp

import "sync"

// stirred tells whoever waits for it that something has changed of which files may
// say something new.
type stirred struct {
	lock sync.Mutex
	news chan struct{} // closed by the next change; nil while nobody waits
}

// next is closed by the next change.
func (k *stirred) next() <-chan struct{} {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.news == nil {
		k.news = make(chan struct{})
	}
	return k.news
}

// stir says that something has changed.
func (k *stirred) stir() {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.news != nil {
		close(k.news)
		k.news = nil
	}
}

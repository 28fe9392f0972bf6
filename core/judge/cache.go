package judge

import "context"

// Store keeps answers. It must be safe for concurrent use.
type Store interface {
	// Get finds the answer kept under a key.
	Get(key string) (Answer, bool, error)
	// Put keeps an answer.
	Put(key string, a Answer) error
}

// Cache asks j only what the store has no answer to, and keeps what it says. Who
// is everything about j that its answers depend on; the rest of the key is the
// question's fingerprint. Failures to answer are not kept. A store that fails
// costs nothing but its use: tell hears of that, and of every answer whether it
// was kept; it must be safe for concurrent use.
func Cache(j Judge, who string, store Store, tell func(kept bool, err error)) Judge {
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		key := who + " " + q.Fingerprint()
		a, kept, bad := store.Get(key)
		if kept {
			tell(true, nil)
			a.Kept = true
			return a, nil
		}
		a, err := j.Ask(ctx, q)
		if err != nil {
			return a, err
		}
		if bad == nil {
			bad = store.Put(key, a)
		}
		tell(false, bad)
		return a, nil
	})
}

package judge

import "context"

// Store keeps answers. It must be safe for concurrent use.
type Store interface {
	// Get finds the answer kept under a key.
	Get(key string) (Answer, bool, error)
	// Put keeps an answer.
	Put(key string, a Answer) error
}

// Cache asks j only what the store has no usable answer to, and keeps what it says
// if that can be used. Who is everything about j that its answers depend on; the
// rest of the key is the fingerprint of the question as it was asked first, so that
// the answer to a repeat is the judgement's, and is there at once the next time.
//
// Failures to answer are not kept, and neither are replies that cannot be used:
// whoever runs it again wants them asked for again. A store that fails costs
// nothing but its use: tell hears of that, and of every answer whether it was
// kept; it must be safe for concurrent use.
func Cache(j Judge, identity string, store Store, onAnswer func(cached bool, err error)) Judge {
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		key := identity + " " + q.firstAttempt().Fingerprint()
		a, cached, storeErr := store.Get(key)
		if cached && q.accepts(a) {
			onAnswer(true, nil)
			a.Cached = true
			return a, nil
		}
		a, err := j.Ask(ctx, q)
		if err != nil {
			return a, err
		}
		if storeErr == nil && q.accepts(a) {
			storeErr = store.Put(key, a)
		}
		onAnswer(false, storeErr)
		return a, nil
	})
}

// firstAttempt is the question as it was asked first, if it says how that was.
func (q Question) firstAttempt() Question {
	if q.FirstUser != "" {
		q.User, q.Attempt = q.FirstUser, 0
	}
	return q
}

// accepts reports whether an answer can be used.
func (q Question) accepts(a Answer) bool { return q.Usable == nil || q.Usable(a.Text) }

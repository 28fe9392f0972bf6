package judge

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
)

// Store is a cache of answers. It must be safe for concurrent use.
type Store interface {
	// Get returns the answer stored under a key.
	Get(key string) (Answer, bool, error)
	// Put stores an answer.
	Put(key string, a Answer) error
}

// A Leaser is a [Store] that several processes share. Of those that have the same question, one asks it.
type Leaser interface {
	// Lease waits until no other holds the lease of a key. It returns a function that ends the lease, with an error too.
	Lease(ctx context.Context, key string) (release func(), err error)
}

// Cache returns a judge that asks j only questions to which the store has no usable answer, and
// stores usable answers. identity is everything about j that its answers depend on. The rest of
// the key is the fingerprint of the question's first attempt. So the answer to a retry is stored
// for the judgement, and the next run finds it at once.
//
// A question waits while an equal one is asked, so that it is asked once.
//
// Errors and unusable replies are not stored, so the next run asks again. If the store fails, the
// judge is asked. onAnswer is called with every such error, and for every answer with whether it
// came from the store; it must be safe for concurrent use.
func Cache(j Judge, identity string, store Store, onAnswer func(cached bool, err error)) Judge {
	var asking sync.Map // *sync.Mutex by key
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		key := identity + " " + q.firstAttempt().Fingerprint()
		lock, _ := asking.LoadOrStore(key, &sync.Mutex{})
		lock.(*sync.Mutex).Lock()
		defer lock.(*sync.Mutex).Unlock()
		a, cached, storeErr := store.Get(key)
		var leaseErr error
		if leaser, shared := store.(Leaser); shared && storeErr == nil && !(cached && q.accepts(a)) {
			var release func()
			release, leaseErr = leaser.Lease(ctx, key)
			defer release()
			if ctx.Err() != nil {
				return Answer{}, context.Cause(ctx)
			}
			a, cached, storeErr = store.Get(key)
		}
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
		onAnswer(false, cmp.Or(storeErr, leaseErr))
		return a, nil
	})
}

// firstAttempt returns the question as it was asked first, if it holds that.
func (q Question) firstAttempt() Question {
	if q.FirstUser != "" {
		q.User, q.Attempt = q.FirstUser, 0
	}
	return q
}

func (q Question) accepts(a Answer) bool { return q.Usable == nil || q.Usable(a.Text) }

// Named returns a judge that asks j under the name that a grader gives it, so that a recording tells
// its answers from those of other judges to the same question.
func Named(j Judge, name string) Judge {
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		q.Judge = name
		return j.Ask(ctx, q)
	})
}

// Limit lets Max questions through, counted over all judges that it wraps, and refuses the
// others. Questions whose context has ended are not counted. A Limit must not be copied after
// first use.
type Limit struct {
	Max   int
	Count Shared[int] // of questions, with those that were refused
}

// Wrap returns a judge that asks j within the limit.
func (l *Limit) Wrap(j Judge) Judge {
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		var number int
		if err := l.Count.Change(ctx, func(count *int, _ time.Time) { *count++; number = *count }); err != nil {
			return Answer{}, err
		}
		if number > l.Max {
			return Answer{}, fmt.Errorf("the limit of %d %s %w", l.Max, map[bool]string{true: "call", false: "calls"}[l.Max == 1], ErrLimit)
		}
		return j.Ask(ctx, q)
	})
}

// Refused returns the number of questions that the limit has refused.
func (l *Limit) Refused() (n int) {
	_ = l.Count.Change(context.Background(), func(count *int, _ time.Time) { n = max(0, *count-l.Max) })
	return n
}

// Seat is one judge of a panel, and its name in records.
type Seat struct {
	Name  string
	Judge Judge
}

// Panel returns a judge whose samples are the opinions of its seats. With n seats, sample s of a
// question is sample s÷n of seat s mod n. So n times as many samples ask each seat as often as a
// single judge would be asked. Each answer names its seat.
func Panel(seats ...Seat) Judge {
	return Func(func(ctx context.Context, q Question) (Answer, error) {
		seat := seats[q.Sample%len(seats)]
		q.Sample /= len(seats)
		a, err := seat.Judge.Ask(ctx, q)
		a.Judge = seat.Name
		return a, err
	})
}

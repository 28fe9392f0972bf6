package host

import (
	"context"
	"time"
)

// Sleep waits for a duration, or returns the cause when the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Repeat calls do after every interval until the context ends or stop is called, which waits for a call in progress.
func Repeat(ctx context.Context, interval time.Duration, do func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for Sleep(ctx, interval) == nil {
			do(ctx)
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

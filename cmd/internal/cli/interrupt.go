package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// handleInterrupts lets a command finish what it has begun when it is interrupted.
// A second interrupt ends the process. The returned function restores the default.
func (s *session) handleInterrupts() func() {
	if signal.Ignored(os.Interrupt) { // as in a shell's background job: stop would restore that
		exitOnSecondInterrupt()
	}
	ctx, stop := signal.NotifyContext(s.ctx, os.Interrupt, syscall.SIGTERM)
	s.ctx = ctx
	go func() { <-ctx.Done(); stop() }()
	return stop
}

// exitOnSecondInterrupt ends the process on the second interrupt that it gets,
// with the exit status that shells give to an interrupted program.
func exitOnSecondInterrupt() {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		<-interrupts
		os.Exit(130)
	}()
}

// runInterruptible does what comes before the first case, and gives its exit status.
// There is nothing to wind up yet, so an interrupt ends it at once, even if it waits for
// a file that does not come to its end. It talks to its own session, so that only one
// of them has the last word.
func (s *session) runInterruptible(prepare func(*session) int) int {
	var messages bytes.Buffer
	inner := *s
	if inner.stderr, inner.color = &messages, "never"; s.useColor(s.stderr) {
		inner.color = "always"
	}
	done := make(chan int, 1)
	go func() { done <- prepare(&inner) }()
	select {
	case code := <-done:
		if s.ctx.Err() == nil {
			_, _ = s.stderr.Write(messages.Bytes()) // what cannot be told on standard error cannot be told
			return code
		}
	case <-s.ctx.Done():
	}
	fmt.Fprintf(s.stderr, "rubric: interrupted before the first case\n")
	return exitFindings
}

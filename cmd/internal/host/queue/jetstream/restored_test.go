package jetstream

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestUnansweredTry: a server that restarts never answers what it was asked before. The next try is answered.
func TestUnansweredTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, tries := time.Now(), 0
		err := whileJoining(t.Context(), func(ctx context.Context) error {
			if tries++; tries == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		})
		if waited := time.Since(begin); err != nil || tries != 2 || waited >= joinTime {
			t.Errorf("%d tries in %v: %v", tries, waited, err)
		}
	})
}

// TestUnansweredJoin: an error says what to check if the server never answers.
func TestUnansweredJoin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		err := whileJoining(t.Context(), func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if err == nil || !strings.Contains(err.Error(), "check that JetStream is on") {
			t.Error(err)
		}
	})
}

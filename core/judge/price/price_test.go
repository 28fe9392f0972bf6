package price_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/judge/price"
)

func TestFind(t *testing.T) {
	table := price.Table{"openai:m": {1, 2}, "ollama:*": {0, 0}}
	for _, c := range []struct {
		provider, model string
		known           bool
	}{
		{"openai", "m", true}, {"openai", "m-2026-01-31", true}, {"openai", "m-20260131", true}, {"openai", "m-latest", true},
		{"openai", "m-mini", false}, {"openai", "", false}, {"azure", "m", false}, {"ollama", "whatever", true},
	} {
		if _, known := table.Lookup(c.provider, c.model); known != c.known {
			t.Errorf("%s:%s is known: %v", c.provider, c.model, known)
		}
	}
	for name, rate := range price.BuiltIn() {
		provider, model, _ := strings.Cut(name, ":")
		if found, known := price.BuiltIn().Lookup(provider, model); !known || found != rate || rate.Input > rate.Output {
			t.Errorf("%s: %+v", name, rate)
		}
	}
}

// TestBudget: concurrent questions stay within the limit, and unused reservations are released.
func TestBudget(t *testing.T) {
	rate := &price.Rate{Input: 1000, Output: 1000}
	q := judge.Question{User: strings.Repeat("x", 250), Brief: judge.Brief{Items: make([]judge.Item, 1)}} // at most 100 read and 240 written: $0.34
	begun, answering := make(chan bool), make(chan bool)
	b := &price.Budget{Max: 1}
	j := b.Charge(judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		begun <- true
		<-answering
		return judge.Answer{Text: "a", Usage: judge.Usage{Input: 50, Output: 50}}, nil
	}), rate)
	reported := make(chan error, 10)
	for range 10 {
		go func() {
			a, err := j.Ask(t.Context(), q)
			if err == nil && *a.Usage.Cost != 0.1 {
				t.Errorf("it cost %v", *a.Usage.Cost)
			}
			reported <- err
		}()
	}
	asked, refused := 0, 0
	<-begun
	<-begun // which may cost 0.68; a third waits until it is known what one of them did
	for asked = 2; asked < 5; asked++ {
		answering <- true
		<-begun // 0.3 is spent at the most, and 0.34 set aside
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := j.Ask(gone, q); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits for it: %v", err)
	}
	for range 10 {
		for waiting := true; waiting; {
			select {
			case answering <- true:
			case <-begun:
				asked++
			case err := <-reported:
				waiting = false
				if err != nil {
					refused++
					if !strings.Contains(err.Error(), "the limit of $1 is reached: $0.7000 is spent, and this would take up to $0.34") {
						t.Error(err)
					}
				}
			}
		}
	}
	if asked != 7 || refused != 3 { // 0.6 and 0.34 is within it, 0.7 and 0.34 is not
		t.Errorf("%d asked, %d refused", asked, refused)
	}
}

// TestUnknown: unknown costs differ from zero costs, and failures count with the usage that they
// report.
func TestUnknown(t *testing.T) {
	b := &price.Budget{}
	reply := judge.Answer{Text: "a", Usage: judge.Usage{Input: 1e6}}
	fail := error(nil)
	j := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) { return reply, fail })
	if a, err := b.Charge(j, nil).Ask(t.Context(), judge.Question{}); err != nil || a.Usage.Cost != nil {
		t.Errorf("%+v, %v", a, err)
	}
	fail = errors.New("refused")
	if _, err := b.Charge(j, &price.Rate{Input: 2}).Ask(t.Context(), judge.Question{}); err != fail {
		t.Error(err)
	}
	reply = judge.Answer{}
	_, _ = b.Charge(j, nil).Ask(t.Context(), judge.Question{})
	b.Max = 1
	if _, err := b.Charge(j, &price.Rate{Input: 2}).Ask(t.Context(), judge.Question{}); err == nil || !strings.Contains(err.Error(), "$2.0000 is spent") {
		t.Error(err)
	}
}

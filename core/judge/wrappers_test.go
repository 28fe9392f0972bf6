package judge_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rubric-ls/rubric/core/judge"
)

// memoryStore is a store in memory that fails when it is told to.
type memoryStore struct {
	answers   map[string]judge.Answer
	get, put  error
	got, puts int
}

func (s *memoryStore) Get(key string) (judge.Answer, bool, error) {
	s.got++
	a, ok := s.answers[key]
	return a, ok && s.get == nil, s.get
}

func (s *memoryStore) Put(key string, a judge.Answer) error {
	s.puts++
	if s.put == nil {
		s.answers[key] = a
	}
	return s.put
}

func TestCache(t *testing.T) {
	store := &memoryStore{answers: map[string]judge.Answer{}}
	asked := 0
	live := judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
		asked++
		if q.User == "hard" {
			return judge.Answer{}, judge.ErrUnreachable
		}
		return judge.Answer{Text: q.User, Model: "m", Usage: judge.Usage{Input: 1}}, nil
	})
	cached, faults := 0, 0
	ask := func(who string, q judge.Question) (judge.Answer, error) {
		return judge.Cache(live, who, store, func(k bool, err error) {
			if k {
				cached++
			}
			if err != nil {
				faults++
			}
		}).Ask(t.Context(), q)
	}
	first, err := ask("a", judge.Question{User: "one"})
	again, bad := ask("a", judge.Question{User: "one"})
	was := again.Cached
	again.Cached = false
	if err != nil || bad != nil || first.Cached || !was || !reflect.DeepEqual(first, again) || asked != 1 || cached != 1 {
		t.Errorf("%+v, %+v, asked %d times", first, again, asked)
	}
	for _, q := range []judge.Question{{User: "two"}, {User: "one", Sample: 1}, {User: "one", Attempt: 1}, {User: "one", System: "s"}} {
		ask("a", q)
	}
	ask("b", judge.Question{User: "one"})
	if asked != 6 || cached != 1 {
		t.Errorf("asked %d times, %d kept: another judge or question is another judgement", asked, cached)
	}
	for range 2 {
		if _, err := ask("a", judge.Question{User: "hard"}); err == nil {
			t.Error("a failure became an answer")
		}
	}
	if asked != 8 {
		t.Error("a failure was kept")
	}
	store.get = errors.New("disk")
	if a, err := ask("a", judge.Question{User: "one"}); err != nil || a.Text != "one" || faults != 1 || store.puts != 6 {
		t.Errorf("%+v %v: a store that fails costs nothing, %d faults, %d puts", a, err, faults, store.puts)
	}
	store.get, store.put = nil, errors.New("full")
	if a, err := ask("a", judge.Question{User: "new"}); err != nil || a.Text != "new" || faults != 2 {
		t.Errorf("%+v %v, %d faults", a, err, faults)
	}
}

// TestCacheKeepsWhatCanBeUsed: only usable replies are stored, and the answer to a retry is
// stored for the question.
func TestCacheKeepsWhatCanBeUsed(t *testing.T) {
	first := judge.Question{User: "one", Usable: func(reply string) bool { return reply == "good" }}
	repeat := first
	repeat.User, repeat.Attempt, repeat.FirstUser = "one, again", 1, first.User
	old := &memoryStore{answers: map[string]judge.Answer{"j " + first.Fingerprint(): {Text: "bad"}}} // kept when all was
	for name, store := range map[string]*memoryStore{"empty": {answers: map[string]judge.Answer{}}, "with a bad reply": old} {
		var asked []string
		reply := ""
		j := judge.Cache(judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			asked = append(asked, q.User)
			return judge.Answer{Text: reply}, nil
		}), "j", store, func(bool, error) {})
		for i, c := range []struct {
			q     judge.Question
			reply string // if asked
			want  string
			asked int // so far
		}{
			{first, "bad", "bad", 1},
			{first, "worse", "worse", 2},
			{repeat, "bad", "bad", 3},
			{repeat, "good", "good", 4},
			{repeat, "bad", "good", 4},
			{first, "bad", "good", 4},
		} {
			reply = c.reply
			if a, err := j.Ask(t.Context(), c.q); err != nil || a.Text != c.want || len(asked) != c.asked {
				t.Errorf("%s, %d: %q %v, asked %q", name, i, a.Text, err, asked)
			}
		}
	}
}

// TestLimit: the limit counts the questions of all judges together, also concurrent ones.
func TestLimit(t *testing.T) {
	var asked, failed atomic.Int64
	live := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		asked.Add(1)
		return judge.Answer{}, nil
	})
	limit := judge.Limit{Max: 5}
	judges := []judge.Judge{limit.Wrap(live), limit.Wrap(live)}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := judges[i%2].Ask(t.Context(), judge.Question{}); err != nil {
				failed.Add(1)
				if err.Error() != "the limit of 5 calls is reached" {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := judges[0].Ask(stopped, judge.Question{}); !errors.Is(err, context.Canceled) { // which no limit keeps it from
		t.Error(err)
	}
	if asked.Load() != 5 || failed.Load() != 15 || limit.Refused() != 15 {
		t.Errorf("%d asked, %d failed", asked.Load(), failed.Load())
	}
}

// TestPanel: the seats take turns, each is asked for as many samples as it would be
// alone, and a recording of the panel replays it.
func TestPanel(t *testing.T) {
	seat := func(name string) judge.Seat {
		return judge.Seat{Name: name, Judge: judge.Func(func(_ context.Context, q judge.Question) (judge.Answer, error) {
			return judge.Answer{Text: fmt.Sprint(name, q.Sample)}, nil
		})}
	}
	var recording bytes.Buffer
	ask := func(j judge.Judge) (answer []string) {
		for sample := range 4 {
			a, err := j.Ask(t.Context(), judge.Question{User: "u", Sample: sample})
			if err != nil {
				t.Fatal(err)
			}
			answer = append(answer, a.Text+" by "+a.Judge)
		}
		return answer
	}
	want := []string{"a0 by a", "b0 by b", "a1 by a", "b1 by b"}
	if got := ask(judge.Record(judge.Panel(seat("a"), seat("b")), []string{"a", "b"}, &recording)); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	replay, err := judge.ReadReplay(&recording)
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(replay); !slices.Equal(got, want) {
		t.Errorf("replayed: %v", got)
	}
}

// TestCacheAsksOnce: equal questions that are asked at the same time cost one call.
func TestCacheAsksOnce(t *testing.T) {
	var calls atomic.Int64
	asked := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{Text: fmt.Sprint(calls.Add(1))}, nil
	})
	cached := judge.Cache(asked, "m", &memory{answers: map[string]judge.Answer{}}, func(bool, error) {})
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if a, err := cached.Ask(t.Context(), judge.Question{User: "Q"}); err != nil || a.Text != "1" {
				t.Errorf("%v %v", a, err)
			}
		})
	}
	wait.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// memory is a store in memory.
type memory struct {
	mu      sync.Mutex
	answers map[string]judge.Answer
}

func (m *memory) Get(key string) (judge.Answer, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, found := m.answers[key]
	return a, found, nil
}

func (m *memory) Put(key string, a judge.Answer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers[key] = a
	return nil
}

package cli_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// scripted stands in for OpenAI's models, with nothing judged before: it replies with
// what it is told to, one after the other, the last for ever.
type scripted struct {
	lock    sync.Mutex
	replies []string
	calls   int
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	reply := s.replies[min(s.calls, len(s.replies)-1)]
	s.calls++
	fmt.Fprintf(w, `{"model":"m","choices":[{"message":{"content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9}}`, reply)
}

// setReplies gives it other replies.
func (s *scripted) setReplies(replies []string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.replies, s.calls = replies, 0
}

// callCount is how often it was asked since.
func (s *scripted) callCount() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.calls
}

func scriptedModel(t *testing.T) *scripted {
	s := &scripted{}
	serveProvider(t, s)
	return s
}

// TestUnusableRepliesAreAskedForAgain by the next run, as what was judged is not;
// a recording has them all, and replays to the same.
func TestUnusableRepliesAreAskedForAgain(t *testing.T) {
	const good, other = `{"checks":[{"id":"rubric-1","satisfied":true,"reasoning":"so"}],"overall_reasoning":"so"}`,
		`{"checks":[{"id":"another","satisfied":true,"reasoning":"so"}],"overall_reasoning":"so"}`
	for _, c := range []struct {
		name, args   string
		first        []string // what the model says in the first run
		calls, again int      // of the first run, and of one where it always replies well
		code, later  int      // exit status of the first run, and of those after it
	}{
		{"well", "", []string{good}, 1, 0, 0, 0},
		{"no JSON", "", []string{"well, it is fine"}, 3, 1, 3, 0},
		{"of other criteria", "", []string{other}, 3, 1, 3, 0},
		{"mended", "", []string{"fine", good}, 2, 0, 0, 0},
		{"mended at last", "", []string{"fine", other, good}, 3, 0, 0, 0},
		{"of the later profile, put into form", "--profile agentv-head", []string{"fine", "fine", "fine", good}, 4, 0, 0, 0},
		{"of the reference's profile", "--profile agentv", []string{"fine"}, 3, 1, 1, 0},
		{"one of two samples", "--samples 2", []string{"fine", "fine", "fine", good}, 4, 1, 3, 0},
		{"a panel", "--judge openai:n", []string{"fine", good, good}, 3, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := scriptedModel(t)
			dir := write(t, map[string]string{"x.eval.yaml": three})
			args := append([]string{"run", filepath.Join(dir, "x.eval.yaml"), "--case", "a", "--judge", "openai:m"}, strings.Fields(c.args)...)
			run := func(replies []string, more ...string) (calls, code int, out string) {
				m.setReplies(replies)
				code, _, stderr := rubric(t, "", append(args, more...)...)
				if code == 2 {
					t.Fatal(stderr)
				}
				written, _ := os.ReadFile(filepath.Join(dir, "r.jsonl"))
				return m.callCount(), code, string(written)
			}
			recording, out := filepath.Join(dir, "tape"), filepath.Join(dir, "r.jsonl")
			calls, code, recorded := run(c.first, "--record", recording, "--out", out)
			if calls != c.calls || code != c.code {
				t.Errorf("the first run: %d calls, exit status %d\n%s", calls, code, recorded)
			}
			if lines, _ := os.ReadFile(recording); strings.Count(string(lines), "\n") != c.calls {
				t.Errorf("recorded are\n%s", lines)
			}
			if calls, code, _ := run([]string{good}); calls != c.again || code != c.later {
				t.Errorf("the second run: %d calls, exit status %d", calls, code)
			}
			if calls, code, _ := run([]string{good}); calls != 0 || code != c.later {
				t.Errorf("the third run: %d calls, exit status %d", calls, code)
			}
			calls, code, replayed := run([]string{good}, "--replay", recording, "--out", out)
			if calls != 0 || code != c.code || strings.Count(replayed, `"text":`) != strings.Count(recorded, `"text":`) {
				t.Errorf("replayed: %d calls, exit status %d\n%s\n%s", calls, code, replayed, recorded)
			}
		})
	}
}

// TestUnusableVerdictsAreAskedForAgain: of metrics, too.
func TestUnusableVerdictsAreAskedForAgain(t *testing.T) {
	var calls atomic.Int32
	var well atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1); well.Load() {
			agreeWithAll(w, r)
			return
		}
		io.WriteString(w, `{"model":"m","choices":[{"message":{"content":"well, it is fine"},"finish_reason":"stop"}]}`)
	}))
	defer site.Close()
	useTempCache(t)
	t.Setenv("OPENAI_API_KEY", judgeKey)
	t.Setenv("OPENAI_BASE_URL", site.URL)
	run := func() int32 {
		calls.Store(0)
		if code, _, stderr := rubric(t, "", "run", banking, "--recorded", visits, "--judge", "openai:m"); code > 1 {
			t.Fatal(stderr)
		}
		return calls.Load()
	}
	first := run()
	if first == 0 {
		t.Fatal("nothing is asked")
	}
	well.Store(true)
	if second := run(); second < first { // sentences are labelled once there are any
		t.Errorf("%d calls, then %d", first, second)
	}
	if third := run(); third != 0 {
		t.Errorf("what was judged well is asked for again: %d calls", third)
	}
}

// TestDamagedCache: a damaged answer is asked for again and replaced, and clearing leaves nothing.
func TestDamagedCache(t *testing.T) {
	const good = `{"checks":[{"id":"rubric-1","satisfied":true,"reasoning":"so"}],"overall_reasoning":"so"}`
	m := scriptedModel(t)
	m.setReplies([]string{good})
	dir := write(t, map[string]string{"x.eval.yaml": three})
	folder, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(folder, "rubric", "judgements")
	for i, want := range []int{1, 1, 2, 2} {
		if i == 2 {
			for _, file := range cachedAnswers(t, cache) {
				if err := os.Truncate(file, 12); err != nil {
					t.Fatal(err)
				}
			}
		}
		code, stdout, stderr := rubric(t, "", "run", filepath.Join(dir, "x.eval.yaml"), "--case", "a", "--judge", "openai:m")
		if code != 0 || m.callCount() != want {
			t.Errorf("run %d: %d, the model was asked %d times, want %d\n%s%s", i, code, m.callCount(), want, stdout, stderr)
		}
	}
	if code, stdout, stderr := rubric(t, "", "cache", "clear"); code != 0 || stdout != "1 answer deleted, 1 kB\n" {
		t.Errorf("cache clear: %d %s%s", code, stdout, stderr)
	}
	if left, err := filepath.Glob(cache + "*"); len(left) > 0 || err != nil {
		t.Errorf("cache clear leaves %q, %v", left, err)
	}
}

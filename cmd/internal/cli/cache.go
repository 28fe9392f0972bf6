package cli

import (
	"fmt"
	"io"
	"sync"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgements"
)

var cacheVerb = verb{
	name:    "cache",
	args:    "stats | clear",
	summary: "what models have judged, which is not asked again",
	long: `A run keeps each answer of a model that judges, by everything that it depends on:
the prompt, the schema of the reply, provider, model, parameters, and which of
several samples it is. Questions are kept as fingerprints, answers as they are, no
keys at all. rubric run --no-cache does without.`,
	example: "rubric cache stats\nrubric cache clear",
	setup: func(*pflag.FlagSet) func(*session, []string) int {
		return func(s *session, args []string) int { return s.cache(args) }
	},
}

func (s *session) cache(args []string) int {
	if len(args) != 1 || args[0] != "stats" && args[0] != "clear" {
		return s.misuse("cache: say `stats` or `clear`")
	}
	store, err := judgements.Usual()
	if err != nil {
		return s.misuse("cache: %s", err)
	}
	if args[0] == "clear" {
		if err := store.Clear(); err != nil {
			return s.misuse("cache: %s", err)
		}
		return exitOK
	}
	stats, err := store.Stats()
	if err != nil {
		return s.misuse("cache: %s", err)
	}
	if _, err := fmt.Fprintf(s.stdout, "%s\n%s, %d kB\n", store.Path, plural(stats.Answers, "answer"), (stats.Bytes+1023)/1024); err != nil {
		return s.misuse("cache: %s", err)
	}
	return exitOK
}

// tally counts the judgements of a run, and those that were kept from another.
type tally struct {
	mu        sync.Mutex
	all, kept int
	fault     error // the first of the cache
}

func (t *tally) hear(kept bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all++
	if kept {
		t.kept++
	}
	if t.fault == nil {
		t.fault = err
	}
}

// tell says what was not asked again, and that a cache is not of use.
func (t *tally) tell(w io.Writer) {
	if t.fault != nil {
		fmt.Fprintf(w, "rubric: %s; answers are not kept there\n", t.fault)
	}
	if t.kept > 0 {
		fmt.Fprintf(w, "rubric: %d of %s kept from an earlier run; --no-cache asks again\n", t.kept, plural(t.all, "judgement"))
	}
}

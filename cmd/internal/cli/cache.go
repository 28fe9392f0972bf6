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
	summary: "what models have judged, which is not asked again",
	long: `A run keeps each answer of a model that judges, by everything that it depends on:
the prompt, the schema of the reply, provider, model, parameters, and which of
several samples it is. Questions are kept as fingerprints, answers as they are, no
keys at all. rubric run --no-cache does without.

What cannot be used is not kept, and is asked for again by the next run: a reply
that is not in the form asked for, a refusal, a judge that is away. Where a repeat
was answered well, that is the answer to the question from then on. A recording
(rubric run --record) has every reply, whatever it is worth.`,
	example: "rubric cache stats\nrubric cache clear",
	parts: []verb{
		cachePart("cache stats", "where the answers are kept, and how many", (*session).cacheStats),
		cachePart("cache clear", "forget them all", (*session).cacheClear),
	},
}

// cachePart is a part of the verb that takes nothing.
func cachePart(name, summary string, do func(*session, *judgements.Store) error) verb {
	return verb{name: name, summary: summary, example: "rubric " + name, setup: func(*pflag.FlagSet) func(*session, []string) int {
		return func(s *session, args []string) int {
			if len(args) > 0 {
				return s.refuse("takes no arguments, and was given `%s`", args[0])
			}
			store, err := judgements.Usual()
			if err == nil {
				err = do(s, store)
			}
			if err != nil {
				return s.refuse("%s", err)
			}
			return exitOK
		}
	}}
}

func (s *session) cacheStats(store *judgements.Store) error {
	stats, err := store.Stats()
	if err == nil {
		_, err = fmt.Fprintf(s.stdout, "%s\n%s, %d kB\n", store.Path, plural(stats.Answers, "answer"), (stats.Bytes+1023)/1024)
	}
	return err
}

func (s *session) cacheClear(store *judgements.Store) error {
	stats, _ := store.Stats() // what cannot be read goes, too
	err := store.Clear()
	if err == nil {
		_, err = fmt.Fprintf(s.stdout, "%s forgotten, %d kB\n", plural(stats.Answers, "answer"), (stats.Bytes+1023)/1024)
	}
	return err
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
		fmt.Fprintf(w, "rubric: %s\n", t.fault)
	}
	if t.kept > 0 {
		fmt.Fprintf(w, "rubric: %d of %s kept from an earlier run; --no-cache asks again\n", t.kept, plural(t.all, "judgement"))
	}
}

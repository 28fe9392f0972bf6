package cli

import (
	"fmt"
	"io"
	"sync"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
)

var cacheCommand = command{
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
	subcommands: []command{
		cacheSubcommand("cache stats", "where the answers are kept, and how many", (*session).cacheStats),
		cacheSubcommand("cache clear", "forget them all", (*session).cacheClear),
	},
}

// cacheSubcommand is a part of the verb that takes nothing.
func cacheSubcommand(name, summary string, do func(*session, *judgecache.Store) error) command {
	return command{name: name, summary: summary, example: "rubric " + name, setup: func(*pflag.FlagSet) func(*session, []string) int {
		return func(s *session, args []string) int {
			if len(args) > 0 {
				return s.commandError("takes no arguments, and was given `%s`", args[0])
			}
			store, err := judgecache.Default()
			if err == nil {
				err = do(s, store)
			}
			if err != nil {
				return s.commandError("%s", err)
			}
			return exitOK
		}
	}}
}

func (s *session) cacheStats(store *judgecache.Store) error {
	stats, err := store.Stats()
	if err == nil {
		_, err = fmt.Fprintf(s.stdout, "%s\n%s, %d kB\n", store.Path, plural(stats.Answers, "answer"), (stats.Bytes+1023)/1024)
	}
	return err
}

func (s *session) cacheClear(store *judgecache.Store) error {
	stats, _ := store.Stats() // what cannot be read goes, too
	err := store.Clear()
	if err == nil {
		_, err = fmt.Fprintf(s.stdout, "%s forgotten, %d kB\n", plural(stats.Answers, "answer"), (stats.Bytes+1023)/1024)
	}
	return err
}

// cacheUsage counts the judgements of a run, and those that were kept from another.
type cacheUsage struct {
	mu            sync.Mutex
	total, cached int
	err           error // the first of the cache
}

func (u *cacheUsage) count(cached bool, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.total++
	if cached {
		u.cached++
	}
	if u.err == nil {
		u.err = err
	}
}

// print says what was not asked again, and that a cache is not of use.
func (u *cacheUsage) print(w io.Writer) {
	if u.err != nil {
		fmt.Fprintf(w, "rubric: %s\n", u.err)
	}
	if u.cached > 0 {
		fmt.Fprintf(w, "rubric: %d of %s kept from an earlier run; --no-cache asks again\n", u.cached, plural(u.total, "judgement"))
	}
}

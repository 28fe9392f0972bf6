package cli

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/core/diag"
)

var cacheCommand = command{
	name:    "cache",
	summary: "Show or clear the cache of judgements and of results in editors",
	example: "rubric cache stats\nrubric cache clear",
	subcommands: []command{
		cacheSubcommand("cache stats", "Print the folders, the number of answers and the sizes", (*session).cacheStats),
		cacheSubcommand("cache clear", "Delete all cached judgements and the results of editors", (*session).cacheClear),
	},
}

// cacheSubcommand returns a subcommand without arguments.
func cacheSubcommand(name, summary string, do func(*session, *judgecache.Store) error) command {
	return command{name: name, summary: summary, example: "rubric " + name, setup: withoutFlags(func(s *session, _ []string) error {
		store, err := judgecache.Default()
		if err != nil {
			return err
		}
		return do(s, store)
	})}
}

func (s *session) cacheStats(store *judgecache.Store) error {
	stats, err := store.Stats()
	results, resultsErr := resultstore.DefaultEditorResults()
	if err = errors.Join(err, resultsErr); err == nil {
		_, err = fmt.Fprintf(s.stdout, "%s\n%s, %d kB\n%s\nresults of editors, %d kB\n",
			store.Path, diag.CountNoun(stats.Answers, "answer"), (stats.Bytes+1023)/1024, results.Folder, (results.Size()+1023)/1024)
	}
	return err
}

func (s *session) cacheClear(store *judgecache.Store) error {
	stats, _ := store.Stats() // an unreadable cache can be cleared too
	results, err := resultstore.DefaultEditorResults()
	size := results.Size()
	if err = errors.Join(err, store.Clear()); err == nil {
		err = os.RemoveAll(results.Folder)
	}
	if err == nil {
		_, err = fmt.Fprintf(s.stdout, "%s deleted, %d kB\n", diag.CountNoun(stats.Answers, "answer"), (stats.Bytes+1023)/1024)
	}
	if err == nil && size > 0 {
		_, err = fmt.Fprintf(s.stdout, "results of editors deleted, %d kB\n", (size+1023)/1024)
	}
	return err
}

// cacheUsage counts the judgements of a run, and those from the cache.
type cacheUsage struct {
	mu            sync.Mutex
	total, cached int
	err           error // first cache error
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

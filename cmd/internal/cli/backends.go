package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host/judgecache"
	"github.com/rubric-ls/rubric/cmd/internal/host/resultstore"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/run"
)

// backends open the judges and targets of a run.
type backends struct {
	*targets.Ports
	options    *runOptions
	recording  io.WriteCloser // nil without --record
	cacheUsage cacheUsage
	shared     sharedStores // of a queue
	suites     []loadedSuite
}

// newBackends returns the backends of a run, with nothing open but the recording of --record.
func (s *session) newBackends(files []string, o *runOptions) (*backends, error) {
	var plan *run.Plan
	if o.dryRun || o.isCoordinator() { // workers ask
		plan = &run.Plan{}
	}
	ports, err := targets.NewPorts(o.Settings, plan, files...)
	if err != nil {
		return nil, err
	}
	ports.OnNote = s.printNote
	b := &backends{Ports: ports, options: o}
	if o.queue.URL != "" {
		ports.Share(&b.shared)
	}
	if !o.NoCache && o.isWorker {
		b.Cache = &b.shared
	} else if !o.NoCache {
		b.OnJudgement = b.cacheUsage.count
		if b.Cache, err = s.openCache(o.Cache); err != nil && o.Cache != "" {
			return nil, fmt.Errorf("--cache: %w", err)
		}
		b.cacheUsage.err = err
	}
	if plan != nil || o.Record == "" {
		return b, nil
	}
	b.recording, err = resultstore.OpenRecording(o.Record)
	return b, err
}

// ObjectStore opens a judgement cache in an object store. It is nil in the program rubric, as [QueueClient] is.
var ObjectStore func(ctx context.Context, address string) (judge.Store, error)

// openCache opens the judgement cache in a folder or an object store, or the user's.
func (s *session) openCache(address string) (judge.Store, error) {
	folder, isFile := strings.CutPrefix(address, "file://")
	switch {
	case address == "":
		store, err := judgecache.Default()
		if err != nil {
			return nil, err
		}
		return store, nil
	case isFile || !strings.Contains(address, "://"):
		return &judgecache.Store{Path: folder}, nil
	case ObjectStore == nil:
		return nil, errors.New("object stores need the program rubric-queue; see `rubric help cache`")
	}
	return ObjectStore(s.ctx, address)
}

// printNotes prints facts about the backends that are not in the results.
func (b *backends) printNotes(w io.Writer) {
	b.printUnanswered(w)
	if err := b.cacheUsage.err; err != nil {
		fmt.Fprintf(w, "rubric: %s\n", err)
	}
	if u := &b.cacheUsage; u.cached > 0 {
		fmt.Fprintf(w, "rubric: %d of %s from the cache; --no-cache asks again\n", u.cached, diag.CountNoun(u.total, "judgement"))
	}
	if b.Limit.Max > 0 && b.Limit.Refused() > 0 {
		fmt.Fprintf(w, "rubric: --max-calls reached: %s not asked\n", diag.CountNoun(b.Limit.Refused(), "question"))
	}
	if n := b.Budget.Refused(); n > 0 {
		fmt.Fprintf(w, "rubric: --max-cost reached: %s not asked\n", diag.CountNoun(n, "question"))
	}
}

func (b *backends) close() {
	for _, suite := range b.suites {
		if suite.run != nil {
			suite.run.Close()
		}
	}
	if b.recording != nil {
		b.recording.Close()
	}
}

// openSuites opens the targets and judges of all suites, before the first case costs money.
func (b *backends) openSuites(ctx context.Context) error {
	ports := b.Host()
	if b.recording != nil {
		ports.Recorder = b.recording
	}
	for i := range b.suites {
		suite := &b.suites[i]
		file, err := suite.file(b.options)
		if err != nil {
			return err
		}
		settings := b.options.Settings
		if judge := suite.variant.Judge; judge != "" {
			settings.Judges = []string{judge}
		}
		if suite.run, err = run.Open(ctx, ports, settings, file); err != nil {
			return err
		}
		if suite.answers != nil {
			suite.answers.Share(suite.run)
		}
		for _, other := range b.suites[:i] {
			switch {
			case other.path != suite.path || other.run.Variant() != suite.run.Variant():
			case other.variant.Target != suite.variant.Target:
				return fmt.Errorf("two targets have the name `%s` in results; run them one after the other", suite.run.TargetName)
			default:
				return fmt.Errorf("two judges have the name `%s` in results; run them one after the other", suite.run.JudgeName)
			}
		}
	}
	return nil
}

// printUnanswered suggests another target if expected outputs are missing.
func (b *backends) printUnanswered(w io.Writer) {
	if b.options.unanswered == 0 {
		return
	}
	hint := "NAME asks another target"
	for _, suite := range b.suites {
		if names := suite.suite.Targets; len(names) > 0 {
			hint = names[0] + " asks the target that the file names"
		}
	}
	fmt.Fprintf(w, "rubric: %s without an expected output; --target %s\n", diag.CountNoun(b.options.unanswered, "case"), hint)
}

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
	answers, size, err := store.Stats()
	results, resultsErr := resultstore.DefaultEditorResults()
	if err = errors.Join(err, resultsErr); err == nil {
		_, err = fmt.Fprintf(s.stdout, "%s\n%s, %d kB\n%s\nresults of editors, %d kB\n",
			store.Path, diag.CountNoun(answers, "answer"), (size+1023)/1024, results.Folder, (results.Size()+1023)/1024)
	}
	return err
}

func (s *session) cacheClear(store *judgecache.Store) error {
	answers, size, _ := store.Stats() // an unreadable cache can be cleared too
	results, err := resultstore.DefaultEditorResults()
	resultsSize := results.Size()
	if err = errors.Join(err, store.Clear()); err == nil {
		err = os.RemoveAll(results.Folder)
	}
	if err == nil {
		_, err = fmt.Fprintf(s.stdout, "%s deleted, %d kB\n", diag.CountNoun(answers, "answer"), (size+1023)/1024)
	}
	if err == nil && resultsSize > 0 {
		_, err = fmt.Fprintf(s.stdout, "results of editors deleted, %d kB\n", (resultsSize+1023)/1024)
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
	u.err = cmp.Or(u.err, err)
}

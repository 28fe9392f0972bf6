package lsp

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
)

// beside is what an analysis was told of the files beside its own, which stays
// the same for as long as that is used, and which of it was asked for.
type beside struct {
	input analysis.Input // without the text

	lock   sync.Mutex
	asked  map[string]reference
	folder *[]string // the names that were given; nil if nobody asked

	profile metric.Profile // whose rules hold for files of ADK
	kitLock sync.Mutex
	lastKit *kit

	unsaved func(name string) (string, bool) // of a file that is on no disk: what is open beside it

	stamp  func(program string) string // "" stands for the targets
	stamps map[string]string           // those that were given
}

// reference is what came of looking for a file that is referred to.
type reference struct {
	body  string
	found bool
}

// look looks beside a file for what its analysis has to know. What a client
// has open is as it stands there, not as on disk.
func (s *session) look(u uri.URI) *beside {
	b := &beside{input: analysis.Input{Path: pathOf(u)}, asked: map[string]reference{}, stamps: map[string]string{}}
	if disk := s.disk; disk.Beside != nil && u.IsFile() {
		b.input = disk.Beside(b.input.Path)
		if onDisk := b.input.Files; onDisk != nil {
			b.input.Files = b.once(func(name string) reference { return s.refer(b.input.Path, name, onDisk) })
		}
	}
	if !u.IsFile() {
		b.unsaved = func(name string) (string, bool) {
			if d := s.now.Load().Documents[uri.URI(string(u)[:strings.LastIndexAny(string(u), ":/")+1]+url.PathEscape(name))]; d != nil {
				return d.body(), true
			}
			return "", false
		}
	}
	if disk := s.disk; disk.ADK != nil && u.IsFile() && adk.IsJSON(b.input.Path) {
		b.profile = disk.ADK(b.input.Path)
	}
	if list := b.input.Folder; list != nil {
		b.input.Folder = func() []string { return b.listed(list) }
	}
	if apply := b.input.Schemas; apply != nil && b.input.Files != nil {
		b.input.Schemas = func(name string) (*lint.Schema, error) {
			b.input.Files(name) // so that it is looked at whether that has changed
			return apply(name)
		}
	}
	b.stamp = func(program string) string { return s.stamp(u, program) }
	b.input.Severities = s.severities(u)
	return b
}

// of is the analysis of a text with what is beside it.
func (b *beside) of(body string) *analysis.Analysis {
	in := b.input
	in.Text = body
	return analysis.Of(in)
}

// once remembers what was found: the answer has to stay the same, and analyses
// of several versions may ask at once.
func (b *beside) once(find func(name string) reference) func(string) (string, bool) {
	return func(name string) (string, bool) {
		b.lock.Lock()
		defer b.lock.Unlock()
		r, known := b.asked[name]
		if !known {
			r = find(name)
			b.asked[name] = r
		}
		return r.body, r.found
	}
}

// stamp tells one state of a program from another; of the targets if it is "".
func (s *session) stamp(u uri.URI, program string) string {
	switch {
	case !u.IsFile():
	case program == "" && s.disk.Targets != nil:
		return s.disk.Targets(u.FsPath())
	case program != "" && s.disk.Stamp != nil:
		return s.disk.Stamp(u.FsPath(), program)
	}
	return ""
}

// stamped remembers the state of a program, or of the targets.
func (b *beside) stamped(program string) string {
	b.lock.Lock()
	defer b.lock.Unlock()
	stamp, known := b.stamps[program]
	if !known {
		stamp = b.stamp(program)
		b.stamps[program] = stamp
	}
	return stamp
}

// listed remembers which files there were.
func (b *beside) listed(list func() []string) []string {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.folder == nil {
		names := list()
		b.folder = &names
	}
	return *b.folder
}

// refer finds a file that another refers to.
func (s *session) refer(from, name string, onDisk func(string) (string, bool)) (r reference) {
	if locate := s.disk.Locate; locate != nil {
		if path := locate(from, name); path != "" {
			if d := s.now.Load().Documents[uri.File(path)]; d != nil {
				return reference{d.body(), true}
			}
		}
	}
	r.body, r.found = onDisk(name)
	return r
}

// same reports whether all that was asked of b is still as now has it.
func (b *beside) same(now *beside) bool {
	was, is := b.input, now.input
	if was.HasCases != is.HasCases || b.profile != now.profile || !equal(was.Sidecar, is.Sidecar) || !maps.Equal(was.Severities, is.Severities) ||
		(was.Targets == nil) != (is.Targets == nil) || !slices.Equal(was.Targets, is.Targets) || (was.Files == nil) != (is.Files == nil) {
		return false
	}
	b.lock.Lock()
	asked, folder, stamps := maps.Clone(b.asked), b.folder, maps.Clone(b.stamps)
	b.lock.Unlock()
	for program, stamp := range stamps {
		if is := now.stamped(program); is != stamp {
			return false
		}
	}
	if folder != nil && (is.Folder == nil || !slices.Equal(*folder, is.Folder())) {
		return false
	}
	for name, r := range asked {
		if body, found := is.Files(name); body != r.body || found != r.found {
			return false
		}
	}
	return true
}

func equal(a, b *string) bool {
	return a == b || a != nil && b != nil && *a == *b
}

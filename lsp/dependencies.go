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

// dependencies is what an analysis was told of the files beside its own, which stays
// the same for as long as that is used, and which of it was asked for.
type dependencies struct {
	input analysis.Input // without the text

	mu     sync.Mutex
	files  map[string]fileContent
	folder *[]string // the names that were given; nil if nobody asked

	profile  metric.Profile // whose rules hold for files of ADK
	inputsMu sync.Mutex
	inputs   *evalsetInputs

	readUnsaved func(name string) (string, bool) // of a file that is on no disk: what is open beside it

	computeFingerprint func(program string) string // "" stands for the targets
	fingerprints       map[string]string           // those that were given
}

// fileContent is what came of looking for a file that is referred to.
type fileContent struct {
	body  string
	found bool
}

// loadDependencies looks beside a file for what its analysis has to know. What a client
// has open is as it stands there, not as on disk.
func (s *session) loadDependencies(u uri.URI) *dependencies {
	dp := &dependencies{input: analysis.Input{Path: pathOf(u)}, files: map[string]fileContent{}, fingerprints: map[string]string{}}
	if disk := s.disk; disk.Input != nil && u.IsFile() {
		dp.input = disk.Input(dp.input.Path)
		if onDisk := dp.input.ReadFile; onDisk != nil {
			dp.input.ReadFile = dp.cacheReads(func(name string) fileContent { return s.readReference(dp.input.Path, name, onDisk) })
		}
	}
	if !u.IsFile() {
		dp.readUnsaved = func(name string) (string, bool) {
			if d := s.snapshot.Load().Documents[uri.URI(string(u)[:strings.LastIndexAny(string(u), ":/")+1]+url.PathEscape(name))]; d != nil {
				return d.body(), true
			}
			return "", false
		}
	}
	if disk := s.disk; disk.ADKProfile != nil && u.IsFile() && adk.IsJSON(dp.input.Path) {
		dp.profile = disk.ADKProfile(dp.input.Path)
	}
	if list := dp.input.FolderNames; list != nil {
		dp.input.FolderNames = func() []string { return dp.listFolder(list) }
	}
	if apply := dp.input.LoadSchema; apply != nil && dp.input.ReadFile != nil {
		dp.input.LoadSchema = func(name string) (*lint.Schema, error) {
			dp.input.ReadFile(name) // so that it is looked at whether that has changed
			return apply(name)
		}
	}
	dp.computeFingerprint = func(program string) string { return s.fingerprint(u, program) }
	dp.input.Severities = s.severities(u)
	return dp
}

// analyse is the analysis of a text with what is beside it.
func (dp *dependencies) analyse(body string) *analysis.Analysis {
	in := dp.input
	in.Text = body
	return analysis.Of(in)
}

// cacheReads remembers what was found: the answer has to stay the same, and analyses
// of several versions may ask at once.
func (dp *dependencies) cacheReads(find func(name string) fileContent) func(string) (string, bool) {
	return func(name string) (string, bool) {
		dp.mu.Lock()
		defer dp.mu.Unlock()
		content, known := dp.files[name]
		if !known {
			content = find(name)
			dp.files[name] = content
		}
		return content.body, content.found
	}
}

// fingerprint tells one state of a program from another; of the targets if it is "".
func (s *session) fingerprint(u uri.URI, program string) string {
	switch {
	case !u.IsFile():
	case program == "" && s.disk.TargetsFingerprint != nil:
		return s.disk.TargetsFingerprint(u.FsPath())
	case program != "" && s.disk.ProgramFingerprint != nil:
		return s.disk.ProgramFingerprint(u.FsPath(), program)
	}
	return ""
}

// fingerprint remembers the state of a program, or of the targets.
func (dp *dependencies) fingerprint(program string) string {
	dp.mu.Lock()
	defer dp.mu.Unlock()
	fingerprint, known := dp.fingerprints[program]
	if !known {
		fingerprint = dp.computeFingerprint(program)
		dp.fingerprints[program] = fingerprint
	}
	return fingerprint
}

// listFolder remembers which files there were.
func (dp *dependencies) listFolder(list func() []string) []string {
	dp.mu.Lock()
	defer dp.mu.Unlock()
	if dp.folder == nil {
		names := list()
		dp.folder = &names
	}
	return *dp.folder
}

// readReference finds a file that another refers to.
func (s *session) readReference(from, name string, onDisk func(string) (string, bool)) (content fileContent) {
	if locate := s.disk.Locate; locate != nil {
		if path := locate(from, name); path != "" {
			if d := s.snapshot.Load().Documents[uri.File(path)]; d != nil {
				return fileContent{d.body(), true}
			}
		}
	}
	content.body, content.found = onDisk(name)
	return content
}

// isCurrent reports whether all that was asked of b is still as now has it.
func (dp *dependencies) isCurrent(latest *dependencies) bool {
	before, after := dp.input, latest.input
	if before.HasCases != after.HasCases || dp.profile != latest.profile || !equalStrings(before.Sidecar, after.Sidecar) || !maps.Equal(before.Severities, after.Severities) ||
		(before.Targets == nil) != (after.Targets == nil) || !slices.Equal(before.Targets, after.Targets) || (before.ReadFile == nil) != (after.ReadFile == nil) {
		return false
	}
	dp.mu.Lock()
	files, folder, fingerprints := maps.Clone(dp.files), dp.folder, maps.Clone(dp.fingerprints)
	dp.mu.Unlock()
	for program, stamp := range fingerprints {
		if after := latest.fingerprint(program); after != stamp {
			return false
		}
	}
	if folder != nil && (after.FolderNames == nil || !slices.Equal(*folder, after.FolderNames())) {
		return false
	}
	for name, content := range files {
		if body, found := after.ReadFile(name); body != content.body || found != content.found {
			return false
		}
	}
	return true
}

func equalStrings(a, b *string) bool {
	return a == b || a != nil && b != nil && *a == *b
}

package cache

import (
	"context"
	"net/url"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
)

// A Snapshot is the state of a workspace at one moment. It is immutable.
type Snapshot struct {
	Client    *Client
	Documents map[uri.URI]*Document // the open documents
	Folders   []protocol.WorkspaceFolder
	// Severities are the client's rule severities by rule id; 0 disables a rule.
	Severities  map[string]diag.Severity
	RunSettings run.Settings // set by the client

	recordings map[uri.URI]string // that the user has chosen; see [Workspace.ChooseRecording]
	shared     *shared
	duplicates map[uri.URI]lint.Duplicates // case ids that other files define too
	siblingIDs map[uri.URI][]string        // case ids of other files in the same dataset
}

// shared is what the snapshots of a workspace share.
type shared struct {
	Results  Results
	ctx      context.Context // ends with the session
	disk     Disk
	quiet    time.Duration
	logf     func(format string, args ...any)
	setFocus func(*Document, text.Span)
	current  atomic.Pointer[Snapshot]
	// closed has the cachedFile of each closed file by URI, until it or its dependencies change. Clients ask for
	// all files every few seconds.
	closed sync.Map
}

// GuardPanic calls task and logs a panic in it. Each file is analysed under its own guard, so that
// a fault in one file does not affect the others.
func (sh *shared) GuardPanic(name string, task func()) *diag.Panic {
	fault := diag.CatchPanic(task)
	if fault != nil {
		sh.logf("%s: %v\n%s", name, fault, fault.Stack)
	}
	return fault
}

// Current returns the newest snapshot.
func (sh *shared) Current() *Snapshot { return sh.current.Load() }

// displayPath returns a file's path in its workspace folder, with slashes, or else its name.
func (s *Snapshot) displayPath(u uri.URI) string {
	for _, f := range s.Folders {
		if below, ok := strings.CutPrefix(string(u), strings.TrimSuffix(string(f.URI), "/")+"/"); ok {
			if path, err := url.PathUnescape(below); err == nil {
				return path
			}
		}
	}
	return uri.Basename(u)
}

// EvalDocument returns an open eval file, or nil if the document is not open or not an eval file.
func (s *Snapshot) EvalDocument(u uri.URI) *Document {
	if d := s.Documents[u]; d != nil && d.IsEvalFile() {
		return d
	}
	return nil
}

// SpanRange converts a span of a document to a range in the client's encoding.
func (s *Snapshot) SpanRange(d *Document, span text.Span) text.Range {
	return d.Source().SpanRange(span, s.Client.Encoding)
}

// OpenFile returns a document as features see it.
func (s *Snapshot) OpenFile(d *Document) *ide.File {
	f := s.File(d.URI, d.Analysis)
	f.Host = ide.Host{
		Outcomes:      func() ide.Results { return s.outcomes(d) },
		Suite:         func() *rubric.Suite { return s.RunnableSuite(d) },
		LastRun:       s.lastRuns(d),
		Others:        func() []*ide.File { return s.OtherFiles(d) },
		DiagnosticsIn: func(span text.Span) []diag.Diagnostic { return d.DiagnosticsIn(span, s.duplicates[d.URI]) },
		FileURI:       f.Host.FileURI,
		LinkTarget:    func(link ide.Link) string { return string(s.LinkTarget(d.URI, link)) },
		Targets:       d.deps.input.Targets,
		CaseIDs:       func() []string { return append(d.ListCaseIDs(), s.siblingIDs[d.URI]...) },
		Metrics:       func() []metric.Criterion { return generic.OrZero(s.Evaluation(d)).Criteria },
		Recordings:    func() []ide.RecordingFile { return s.recordingsOf(d) },
		Shown:         func(span text.Span) { s.shared.setFocus(d, span) },
		ShowMessage:   func(message string) { s.Client.ShowMessage(protocol.MessageTypeInfo, message) },
	}
	if folder := s.shared.disk.ListFolder; folder != nil && d.URI.IsFile() {
		f.Host.ReadDir = func(path string) []ide.DirEntry { return folder(d.URI.FsPath(), path) }
	}
	return f
}

// File returns a file without what its host supplies. It has a version if it is open.
func (s *Snapshot) File(u uri.URI, a *analysis.Analysis) *ide.File {
	f := &ide.File{URI: string(u), Analysis: a, Client: &s.Client.Client}
	f.Host.FileURI = func(name string) string { return string(uri.File(name)) }
	if d := s.Documents[u]; d != nil {
		f.Version = &d.Version
	}
	return f
}

// LinkTarget returns the target of a link, or "" if the file does not exist.
func (s *Snapshot) LinkTarget(u uri.URI, link ide.Link) uri.URI {
	if link.URL != "" {
		address, err := uri.Parse(link.URL)
		if err != nil {
			return ""
		}
		return address
	}
	locate := s.shared.disk.Locate
	if locate == nil || !u.IsFile() {
		return ""
	}
	names := []string{link.Path}
	if link.Dir != "" {
		names = []string{path.Join(link.Dir, link.Path), link.Path}
	}
	for _, name := range names {
		if file := locate(u.FsPath(), name); file != "" {
			return uri.File(file)
		}
	}
	return ""
}

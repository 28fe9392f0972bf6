package cache

import (
	"context"
	"maps"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
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
	closed   fileCache
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

// severities returns the rule severities for a document, given those of its project. Client settings
// override them, as flags do on the command line.
func (s *Snapshot) severities(ofProject map[string]diag.Severity) map[string]diag.Severity {
	severities := map[string]diag.Severity{}
	maps.Copy(severities, ofProject)
	maps.Copy(severities, s.Severities)
	return severities
}

// SpanRange converts a span of a document to a range in the client's encoding.
func (s *Snapshot) SpanRange(d *Document, span text.Span) text.Range {
	return d.Range(span, s.Client.Encoding)
}

// Package ide holds what an editor's features share: outcomes of the last run, and what a host
// supplies. Each feature is a subpackage that answers one kind of question, such as hover.
//
// Most questions are functions of a chunk of an analysis and an offset in it. Their answers have
// spans of that chunk, so the cost does not depend on the number of cases. Questions that cross
// chunks, such as references, and edits that are verified first, take the file's analysis and return
// spans of the file.
//
// The host supplies what a file does not contain, as values or functions: results of the last run,
// names of targets, directory listings.
//
// No package here does I/O or fails: a half-typed text has fewer answers, not none.
package ide

import (
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/excerpt"
	"github.com/rubric-ls/rubric/core/judge/offline"
	"github.com/rubric-ls/rubric/core/metric"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
)

// A File is one version of an eval file that a client asks about.
type File struct {
	*analysis.Analysis
	URI     string
	Version *int32 // nil for a file that is not open
	Client  *Client
	Host    Host
}

// A Host supplies what a file does not contain. RunningJob and the functions from LinkTarget on may be nil.
type Host struct {
	// Outcomes returns the last outcomes of the file's cases.
	Outcomes func() Results
	// Suite returns the cases that can run.
	Suite func() *rubric.Suite
	// LastRun returns the last result of a case with a target; nil if there is none. No target means any.
	LastRun func(c *rubric.Case, target string) *LastRun
	// RunNames returns whom a run would ask; nil if that is not known yet.
	RunNames func() *RunNames
	// RunningJob returns the job that runs a case, or with the id "" any case; "" if none does.
	RunningJob func(caseID string) string
	// Others returns the workspace's other eval files.
	Others func() []*File
	// DiagnosticsIn returns the diagnostics that touch a span, with those about several files.
	DiagnosticsIn func(text.Span) []diag.Diagnostic
	// FileURI returns the URI of a file that a diagnostic names.
	FileURI func(name string) string
	// LinkTarget returns the URI that a link leads to, or "" for none. Without it only links to web
	// addresses lead anywhere.
	LinkTarget func(Link) string
	// Targets are the names of the systems under test, and CaseIDs returns the ids of cases in this
	// file and its dataset.
	Targets []string
	CaseIDs func() []string
	// ReadDir lists a directory given relative to the file.
	ReadDir func(path string) []DirEntry
	// Metrics returns the metrics that the cases of an ADK file are measured by.
	Metrics func() []metric.Criterion
	// Recordings returns the recorded conversations in the folder of an evalset.
	Recordings func() []RecordingFile
	// Shown learns the range that the editor shows.
	Shown func(text.Span)
	// ShowMessage shows a message to the user.
	ShowMessage func(message string)
	// MoreActions returns the host's own actions for a span, of any kind.
	MoreActions func(text.Span) []CodeAction
	// Convert returns the edit that converts the file to a dialect or a version of AgentV.
	Convert func(to string) (*WorkspaceEdit, error)
}

// RecordingFile is a file of recorded conversations next to an evalset.
type RecordingFile struct {
	Name     string
	Measured bool // a run measures it
}

// OtherFiles returns the workspace's other eval files, as far as the host knows them.
func (h Host) OtherFiles() []*File {
	if h.Others == nil {
		return nil
	}
	return h.Others()
}

// A Link leads to a file or a web address.
type Link struct {
	Path string // as written, without `file://`; "" for a URL
	Dir  string // directory to look for a program in first, as written; "" for none
	URL  string
}

// A DirEntry is an entry of a directory.
type DirEntry struct {
	Name  string
	IsDir bool
}

// SpanRange converts a span to a range in the client's encoding.
func (f *File) SpanRange(span text.Span) text.Range {
	return f.Source().SpanRange(span, f.Client.Encoding)
}

// TextEdits converts edits of the file.
func (f *File) TextEdits(edits []text.Edit) []TextEdit {
	all := make([]TextEdit, 0, len(edits))
	for _, e := range edits {
		all = append(all, TextEdit{Range: f.SpanRange(e.Span), NewText: e.New})
	}
	return all
}

// AddEdits adds edits of the file to a workspace edit, with the file's version if the client checks
// versions.
func (f *File) AddEdits(edit *WorkspaceEdit, edits []text.Edit) {
	if f.Client.HasDocumentChanges {
		edit.DocumentChanges = append(edit.DocumentChanges, DocumentEdit{f.versioned(), f.TextEdits(edits)})
		return
	}
	if edit.Changes == nil {
		edit.Changes = map[string][]TextEdit{}
	}
	edit.Changes[f.URI] = f.TextEdits(edits)
}

// AddSnippet adds one edit with placeholders to a workspace edit.
func (f *File) AddSnippet(edit *WorkspaceEdit, e text.Edit, stops ...text.Span) {
	snippet := SnippetEdit{f.SpanRange(e.Span), Snippet{"snippet", SnippetText(e.New, stops)}}
	edit.DocumentChanges = append(edit.DocumentChanges, SnippetDocumentEdit{f.versioned(), []SnippetEdit{snippet}})
}

func (f *File) versioned() VersionedDocument { return VersionedDocument{f.URI, f.Version} }

// An Error is a fault of a request, or the reason why it cannot be carried out.
type Error struct {
	Code    string // Refused, Changed or BadParams
	Message string
}

// Codes of errors.
const (
	Refused   = "refused"    // the message says why
	Changed   = "changed"    // the document has another version than the request expects
	BadParams = "bad-params" // the parameters do not fit the method
)

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Refuse returns the error that gives a reason to the user.
func Refuse(reason error) error { return &Error{Refused, reason.Error()} }

// A Client has the capabilities of an editor that change answers.
type Client struct {
	Encoding              text.Encoding // of positions
	IsPlainText           bool          // does not render Markdown
	HasSnippets           bool          // in completions
	HasAsIsInsertion      bool          // can leave the indentation of a completion alone
	CanRetrigger          bool          // knows VS Code's command that triggers completion again
	HasActionLiterals     bool
	CanResolveEdits       bool // resolves an action's edit when the user chooses it
	HasPreferredActions   bool
	HasDisabledActions    bool
	HasDocumentChanges    bool // accepts edits for a given document version
	HasSnippetEdits       bool // accepts snippets in workspace edits
	HasSymbolTree         bool // accepts document symbols as a tree
	CanPrepareRename      bool
	MaxFolds              int // 0 for no limit
	HasRelatedInformation bool
	ShowsResults          bool                   // of criteria, so hints leave them out
	CanChoose             bool                   // has the commands of lenses that only clients have
	HasTag                func(tag int) bool     // shows a tag of diagnostics; nil means all
	HasCommand            func(name string) bool // executes the command of a lens; nil means all
}

// Browser is an editor in a page. It supports what the evaluator can answer.
var Browser = Client{
	Encoding: text.UTF16, HasSnippets: true, HasAsIsInsertion: true, CanRetrigger: true, HasActionLiterals: true, CanResolveEdits: true,
	HasPreferredActions: true, HasDisabledActions: true, HasDocumentChanges: true, HasSymbolTree: true, CanPrepareRename: true,
	HasRelatedInformation: true,
}

// Markup returns Markdown, or the same text as plain text for clients that do not render Markdown.
func (c *Client) Markup(markdown string) *MarkupContent {
	if c.IsPlainText {
		return &MarkupContent{Kind: "plaintext", Value: markdown}
	}
	return &MarkupContent{Kind: "markdown", Value: markdown}
}

// snippetEscaper escapes plain text for LSP snippets.
var snippetEscaper = strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`)

// SnippetText returns a text in LSP snippet syntax. The stops are placeholders in tab order.
func SnippetText(words string, stops []text.Span) string {
	var b strings.Builder
	at := 0
	for n, s := range stops {
		b.WriteString(snippetEscaper.Replace(words[at:s.Start]) + "${" + strconv.Itoa(n+1) + ":" + snippetEscaper.Replace(words[s.Start:s.End]) + "}")
		at = s.End
	}
	return b.String() + snippetEscaper.Replace(words[at:])
}

// RunNames say whom a run of a file would ask. Label says it in a few words, such as
// `expected answers · offline judge`.
type RunNames struct {
	Target string `json:"target"`
	Judge  string `json:"judge"`
	Label  string `json:"label"`
}

// NewRunNames describes a target and a judge by their names.
func NewRunNames(target, judge string) *RunNames {
	return &RunNames{target, judge, describeTarget(target) + " · " + describeJudge(judge)}
}

func describeTarget(name string) string {
	switch name {
	case run.SelfTargetName, run.SelfTargetLabel:
		return "expected answers"
	case adk.SelfTarget:
		return "expected conversations"
	}
	return excerpt.Shorten(name, maxName)
}

func describeJudge(name string) string {
	switch name {
	case offline.Name:
		return "offline judge"
	case run.EditorJudgeName:
		return "editor's model"
	}
	return excerpt.Shorten(strings.ReplaceAll(name, run.PanelSeparator, ", "), maxName)
}

// maxName is the length of a name in a label.
const maxName = 32

package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/ide"
	"github.com/rubric-ls/rubric/core/ide/action"
	"github.com/rubric-ls/rubric/core/ide/completion"
	"github.com/rubric-ls/rubric/core/ide/fold"
	"github.com/rubric-ls/rubric/core/ide/format"
	"github.com/rubric-ls/rubric/core/ide/hover"
	"github.com/rubric-ls/rubric/core/ide/inlay"
	"github.com/rubric-ls/rubric/core/ide/lens"
	"github.com/rubric-ls/rubric/core/ide/navigation"
	"github.com/rubric-ls/rubric/core/ide/outline"
	"github.com/rubric-ls/rubric/core/ide/token"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
)

// Version is the release of the evaluator. The linker may set it.
var Version = "0.1.0-dev"

// ABI counts incompatible changes of requests and responses.
const ABI = 1

// Error codes. They never change.
const (
	BadRequest    = "bad-request" // not a JSON object with a method
	UnknownMethod = "unknown-method"
	BadParams     = "bad-params"   // the parameters do not fit the method
	UnknownCase   = "unknown-case" // the file has no case with that id
	NotOpen       = "not-open"     // no document of that name is open
	Changed       = "changed"      // the document has another version than the request expects
	Refused       = "refused"      // the request cannot be carried out; the message says why
	NotIncluded   = "not-included" // rubric-small.wasm lacks the method; rubric.wasm has it
	Internal      = "internal"     // an error in the evaluator
)

// Codes lists all error codes.
var Codes = []string{BadRequest, UnknownMethod, BadParams, UnknownCase, NotOpen, Changed, Refused, NotIncluded, Internal}

// Failure is an error with a code that callers may branch on.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

func failf(code, format string, args ...any) error {
	return &Failure{code, fmt.Sprintf(format, args...)}
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type response struct {
	ID     json.RawMessage `json:"id"`
	Result any             `json:"result,omitempty"`
	Error  *Failure        `json:"error,omitempty"`
}

// Method is a method of the API: a summary, and the types of its parameters and its result.
type Method struct {
	Name, Summary  string // Name is that in [Methods]
	Params, Result reflect.Type
	handle         func(json.RawMessage) (any, error)
}

// OnlyWhole lists the methods that rubric-small.wasm lacks. A page starts with that module and loads
// rubric.wasm when it needs one of them.
var OnlyWhole = []string{"draft", "metric", "order", "plan", "report", "run", "schema"}

// methods maps names to methods. [OnlyWhole] are added in whole.go.
var methods = map[string]Method{
	"version": method("the evaluator's version", version),

	"check": documentMethod("the diagnostics of a file", func(d document, _ fileParams) (CheckResult, error) {
		return NewCheckResult(d.Dialect(), d.Source(), d.Diagnostics()), nil
	}),
	"formats": documentMethod("the format of a file, and all formats that there are", formats),
	"suite":   documentMethod("the effective content of a file or of one case, with defaults", suite),
	"cases":   documentMethod("the ids of a file's cases and their ranges", cases),
	"prompt":  method("the question to a judge about a case, and the JSON Schema of its reply", prompt),
	"score":   method("the score of a judge's reply, and the errors in it", Score),
	"grade":   method("the score of grades that the user types", gradeTyped),
	"flip":    method("the nearest other grades that change a case's verdict", flip),
	"measure": documentMethod("the metrics of an evalset case for verdicts that the user types, and what would flip them", evaluateTyped),
	"beside":  documentMethod("the open files that an evalset or a result file is evaluated with", func(d document, _ fileParams) (EvalsetFiles, error) { return d.evalsetFiles(), nil }),
	"last":    method("the last result of a case, and which parts of it are stale", lastResult),
	"keep":    method("stores the record of a case that ran elsewhere", storeRecord),

	"providers": method("the APIs through which models can be asked", providers),
	"request":   method("the HTTP request that asks a model a question, without the key", composeRequest),
	"response":  method("the answer in the HTTP response of a model's server", decodeResponse),
	"tape":      method("the answers in a recording of a judge", readJudgeRecording),
	"recording": method("the answers in a recording of a target", readSubmissions),

	"rules":   method("all rules, each with an example", rules),
	"explain": method("a rule's page", explain),

	"open":   method("opens a text under a name, to edit and query it", openDocument),
	"edit":   method("edits an open document", editDocument),
	"forget": method("closes a document", closeDocument),

	"capabilities": method("what an editor must know before its first request", capabilities),
	"diagnose":     documentMethod("the diagnostics, in LSP form", diagnose),
	"lsp":          method("the answer to a request of the Language Server Protocol about an open document", answerRequest),
	"hover":        positionMethod("the documentation of a position", hover.At),
	"complete":     positionMethod("the completions at a position", completion.At),
	"actions": placeMethod("the code actions in a range: fixes, refactorings, names of other versions", func(f *ide.File, span text.Span, p actionsParams) ([]ide.CodeAction, error) {
		return action.InRange(f, span, p.Only), nil
	}),
	"resolve":   method("a completion's documentation or an action's edit", resolve),
	"symbols":   rangeMethod("the outline", outline.Tree),
	"fold":      rangeMethod("the folding ranges", fold.InRange),
	"selection": documentMethod("the selection ranges", selections),
	"inlay":     rangeMethod("the inlay hints: effective values that the text leaves out", inlay.InRange),
	"lens":      rangeMethod("the code lenses", lens.InRange),
	"semantic":  rangeMethod("the semantic tokens", token.InRange),
	"highlight": positionMethod("the ranges that refer to the same name", navigation.HighlightsAt),
	"linked":    positionMethod("the ranges that change together", navigation.LinkedAt),
	"links": documentMethod("the links to web addresses", func(d document, _ fileParams) ([]ide.DocumentLink, error) {
		return navigation.LinksInRange(d.file(&ide.Browser), text.Span{End: d.Length()}), nil
	}),
	"definition": positionMethod("the declarations of a name, in all open documents", navigation.DefinitionAt),
	"references": placeMethod("the locations of a name, in all open documents", func(f *ide.File, offset int, p referencesParams) ([]ide.Location, error) {
		return navigation.ReferencesAt(f, offset, p.Declared), nil
	}),
	"renameable": placeMethod("the name at a position, if it can be renamed", func(f *ide.File, offset int, _ positionParams) (ide.Renameable, error) {
		return navigation.RenameableAt(f, offset)
	}),
	"rename": placeMethod("the edits that rename a name, in all open documents", func(f *ide.File, offset int, p renameParams) (ide.WorkspaceEdit, error) {
		return navigation.RenameAt(f, offset, p.NewName)
	}),
	"format": rangeMethod("the edits that format lines", format.InRange),
	"enter":  positionMethod("the edits after a line break", format.AfterNewLine),
}

// Call answers one request. It never panics: errors in the request or in the evaluator become error
// responses.
func Call(line []byte) (reply []byte) {
	var req request
	if fault := diag.CatchPanic(func() { reply = req.handle(line) }); fault != nil {
		return response{ID: req.ID, Error: &Failure{Internal, fmt.Sprintf("%s: %v", req.Method, fault)}}.encode()
	}
	return reply
}

func (req *request) handle(line []byte) []byte {
	if !utf8.Valid(line) { // the JSON decoder would silently replace the invalid bytes
		return response{Error: &Failure{BadRequest, "the request is not UTF-8"}}.encode()
	}
	if err := json.Unmarshal(line, req); err != nil {
		return response{Error: &Failure{BadRequest, "the request is not a JSON object: " + err.Error()}}.encode()
	}
	m, known := methods[req.Method]
	if !known && slices.Contains(OnlyWhole, req.Method) {
		return response{ID: req.ID, Error: &Failure{NotIncluded, "rubric-small.wasm does not include `" + req.Method + "`; load rubric.wasm, which has every method"}}.encode()
	}
	if !known {
		return response{ID: req.ID, Error: &Failure{UnknownMethod, unknownMethod(req.Method)}}.encode()
	}
	result, err := m.handle(req.Params)
	if err != nil {
		return response{ID: req.ID, Error: toFailure(err)}.encode()
	}
	return response{ID: req.ID, Result: result}.encode()
}

// Refuse returns the error response for a request that the host of Call cannot pass on, with the
// code [Internal].
func Refuse(line []byte, message string) []byte {
	var req request
	_ = json.Unmarshal(line, &req) // without a valid id, the response has none
	return response{ID: req.ID, Error: &Failure{Internal, message}}.encode()
}

// method returns the method of a function.
func method[P, R any](summary string, f func(P) (R, error)) Method {
	return Method{"", summary, reflect.TypeFor[P](), reflect.TypeFor[R](), func(raw json.RawMessage) (any, error) {
		var params P
		if err := decodeParams(raw, &params); err != nil {
			return nil, err
		}
		return f(params)
	}}
}

// Methods returns all methods in the order of their names.
func Methods() []Method {
	list := make([]Method, 0, len(methods))
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		m := methods[name]
		m.Name = name
		list = append(list, m)
	}
	return list
}

// encode returns the response as JSON.
func (r response) encode() []byte {
	if r.ID == nil {
		r.ID = json.RawMessage("null")
	}
	line, err := text.JSON(r)
	var endless *json.UnsupportedValueError
	if errors.As(err, &endless) { // the result repeats a number of the file
		return response{ID: r.ID, Error: &Failure{BadParams, "the text has the number " + endless.Str + ", which cannot be scored; write a finite one"}}.encode()
	}
	if err != nil {
		return response{ID: r.ID, Error: &Failure{Internal, "encode the result: " + err.Error()}}.encode()
	}
	return line
}

// unknownMethod returns the message for an unknown or missing method.
func unknownMethod(name string) string {
	names := slices.Sorted(maps.Keys(methods))
	if name == "" {
		return "the request has no `method`; " + listNames(names)
	}
	return fmt.Sprintf("there is no method `%s`%s", name, spell.DidYouMeanOr(name, names, listNames(names)))
}

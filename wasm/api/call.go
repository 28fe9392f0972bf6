package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/spell"
)

// Version is the release that the evaluator belongs to; the linker may set it.
var Version = "0.1.0-dev"

// ABI counts incompatible changes of the request and response shapes.
const ABI = 1

// The codes of errors, stable for ever.
const (
	BadRequest    = "bad-request"    // not a JSON object with a method
	UnknownMethod = "unknown-method" // no such method
	BadParams     = "bad-params"     // the method's parameters do not have its shape
	UnknownCase   = "unknown-case"   // the text has no case with that id
	NotOpen       = "not-open"       // no document of that name is open
	Changed       = "changed"        // the document is not the version that was meant
	Refused       = "refused"        // what was asked for cannot be done, and why
	Internal      = "internal"       // a fault of ours
)

// Codes are all of them.
var Codes = []string{BadRequest, UnknownMethod, BadParams, UnknownCase, NotOpen, Changed, Refused, Internal}

// Failure is an error with a code that callers may branch on.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error is the message.
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

// endpoint is a method: what it answers, takes and gives, and the function from
// its parameters' JSON.
type endpoint struct {
	summary        string
	params, result reflect.Type
	handle         func(json.RawMessage) (any, error)
}

// methods by name.
var methods = map[string]endpoint{
	"version": method("which evaluator answers", version),

	"check":   method("what is wrong with a file", check),
	"suite":   method("a file, or one case of it, as it is graded, defaults filled in", suite),
	"cases":   method("a file's cases by their ids, and where each stands", cases),
	"prompt":  method("what a judge is asked about a case, and the JSON Schema of its reply", prompt),
	"score":   method("what a judge's reply is worth, and what is wrong with it", Score),
	"grade":   method("what grades that somebody types are worth", gradeTyped),
	"flip":    method("which other grades would change a case's verdict", flip),
	"draft":   method("criteria for a case without any, as edits", draftCriteria),
	"run":     method("what a case comes to, and what it needs for that from outside", runCase),
	"report":  method("records as a page", writeReport),
	"measure": method("what a case of an evalset comes to by verdicts that somebody types, and what would flip it", evaluateTyped),
	"beside":  method("which open files an evalset or a result file is measured with", findEvalsetFiles),
	"last":    method("what a case came to when it was run last, and which of it still holds", lastResult),
	"keep":    method("takes in the record of a case that was run elsewhere", storeRecord),
	"metric":  method("what a metric of ADK's says of a conversation", evaluateMetric),

	"providers": method("the kinds of servers that models are asked at", providers),
	"request":   method("how a question is put to a model, without the key", composeRequest),
	"response":  method("what a model's server has answered", decodeResponse),
	"tape":      method("a judge's recorded answers", readJudgeRecording),
	"recording": method("a target's recorded answers", readSubmissions),

	"rules":   method("all rules, with an example of each", rules),
	"explain": method("a rule's page", explain),
	"schema":  method("the JSON Schema of a kind of file", fileSchema),

	"open":   method("takes a text in, to be edited and asked about by its name", openDocument),
	"edit":   method("changes a document that is open", editDocument),
	"forget": method("lets a document go", closeDocument),

	"capabilities": method("what an editor has to know before it asks", capabilities),
	"diagnose":     method("what is wrong, as an editor shows it", diagnose).withResult(reflect.TypeFor[[]Finding]()),
	"hover":        method("what stands at a place", hover),
	"complete":     method("what could stand at a place", complete),
	"actions":      method("what can be done in a stretch: fixes, refactorings, another version's names", actions),
	"resolve":      method("an item's documentation, an action's edit", resolve),
	"symbols":      method("a file's outline", symbols),
	"fold":         method("what can be folded away", fold),
	"selection":    method("what growing selections take in", selection),
	"inlay":        method("what holds and is not written", inlay),
	"lens":         method("what can be run, above the text", lens),
	"semantic":     method("a text's colours", semantic),
	"highlight":    method("which places belong to a place", highlight),
	"linked":       method("which places change together", linked),
	"links":        method("which texts lead to an address", links),
	"definition":   method("where a name is declared, in all that is open", definition),
	"references":   method("where a name is written, in all that is open", references),
	"renameable":   method("which name a rename would change", renameable),
	"rename":       method("the edits that give a name another spelling, in all that is open", rename),
	"format":       method("the edits that tidy lines", format),
	"enter":        method("the edits that a line break calls for", enter),
}

// Call answers one request. It never fails and never panics: what is wrong with
// the request, or with us, is in the response.
func Call(line []byte) (reply []byte) {
	var req request
	if fault := diag.CatchPanic(func() { reply = req.handle(line) }); fault != nil {
		return response{ID: req.ID, Error: &Failure{Internal, fmt.Sprintf("%s: %v", req.Method, fault)}}.encode()
	}
	return reply
}

func (req *request) handle(line []byte) []byte {
	if !utf8.Valid(line) { // which the decoder would mend in silence
		return response{Error: &Failure{BadRequest, "the request is not UTF-8"}}.encode()
	}
	if err := json.Unmarshal(line, req); err != nil {
		return response{Error: &Failure{BadRequest, "the request is not a JSON object: " + err.Error()}}.encode()
	}
	run, known := methods[req.Method]
	if !known {
		return response{ID: req.ID, Error: &Failure{UnknownMethod, unknownMethod(req.Method)}}.encode()
	}
	result, err := run.handle(req.Params)
	if err != nil {
		failure := &Failure{Internal, err.Error()}
		errors.As(err, &failure)
		return response{ID: req.ID, Error: failure}.encode()
	}
	return response{ID: req.ID, Result: result}.encode()
}

// Refuse answers a request that a host of Call could not have answered, with the
// code [Internal] and the host's message.
func Refuse(line []byte, message string) []byte {
	var req request
	_ = json.Unmarshal(line, &req) // what has no id gets none back
	return response{ID: req.ID, Error: &Failure{Internal, message}}.encode()
}

// method gives a typed function the parameters as JSON.
func method[P, R any](summary string, f func(P) (R, error)) endpoint {
	return endpoint{summary, reflect.TypeFor[P](), reflect.TypeFor[R](), func(raw json.RawMessage) (any, error) {
		var params P
		if err := decodeParams(raw, &params); err != nil {
			return nil, err
		}
		return f(params)
	}}
}

// resultWriter writes a result as JSON, behind some bytes.
type resultWriter func(before string) []byte

// withResult is a method whose function writes its result itself, and of which type that is.
func (e endpoint) withResult(result reflect.Type) endpoint {
	e.result = result
	return e
}

// Method is a method of the API, what it answers in a few words, and the types
// that are its parameters and its result in JSON.
type Method struct {
	Name, Summary  string
	Params, Result reflect.Type
}

// Methods are all methods, by name.
func Methods() []Method {
	list := make([]Method, 0, len(methods))
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		m := methods[name]
		list = append(list, Method{name, m.summary, m.params, m.result})
	}
	return list
}

// encode is a response as JSON.
func (r response) encode() []byte {
	if r.ID == nil {
		r.ID = json.RawMessage("null")
	}
	if result, is := r.Result.(resultWriter); is { // of any length: the encoder would read it again
		head := response{ID: r.ID}.encode()
		return append(result(string(head[:len(head)-1])+`,"result":`), '}')
	}
	line, err := encode(r)
	var endless *json.UnsupportedValueError
	if errors.As(err, &endless) { // the answer repeats a number of the text
		return response{ID: r.ID, Error: &Failure{BadParams, "the text has the number " + endless.Str + ", which cannot be scored; write a finite one"}}.encode()
	}
	if err != nil {
		return response{ID: r.ID, Error: &Failure{Internal, "encode the result: " + err.Error()}}.encode()
	}
	return line
}

// encode is JSON as it stands in a response.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// unknownMethod says that no method has a name.
func unknownMethod(name string) string {
	names := slices.Sorted(maps.Keys(methods))
	if name == "" {
		return "the request has no `method`; " + listNames(names)
	}
	return fmt.Sprintf("there is no method `%s`%s", name, spell.DidYouMeanOr(name, names, listNames(names)))
}

package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Version is the release that the evaluator belongs to; the linker may set it.
var Version = "0.1.0-dev"

// ABI counts incompatible changes of the request and response shapes.
const ABI = 1

// Codes of errors, stable for ever.
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

// endpoint is a method: what it takes and gives, and the function from its
// parameters' JSON.
type endpoint struct {
	params, result reflect.Type
	answer         func(json.RawMessage) (any, error)
}

// methods by name.
var methods = map[string]endpoint{
	"version": method(version),

	"check":  method(check),
	"suite":  method(suite),
	"prompt": method(prompt),
	"score":  method(Score),
	"grade":  method(gradeTyped),
	"flip":   method(flip),
	"draft":  method(draftReply),
	"metric": method(measure),

	"rules":   method(rules),
	"explain": method(explain),
	"schema":  method(schemaOf),

	"open":   method(open),
	"edit":   method(edit),
	"forget": method(forget),

	"capabilities": method(capabilities),
	"diagnose":     method(diagnose),
	"hover":        method(hover),
	"complete":     method(complete),
	"actions":      method(actions),
	"resolve":      method(resolve),
	"symbols":      method(symbols),
	"fold":         method(fold),
	"selection":    method(selection),
	"inlay":        method(inlay),
	"lens":         method(lens),
	"semantic":     method(semantic),
	"highlight":    method(highlight),
	"linked":       method(linked),
	"links":        method(links),
	"definition":   method(definition),
	"references":   method(references),
	"renameable":   method(renameable),
	"rename":       method(rename),
	"format":       method(format),
	"enter":        method(enter),
}

// Call answers one request. It never fails and never panics: what is wrong with
// the request, or with us, is in the response.
func Call(line []byte) (reply []byte) {
	var req request
	defer func() {
		if fault := recover(); fault != nil {
			reply = encode(response{ID: req.ID, Error: &Failure{Internal, fmt.Sprintf("%s: %v", req.Method, fault)}})
		}
	}()
	if !utf8.Valid(line) { // which the decoder would mend in silence
		return encode(response{Error: &Failure{BadRequest, "the request is not UTF-8"}})
	}
	if err := json.Unmarshal(line, &req); err != nil {
		return encode(response{Error: &Failure{BadRequest, "the request is not a JSON object: " + err.Error()}})
	}
	run, known := methods[req.Method]
	if !known {
		return encode(response{ID: req.ID, Error: &Failure{UnknownMethod, fmt.Sprintf("unknown method `%s`; there are %s", req.Method, methodNames())}})
	}
	result, err := run.answer(req.Params)
	if err != nil {
		failure := &Failure{Internal, err.Error()}
		errors.As(err, &failure)
		return encode(response{ID: req.ID, Error: failure})
	}
	return encode(response{ID: req.ID, Result: result})
}

// Refuse answers a request that a host of Call could not have answered, with the
// code [Internal] and the host's message.
func Refuse(line []byte, message string) []byte {
	var req request
	_ = json.Unmarshal(line, &req) // what has no id gets none back
	return encode(response{ID: req.ID, Error: &Failure{Internal, message}})
}

// method gives a typed function the parameters' JSON. Unknown parameters are
// refused: a misspelt one would be ignored in silence otherwise.
func method[P, R any](f func(P) (R, error)) endpoint {
	return endpoint{reflect.TypeFor[P](), reflect.TypeFor[R](), func(raw json.RawMessage) (any, error) {
		var params P
		if err := decode(raw, &params); err != nil {
			return nil, err
		}
		return f(params)
	}}
}

func decode(raw json.RawMessage, params any) error {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(params); err != nil {
		return failf(BadParams, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// Method is a method of the API and the types that are its parameters and its
// result in JSON.
type Method struct {
	Name           string
	Params, Result reflect.Type
}

// Methods are all methods, by name.
func Methods() []Method {
	list := make([]Method, 0, len(methods))
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		list = append(list, Method{name, methods[name].params, methods[name].result})
	}
	return list
}

func encode(r response) []byte {
	if r.ID == nil {
		r.ID = json.RawMessage("null")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return encode(response{ID: r.ID, Error: &Failure{Internal, "encode the result: " + err.Error()}})
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func methodNames() string {
	return "`" + strings.Join(slices.Sorted(maps.Keys(methods)), "`, `") + "`"
}

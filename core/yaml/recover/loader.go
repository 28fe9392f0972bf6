package recover

import (
	"errors"
	"fmt"
	"github.com/rubric-ls/rubric/core/yaml/lines"
	"io"
	"strings"
	"unicode/utf8"

	library "go.yaml.in/yaml/v4"
)

// MaxDepth limits the nesting of collections.
const MaxDepth = 1000

// A Failure says why and where the library stopped. Offsets are bytes of the text that it was
// given.
type Failure struct {
	offset         int    // position of the parser
	contextStart   int    // start of the construct being parsed; -1 if the library did not say
	message        string // in the library's words
	contextMessage string // the construct being parsed, in the library's words
	tooDeep        bool
}

// Load parses body with the library. It returns the documents or the failure, never both:
// the library keeps nothing of a text that it cannot finish.
func Load(body string) ([]*library.Node, *Failure) {
	bom := lines.ContentStart(body)
	if first := lines.SkipBlanks(body, bom); first < len(body) && (body[first] == '{' || body[first] == '[') {
		docs, fail := loadBehindPrefix(body, bom, "--- ")
		if fail == nil || fail.offset > lines.End(body, first) {
			return docs, fail
		}
		// The brackets may be a flow key.
	}
	return loadBehindPrefix(body, bom, "")
}

// loadBehindPrefix loads body from an offset on, behind a prefix. Text in brackets is read three
// times as fast behind `---`: without it, the library holds back all tokens until it knows that the
// text is not a key.
func loadBehindPrefix(body string, from int, prefix string) (docs []*library.Node, fail *Failure) {
	l := newLoader(io.MultiReader(strings.NewReader(prefix), strings.NewReader(body[from:])))
	for {
		doc, err := l.next()
		if err == io.EOF {
			return docs, nil
		}
		if err != nil {
			fail = newLoadFailure(body, from, len(prefix), err)
			fail.tooDeep = l.limits.exceeded
			return nil, fail
		}
		docs = append(docs, doc)
	}
}

// A loader loads the documents of a text.
type loader struct {
	library *library.Loader
	limits  *depthLimit
	err     error // of the library's options
}

func newLoader(text io.Reader) *loader {
	l := &loader{limits: &depthLimit{}}
	l.library, l.err = library.NewLoader(text, library.WithUniqueKeys(false), library.WithPlugin(l.limits, anyAnchor{}))
	return l
}

// next returns the next document, or io.EOF. A panic of the library is an error.
func (l *loader) next() (doc *library.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if l.err != nil {
		return nil, l.err
	}
	doc = new(library.Node)
	return doc, l.library.Load(doc)
}

// newLoadFailure converts err to offsets in body. The library read body from an offset on, behind a
// prefix.
func newLoadFailure(body string, from, prefix int, err error) *Failure {
	var loadError *library.LoadError
	if !errors.As(err, &loadError) {
		return &Failure{contextStart: -1, message: err.Error()}
	}
	f := &Failure{contextStart: -1, message: loadError.Message, contextMessage: loadError.ContextMsg}
	f.offset = from + runeOffset(body[from:], loadError.Mark.Index-prefix)
	if loadError.ContextMark.Line > 0 {
		f.contextStart = from + runeOffset(body[from:], loadError.ContextMark.Index-prefix)
	}
	return f
}

// runeOffset returns the byte offset of the nth character of body. The library counts characters,
// and lines in a way that no editor does.
func runeOffset(body string, n int) int {
	pos := 0
	for ; n > 0 && pos < len(body); n-- {
		_, size := utf8.DecodeRuneInString(body[pos:])
		pos += size
	}
	return pos
}

// A depthLimit stops the library before nesting could overflow the stack of a tree walk.
type depthLimit struct{ exceeded bool }

var errTooDeep = errors.New("nesting too deep")

// CheckDepth implements the library's loader limits.
func (l *depthLimit) CheckDepth(depth int, _ *library.DepthContext) error {
	if depth > MaxDepth {
		l.exceeded = true
		return errTooDeep
	}
	return nil
}

// CheckAlias implements the library's loader limits; aliases are not expanded here.
func (l *depthLimit) CheckAlias(int, int) error { return nil }

// anyAnchor lets every alias pass. The checker resolves aliases itself, so that an unknown name
// costs no more than the alias.
type anyAnchor struct{}

var anyTarget = &library.Node{Kind: library.ScalarNode, Tag: "!!null"}

// NewAliasDataContext implements the library's anchor policy.
func (a anyAnchor) NewAliasDataContext(library.AliasDataServices) (library.AliasDataContext, error) {
	return a, nil
}

// BeginDocument implements the library's anchor policy.
func (anyAnchor) BeginDocument() error { return nil }

// EndDocument implements the library's anchor policy.
func (anyAnchor) EndDocument() error { return nil }

// DefineAnchor implements the library's anchor policy.
func (anyAnchor) DefineAnchor(string, *library.Node) error { return nil }

// ResolveAlias implements the library's anchor policy.
func (anyAnchor) ResolveAlias(string) (*library.Node, bool, error) { return anyTarget, true, nil }

// blamesContext reports whether the library stopped far behind the construct that it could not
// finish. The start of the construct is then the better place to look.
func (f *Failure) blamesContext() bool {
	return f.contextStart >= 0 && !strings.Contains(f.contextMessage, "block mapping") && !strings.Contains(f.contextMessage, "block collection")
}

// furthest returns how far the library understood the text.
func (f *Failure) furthest() int {
	if f.blamesContext() {
		return min(f.offset, f.contextStart)
	}
	return f.offset
}

package yaml

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	library "go.yaml.in/yaml/v4"
)

// MaxDepth is how many collections may hold one another.
const MaxDepth = 1000

// failure is why and where the library stopped reading. Offsets are bytes of
// the text it was given.
type failure struct {
	at      int    // where the parser was
	context int    // where the construct it was in began; -1 if it did not say
	message string // in the library's words
	within  string // what it was reading, in the library's words
	tooDeep bool
}

// load runs the library over body and gives its documents or where it failed,
// never both: it keeps nothing of a text it cannot finish.
func load(body string) (docs []*library.Node, fail *failure) {
	defer func() {
		if p := recover(); p != nil {
			docs, fail = nil, &failure{context: -1, message: fmt.Sprint(p)}
		}
	}()
	bom := 0
	if strings.HasPrefix(body, byteOrderMark) {
		bom = len(byteOrderMark)
	}
	limits := &limits{}
	loader, err := library.NewLoader(strings.NewReader(body[bom:]),
		library.WithUniqueKeys(false), library.WithPlugin(limits, anyAnchor{}))
	if err != nil {
		return nil, &failure{context: -1, message: err.Error()}
	}
	for {
		doc := new(library.Node)
		err := loader.Load(doc)
		if err == io.EOF {
			return docs, nil
		}
		if err != nil {
			fail = describe(body, bom, err)
			fail.tooDeep = limits.exceeded
			return nil, fail
		}
		docs = append(docs, doc)
	}
}

func describe(body string, bom int, err error) *failure {
	var loadError *library.LoadError
	if !errors.As(err, &loadError) {
		return &failure{context: -1, message: err.Error()}
	}
	f := &failure{context: -1, message: loadError.Message, within: loadError.ContextMsg}
	f.at = bom + runeOffset(body[bom:], loadError.Mark.Index)
	if loadError.ContextMark.Line > 0 {
		f.context = bom + runeOffset(body[bom:], loadError.ContextMark.Index)
	}
	return f
}

// runeOffset is the byte offset of body's nth character: the library counts
// characters, and lines in a way that no editor does.
func runeOffset(body string, n int) int {
	at := 0
	for ; n > 0 && at < len(body); n-- {
		_, size := utf8.DecodeRuneInString(body[at:])
		at += size
	}
	return at
}

// limits stops the library before a text's nesting could hurt whoever walks its tree.
type limits struct{ exceeded bool }

var errTooDeep = errors.New("nesting too deep")

// CheckDepth implements the library's loader limits.
func (l *limits) CheckDepth(depth int, _ *library.DepthContext) error {
	if depth > MaxDepth {
		l.exceeded = true
		return errTooDeep
	}
	return nil
}

// CheckAlias implements the library's loader limits; aliases are not expanded here.
func (l *limits) CheckAlias(int, int) error { return nil }

// anyAnchor lets every alias pass: resolving them is this package's own work,
// so that a name without an anchor costs no more than itself.
type anyAnchor struct{}

var anywhere = &library.Node{Kind: library.ScalarNode, Tag: TagNull}

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
func (anyAnchor) ResolveAlias(string) (*library.Node, bool, error) { return anywhere, true, nil }

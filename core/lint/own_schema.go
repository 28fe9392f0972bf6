package lint

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// Schemas holds a document against the JSON Schema that an author named, by a
// reference as it stands in the source, and says in which ways it is not valid,
// in an order that is always the same. The document is as [yaml.Node.Exact] has
// it. An error says in a few words why the schema could not be applied.
//
// A host supplies it: core knows no validator and reads no files.
type Schemas func(reference string, document any) ([]Violation, error)

// Violation is one way in which a document is not valid for a schema.
type Violation struct {
	At      []string // keys and indices from 0 that lead to the value
	Key     string   // the key of that value which is at fault; "" for the value itself
	Message string   // in the form of a diagnostic's
}

// ownSchema is the JSON Schema that the author of a file has named for it.
type ownSchema struct {
	reference string // "" if there is none
	span      text.Span
	byKey     bool // named by the key `$schema`, and not by a comment
}

// schemaKey names a version of the format, or the author's own schema.
const schemaKey = "$schema"

var (
	modeline = regexp.MustCompile(`^\s*yaml-language-server\s*:.*?\$schema=(\S+)`)
	// versionTag is a `$schema` that names a version of the format.
	versionTag = regexp.MustCompile(`^[\w.-]*$`)
	schemaFile = regexp.MustCompile(`\.(?:json|ya?ml)$`)
	address    = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]+:|//)`)
)

// remote reports whether the schema is named by an address.
func (s ownSchema) remote() bool { return address.MatchString(s.reference) }

// namesSchema reports whether the value of a `$schema` key is a file or an
// address, and no version of the format.
func namesSchema(value string) bool {
	return !versionTag.MatchString(value) || schemaFile.MatchString(value)
}

// ownSchema finds the schema that a comment names, as the YAML language server
// has it, or else the one that the key `$schema` does.
func (p *Pass) ownSchema() ownSchema {
	for _, c := range p.Tree.Comments {
		if m := modeline.FindStringSubmatchIndex(c.Text); m != nil {
			reference := c.Text[m[2]:m[3]]
			start := c.Span.Start + strings.Index(p.Source.Slice(c.Span), reference)
			return ownSchema{reference: reference, span: text.Span{Start: start, End: start + len(reference)}}
		}
	}
	at := p.Tree.Root().Get(schemaKey)
	if value, ok := at.Str(); ok && namesSchema(value) {
		return ownSchema{value, at.Span, true}
	}
	return ownSchema{}
}

// applied is what came of the file's own schema. Text that is not YAML is not
// held against it: what is missing may be what could not be read.
func (p *Pass) applied(own ownSchema) ([]Violation, error) {
	if own.reference == "" || own.remote() || p.Schemas == nil || len(p.Tree.Problems) > 0 {
		return nil, nil
	}
	if p.own == nil {
		document := p.Tree.Root().Exact()
		if root, ok := document.(map[string]any); ok && own.byKey {
			delete(root, schemaKey) // ours, and no part of what the schema describes
		}
		found, err := p.Schemas(own.reference, document)
		p.own = &judged{found, err}
	}
	return p.own.found, p.own.err
}

// judged is what a host made of a document.
type judged struct {
	found []Violation
	err   error
}

// violated is where a violation is shown: a key, a scalar, or what stands for a
// collection: the key whose value it is, or its first key.
func (p *Pass) violated(v Violation) text.Span {
	n := p.Tree.Root()
	for _, step := range v.At {
		child := n.Get(step)
		if i, err := strconv.Atoi(step); err == nil && n.IsSeq() && i >= 0 && i < len(n.List()) {
			child = n.List()[i]
		}
		if child == nil {
			break
		}
		n = child
	}
	if pair := n.Pair(v.Key); pair != nil && v.Key != "" {
		return pair.Key.Span
	}
	return headSpan(n)
}

func headSpan(n *yaml.Node) text.Span {
	switch {
	case n.Kind == yaml.Alias || n.Kind == yaml.Scalar && !n.Span.Empty():
		return n.Span
	case n.Kind == yaml.Mapping && len(n.Pairs) > 0 && n.Key == nil:
		return n.Pairs[0].Key.Span
	case n.Key != nil:
		return n.Key.Key.Span
	}
	return n.Span
}

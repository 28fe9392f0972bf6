package lint

import (
	"errors"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SchemaLoader finds the JSON Schema that an author named by a reference, as it stands
// in the source. An error says in a few words why it cannot be used.
//
// A host supplies it: core knows no validator and reads no files.
type SchemaLoader func(reference string) (*Schema, error)

// CheckSchemaReference is an error for a reference that is not a path as seen from the
// folder of the file that has it: nothing else is looked for.
func CheckSchemaReference(reference string) error {
	if reference == "" || reference[0] == '/' || reference[0] == '\\' || strings.Contains(reference, ":") {
		return errors.New("it is not the path of a file as seen from this one")
	}
	return nil
}

// Schema is a JSON Schema, ready to be applied.
type Schema struct {
	Validate Validator
	// Divide gives a schema for what stands around the list under a key of the
	// root, with the list empty, and one for each of its items. Together they say
	// what this one does. Both are nil where that looks at the list as a whole.
	Divide func(key string) (around, item Validator)
}

// Validator holds a document, as [yaml.Node.Exact] has it, against a schema and says
// in which ways it is not valid, in an order that is always the same. An error
// says in a few words why it could not be.
type Validator func(document any) ([]Violation, error)

// Violation is one way in which a document is not valid for a schema.
type Violation struct {
	Path    []string // keys and indices from 0 that lead to the value
	Key     string   // the key of that value which is at fault; "" for the value itself
	Message string   // in the form of a diagnostic's
}

// UserSchema is the JSON Schema that a file's author named for it.
type UserSchema struct {
	Reference string
	Span      text.Span // of the reference
	Validate  Validator // to what a pass looks at; nil where nobody can
	Err       error     // why it cannot be applied
	IsForItem bool      // Apply is for the items of a list, and not for a root

	isKey bool // named by the key `$schema`, and not by a comment
}

// schemaKey names a version of the format, or the author's own schema.
const schemaKey = "$schema"

var (
	modeline = pattern.New(`^\s*yaml-language-server\s*:.*?\$schema=(\S+)`)
	// versionTag is a `$schema` that names a version of the format.
	versionTag     = pattern.New(`^[\w.-]*$`)
	schemaFileName = pattern.New(`\.(?:json|ya?ml)$`)
	remoteAddress  = pattern.New(`^(?:[A-Za-z][A-Za-z0-9+.-]+:|//)`)
)

// namesSchema reports whether the value of a `$schema` key is a file or an
// address, and no version of the format.
func namesSchema(value string) bool {
	return !versionTag().MatchString(value) || schemaFileName().MatchString(value)
}

// FindUserSchema finds the schema that a comment names, as the YAML language server
// has it, or else the one that the key `$schema` does; nil if none does.
func FindUserSchema(tree *yaml.Tree) *UserSchema {
	for _, c := range tree.Comments {
		if m := modeline().FindStringSubmatch(c.Text); m != nil {
			start := c.Span.Start + strings.Index(tree.Source.Slice(c.Span), m[1])
			return &UserSchema{Reference: m[1], Span: text.Span{Start: start, End: start + len(m[1])}}
		}
	}
	at := tree.Root().Get(schemaKey)
	if value, ok := at.Str(); ok && namesSchema(value) {
		return &UserSchema{Reference: value, Span: at.Span, isKey: true}
	}
	return nil
}

// IsRemote reports whether the schema is named by an address.
func (us *UserSchema) IsRemote() bool { return remoteAddress().MatchString(us.Reference) }

// validate is what came of the author's own schema. Text that is not YAML is not
// held against it: what is missing may be what could not be read.
func (p *Pass) validate() ([]Violation, error) {
	s := p.UserSchema
	if s == nil || s.Err != nil || s.Validate == nil || len(p.Tree.Problems) > 0 {
		return nil, nil
	}
	if p.schemaOutcome == nil {
		document := p.validatedNode().Exact()
		if root, ok := document.(map[string]any); ok && s.isKey && !s.IsForItem {
			delete(root, schemaKey) // ours, and no part of what the schema describes
		}
		found, err := s.Validate(document)
		p.schemaOutcome = &schemaOutcome{found, err}
	}
	return p.schemaOutcome.violations, p.schemaOutcome.err
}

// schemaOutcome is what a schema made of a document.
type schemaOutcome struct {
	violations []Violation
	err        error
}

// validatedNode is what the author's own schema is applied to.
func (p *Pass) validatedNode() *yaml.Node {
	root := p.Tree.Root()
	if items := root.List(); p.UserSchema.IsForItem && len(items) > 0 {
		return items[0]
	}
	return root
}

// violationSpan is where a violation is shown: a key, a scalar, or what stands for a
// collection: the key whose value it is, or its first key.
func (p *Pass) violationSpan(v Violation) text.Span {
	n := p.validatedNode()
	for _, step := range v.Path {
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

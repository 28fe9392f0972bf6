package lint

import (
	"errors"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SchemaLoader loads the JSON Schema that a file names by a reference. Its error says in a
// few words why the schema cannot be used. The host supplies it: core has no validator and
// reads no files.
type SchemaLoader func(reference string) (*Schema, error)

// CheckSchemaReference returns an error for a reference that is not a relative path.
func CheckSchemaReference(reference string) error {
	if reference == "" || reference[0] == '/' || reference[0] == '\\' || strings.Contains(reference, ":") {
		return errors.New("it is not a relative path")
	}
	return nil
}

// Schema is a compiled JSON Schema.
type Schema struct {
	Validate Validator
	// Divide splits the schema into one for the header, with an empty list under key, and
	// one for each item of that list. Both are nil if the schema depends on the whole list.
	Divide func(key string) (header, item Validator)
}

// Validator returns the violations of a document, as [yaml.Node.Exact] converts it, in a
// stable order. Its error says in a few words why it cannot validate.
type Validator func(document any) ([]Violation, error)

// Violation is one violation of a schema.
type Violation struct {
	Path    []string // keys and zero-based indices of the value
	Key     string   // the faulty key of that value; "" for the value itself
	Message string   // as in a diagnostic
}

// UserSchema is the JSON Schema that a file names.
type UserSchema struct {
	Reference string
	Span      text.Span // of the reference
	Validate  Validator // nil if it cannot be applied
	Err       error     // why it cannot be loaded
	IsForItem bool      // Validate is for a list item, not for the root

	isKey bool // named by the key `$schema`, not by a comment
}

// schemaKey is the key for a version of the format or a user schema.
const schemaKey = "$schema"

var (
	modeline = pattern.New(`^\s*yaml-language-server\s*:.*?\$schema=(\S+)`)
	// versionTag matches a `$schema` that names a version of the format.
	versionTag     = pattern.New(`^[\w.-]*$`)
	schemaFileName = pattern.New(`\.(?:json|ya?ml)$`)
	remoteAddress  = pattern.New(`^(?:[A-Za-z][A-Za-z0-9+.-]+:|//)`)
)

// namesSchema reports whether the value of a `$schema` key is a file or URL rather than a
// version of the format.
func namesSchema(value string) bool {
	return !versionTag().MatchString(value) || schemaFileName().MatchString(value)
}

// FindUserSchema returns the schema that a comment of the YAML language server or else the
// key `$schema` names; nil if there is none.
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

// IsRemote reports whether the reference is a URL.
func (us *UserSchema) IsRemote() bool { return remoteAddress().MatchString(us.Reference) }

// validate applies the user schema. It skips invalid YAML, because a missing value may be
// one that could not be read.
func (p *Pass) validate() ([]Violation, error) {
	s := p.UserSchema
	if s == nil || s.Err != nil || s.Validate == nil || len(p.Tree.Problems) > 0 {
		return nil, nil
	}
	if p.schemaOutcome == nil {
		document := p.validatedNode().Exact()
		if root, ok := document.(map[string]any); ok && s.isKey && !s.IsForItem {
			delete(root, schemaKey) // the schema does not describe the reference to itself
		}
		violations, err := s.Validate(document)
		p.schemaOutcome = &schemaOutcome{violations, err}
	}
	return p.schemaOutcome.violations, p.schemaOutcome.err
}

// schemaOutcome is the result of a validation.
type schemaOutcome struct {
	violations []Violation
	err        error
}

// validatedNode returns the node to which the user schema applies.
func (p *Pass) validatedNode() *yaml.Node {
	root := p.Tree.Root()
	if items := root.List(); p.UserSchema.IsForItem && len(items) > 0 {
		return items[0]
	}
	return root
}

// violationSpan returns the span of a violation: a key, a scalar, or for a collection its
// own key or first key.
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

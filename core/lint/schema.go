package lint

import (
	"errors"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// SchemaLoader loads the JSON Schema that a file names by a reference. Its error says in a
// few words why the schema cannot be used. The host supplies it: core has no validator and
// reads no files.
type SchemaLoader func(reference string) (Validator, error)

// CheckSchemaReference returns an error for a reference that is not a relative path.
func CheckSchemaReference(reference string) error {
	if reference == "" || reference[0] == '/' || reference[0] == '\\' || strings.Contains(reference, ":") {
		return errors.New("it is not a relative path")
	}
	return nil
}

// Validator applies a compiled JSON Schema. It returns the violations of a document, as [yaml.Node.Exact] converts it, in a
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
	IsKey     bool      // named by the key `$schema`, not by a comment
}

// SchemaKey is the key for a version of the format or a user schema.
const SchemaKey = "$schema"

var (
	modeline = pattern.New(`^\s*yaml-language-server\s*:.*?\$schema=(\S+)`)
	// versionTag matches a `$schema` that names a version of the format.
	versionTag     = pattern.New(`^[\w.-]*$`)
	schemaFileName = pattern.New(`\.(?:json|ya?ml)$`)
	remoteAddress  = pattern.New(`^(?:[A-Za-z][A-Za-z0-9+.-]+:|//)`)
)

// NamesSchema reports whether the value of a `$schema` key is a file or URL rather than a
// version of the format.
func NamesSchema(value string) bool {
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
	at := tree.Root().Get(SchemaKey)
	if value, ok := at.Str(); ok && NamesSchema(value) {
		return &UserSchema{Reference: value, Span: at.Span, IsKey: true}
	}
	return nil
}

// IsRemote reports whether the reference is a URL.
func (us *UserSchema) IsRemote() bool { return remoteAddress().MatchString(us.Reference) }

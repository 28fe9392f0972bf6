package lint

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/project"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/core/spell"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// ParseSeverity returns the severity called name for a rule; `off` is 0.
func ParseSeverity(rule, name string) (diag.Severity, error) {
	if Find(rule) == nil {
		return 0, fmt.Errorf("there is no rule `%s`%s", rule, spell.DidYouMean(rule, RuleIDs()))
	}
	if name == "off" {
		return 0, nil
	}
	severity, known := diag.ParseSeverity(name)
	if !known {
		return 0, fmt.Errorf("the severity of `%s` is `%s`; expected `error`, `warning`, `info`, `hint` or `off`", rule, name)
	}
	return severity, nil
}

// ParseSeverities returns the severities in settings of a host, by rule id, and the faults of the others.
func ParseSeverities(rules map[string]string) (severities map[string]diag.Severity, faults []string) {
	severities = map[string]diag.Severity{}
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		severity, err := ParseSeverity(rule, strings.ToLower(rules[rule]))
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		severities[rule] = severity
	}
	return severities, faults
}

// ReadConfig returns the severities in a .rubric.yaml. Its profile turns on the rules about
// profiles. The error names the first fault and its line. ReadConfig accepts the other keys of
// [project.SettingsFile] without reading them.
func ReadConfig(tree *yaml.Tree) (map[string]diag.Severity, error) {
	fault := func(n *yaml.Node, format string, args ...any) error {
		return fmt.Errorf("line %d: "+format, append([]any{tree.Source.OffsetLine(n.Span.Start) + 1}, args...)...)
	}
	for _, p := range tree.Problems {
		return nil, fmt.Errorf("line %d: %s", tree.Source.OffsetLine(p.Span.Start)+1, p.Message)
	}
	for i, doc := range tree.Docs {
		if i > 0 && !doc.Root.IsNull() {
			return nil, fault(doc.Root, "a second document starts here; only the first is read")
		}
	}
	severities := map[string]diag.Severity{}
	if root := tree.Root(); !root.IsMap() && !root.IsNull() {
		return nil, fault(root, "expected a mapping with `rules`, found %s", DescribeValue(root))
	}
	for _, p := range tree.Root().Entries() {
		switch key := p.Key.Text(); key {
		case project.RulesKey:
		case project.ProfileKey:
			profile := score.Profile(p.Value.Value)
			if !profile.IsKnown() {
				return nil, fault(p.Key, "`profile` is %s, not `%s`", score.ProfileNames, profile)
			}
			for _, r := range All() {
				if _, set := severities[r.ID]; r.AboutProfile && profile.IsReference() && !set {
					severities[r.ID] = r.Severity
				}
			}
			continue
		default:
			if known := project.SettingsFile.Keys(); !slices.Contains(known, key) {
				return nil, fault(p.Key, "unknown key `%s`%s", p.Key.Value,
					spell.DidYouMeanOr(p.Key.Value, known, "known keys are "+diag.JoinList(diag.Backtick(known), "and")))
			}
			continue
		}
		if !p.Value.IsMap() && !p.Value.IsNull() {
			return nil, fault(p.Key, "`rules` is a mapping from rules to severities, not %s", DescribeValue(p.Value))
		}
		for _, rule := range p.Value.Entries() {
			severity, err := ParseSeverity(rule.Key.Value, strings.ToLower(rule.Value.Follow().Value))
			if err != nil {
				return nil, fault(rule.Key, "%w", err)
			}
			severities[rule.Key.Value] = severity
		}
	}
	return severities, nil
}

// ConfigValue returns the value of a .rubric.yaml's key and its line, or nil. For isText it is as
// written, even if it looks like a number.
func ConfigValue(tree *yaml.Tree, key string, isText bool) (value any, line int) {
	n := tree.Root().Get(key)
	if n == nil {
		return nil, 0
	}
	if value = n.Any(); isText {
		value = n.Value
	}
	return value, tree.Source.OffsetLine(n.Span.Start) + 1
}

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

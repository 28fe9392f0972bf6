package format

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/lint"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

var _ = lint.Register(pages, lint.Rule{
	ID:         "user-schema",
	Severity:   diag.Warning,
	LoadSchema: exampleSchema,
	Run: func(p *lint.Pass) {
		for _, v := range validate(p).violations { // schema-not-applied reports the error
			d := p.Report(violationSpan(p, v), "%s", v.Message)
			d.Notes = []diag.Note{{Span: p.UserSchema.Span, Message: "the schema is named here"}}
		}
	},
})

// schemaOutcome is the result of a validation.
type schemaOutcome struct {
	violations []lint.Violation
	err        error
}

// validate applies the user schema. It leaves out violations by a value of which a part could not
// be read.
var validate = lint.PerPass(func(p *lint.Pass) (out schemaOutcome) {
	s := p.UserSchema
	if s == nil || s.Err != nil || s.Validate == nil || p.Tree.HasUnboundedAliases() {
		return out
	}
	document := p.Tree.Root().Exact()
	if root, ok := document.(map[string]any); ok && s.IsKey {
		delete(root, lint.SchemaKey) // the schema does not describe the reference to itself
	}
	out.violations, out.err = s.Validate(document)
	out.violations = slices.DeleteFunc(out.violations, func(v lint.Violation) bool { return violator(p, v).Recovered })
	return out
})

// violator returns the value of a violation.
func violator(p *lint.Pass, v lint.Violation) *yaml.Node {
	n := p.Tree.Root()
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
	return n
}

// violationSpan returns the span of a violation: a key, a scalar, or for a collection its
// own key or first key.
func violationSpan(p *lint.Pass, v lint.Violation) text.Span {
	n := violator(p, v)
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

// exampleSchema imitates the schema of the example, because core has no validator. A test
// of the host compares it with a real one.
func exampleSchema(string) (lint.Validator, error) {
	return func(document any) (found []lint.Violation, err error) {
		root, _ := document.(map[string]any)
		cases, _ := root["evalcases"].([]any)
		for i, c := range cases {
			if fields, _ := c.(map[string]any); fields["note"] == nil {
				path := []string{"evalcases", strconv.Itoa(i)}
				found = append(found, lint.Violation{Path: path, Message: "`note` is missing"},
					lint.Violation{Path: append(path, "conversation_id"), Message: "`\"7-b\"` does not match the pattern `^c-`"})
			}
		}
		return found, nil
	}, nil
}

var _ = lint.Register(pages, lint.Rule{
	ID:       "schema-not-applied",
	Severity: diag.Info,
	Highest:  diag.Warning,
	Run: func(p *lint.Pass) {
		if p.UserSchema == nil {
			return
		}
		switch err := cmp.Or(p.UserSchema.Err, validate(p).err); {
		case err != nil:
			d := p.Report(p.UserSchema.Span, "the schema `%s` is not applied: %s", lint.Abbreviate(p.UserSchema.Reference), err)
			d.Severity = diag.Warning
		case p.UserSchema.IsRemote():
			p.Report(p.UserSchema.Span, "the schema `%s` is not applied: schemas are not downloaded; name a file", lint.Abbreviate(p.UserSchema.Reference))
		}
	},
})

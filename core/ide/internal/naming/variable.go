package naming

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/ide/internal/syntax"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// V4PromptVariables are available to a judge's prompt in later versions, besides
// [grade.Variables].
var V4PromptVariables = []string{"input", "output", "expected_output", "criteria", "rubric", "tool_calls"}

// templateVariable matches a variable in a template.
var templateVariable = pattern.New(`\{\{-?\s*([A-Za-z_][A-Za-z0-9_.]*)\s*-?\}\}`)

// environmentVariable matches an environment variable in a target's settings.
var environmentVariable = pattern.New(`\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)

// VariableSpans returns the variables in a template. known reports whether a variable gets a value.
func VariableSpans(p *analysis.Chunk, v syntax.Value) (slots []text.Span, known func(name string) bool) {
	slot, known := templateVariable, func(string) bool { return true }
	switch {
	case v.Node.Kind != yaml.Scalar:
		return nil, known
	case p.Role == agentv.Targets:
		slot = environmentVariable
	case p.Version == agentv.Head: // there every string is a template, and cases declare variables
	case v.Field != nil && v.Field.Key == "prompt":
		known = func(name string) bool {
			return slices.Contains(grade.Variables, name) || p.Version != "" && slices.Contains(V4PromptVariables, name)
		}
	default:
		return nil, known
	}
	for _, m := range slot().FindAllStringSubmatchIndex(p.Source.Slice(v.Node.Span), -1) {
		slots = append(slots, text.Span{Start: m[2], End: m[3]}.Shift(v.Node.Span.Start))
	}
	return slots, known
}

// visitVariables visits the template variables that a value uses and the one that its key declares.
// Only the newest version has named variables.
func visitVariables(p *analysis.Chunk, v syntax.Value, visit func(Name, Use)) {
	if p.Version != agentv.Head {
		return
	}
	if key := variableKey(v); key != nil {
		visit(Name{Kind: VariableName, Text: key.Value, Scope: -1}, Use{Span: syntax.UnquotedSpan(key), IsDeclaration: true, Node: key})
	}
	slots, _ := VariableSpans(p, v)
	for _, span := range slots {
		name, _, _ := strings.Cut(p.Source.Slice(span), ".")
		visit(Name{Kind: VariableName, Text: name, Scope: -1}, Use{Span: text.Span{Start: span.Start, End: span.Start + len(name)}})
	}
}

// variableKey returns the key if it declares a variable, or nil. Keys with a fixed meaning are not
// variables.
func variableKey(v syntax.Value) *yaml.Node {
	if v.Pair == nil || v.Parent.Field == nil || v.Parent.Field.Key != "vars" || v.Pair.Key.Kind != yaml.Scalar || v.Pair.IsMerge() {
		return nil
	}
	if place, _ := agentv.ScopeOf(v.Parent.Owner); place != agentv.InCase || agentv.LookupConcept(v.Pair.Key.Value, agentv.InVars) != nil {
		return nil
	}
	return v.Pair.Key
}

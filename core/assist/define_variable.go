package assist

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/grade"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

// templateVariable is a variable in a template.
var templateVariable = pattern.New(`\{\{-?\s*([A-Za-z_][A-Za-z0-9_.]*)\s*-?\}\}`)

// environmentVariable is a variable of the environment in a target's settings.
var environmentVariable = pattern.New(`\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)

// variableSpans are the places of the variables in a text that is a template, and known
// tells whether something is filled in for one.
func variableSpans(p *analysis.Chunk, v value) (slots []text.Span, known func(name string) bool) {
	slot, known := templateVariable, func(string) bool { return true }
	switch {
	case v.node.Kind != yaml.Scalar:
		return nil, known
	case p.Role == agentv.Targets:
		slot = environmentVariable
	case p.Version == agentv.Head: // every text is a template there, and cases bring their own variables
	case v.Field != nil && v.Field.Key == "prompt":
		known = func(name string) bool {
			return slices.Contains(grade.Variables, name) || p.Version != "" && slices.Contains(laterPromptVariables, name)
		}
	default:
		return nil, known
	}
	for _, m := range slot().FindAllStringSubmatchIndex(p.Source.Slice(v.node.Span), -1) {
		slots = append(slots, text.Span{Start: m[2], End: m[3]}.Shift(v.node.Span.Start))
	}
	return slots, known
}

// visitVariables visits the names of variables that a value uses as a template of
// the newest version, and the one that its key gives a value to.
func visitVariables(p *analysis.Chunk, v value, visit func(Name, Use)) {
	if p.Version != agentv.Head {
		return
	}
	if key := v.variableKey(); key != nil {
		visit(Name{Kind: VariableName, Text: key.Value, Scope: -1}, Use{Span: unquotedSpan(key), IsDeclaration: true, node: key})
	}
	slots, _ := variableSpans(p, v)
	for _, span := range slots {
		name, _, _ := strings.Cut(p.Source.Slice(span), ".")
		visit(Name{Kind: VariableName, Text: name, Scope: -1}, Use{Span: text.Span{Start: span.Start, End: span.Start + len(name)}})
	}
}

// variableKey is the key of a variable's value in a test, nil if the value is
// none, or one that the runner knows by its name.
func (v value) variableKey() *yaml.Node {
	if v.pair == nil || v.parent.Field == nil || v.parent.Field.Key != "vars" || v.pair.Key.Kind != yaml.Scalar || v.pair.IsMerge() {
		return nil
	}
	if place, _ := agentv.ScopeOf(v.parent.Owner); place != agentv.InCase || agentv.LookupConcept(v.pair.Key.Value, agentv.InVars) != nil {
		return nil
	}
	return v.pair.Key
}

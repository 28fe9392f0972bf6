// Package naming finds names that a file declares or refers to: cases, criteria, graders, targets, anchors and
// template variables.
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

// NameKind says what a name refers to.
type NameKind string

// Kinds of names.
const (
	AnchorName    NameKind = "anchor"
	CaseName      NameKind = "case"
	CriterionName NameKind = "criterion"
	GraderName    NameKind = "grader"
	TargetName    NameKind = "target"
	VariableName  NameKind = "variable" // in templates of the newest version
)

// A Name is an identifier in a file that may have several uses.
type Name struct {
	Kind NameKind
	Text string
	// Scope is the file offset of the node in which the name is unique: a rubric, the
	// owner of a list of graders, or the value of an anchor. It is -1 for names that are
	// unique in the workspace, and for an alias without an anchor.
	Scope int
}

// A Use is one place where a name is written.
type Use struct {
	Span          text.Span  // the name without quotes or sigils
	IsDeclaration bool       // the other uses refer to this one
	IsInFile      bool       // it refers to a declaration of its own file, or of the file that its labels are for
	Node          *yaml.Node // the node that is the whole name; nil for part of a string
}

// NameAt returns the name at an offset of a chunk.
func NameAt(p *analysis.Chunk, offset int) (name Name, use Use, ok bool) {
	VisitNames(p, func(n Name, u Use) {
		if !ok && u.Span.Touches(offset) {
			name, use, ok = n, u, true
		}
	})
	return name, use, ok
}

// Uses returns the uses of a name in a chunk, in text order.
func Uses(p *analysis.Chunk, name Name) (all []Use) {
	VisitNames(p, func(n Name, u Use) {
		if n == name {
			all = append(all, u)
		}
	})
	return all
}

// VisitNames visits all names of a chunk in text order.
func VisitNames(p *analysis.Chunk, visit func(Name, Use)) {
	syntax.WalkValues(p, func(v syntax.Value) {
		if v.Pair != nil {
			if name, use, ok := weightKeyName(p, v); ok {
				visit(name, use)
			}
			if isLabelledCase(p, v) {
				visit(Name{Kind: CaseName, Text: v.Pair.Key.Value, Scope: -1}, Use{Span: syntax.UnquotedSpan(v.Pair.Key), IsInFile: true, Node: v.Pair.Key})
			}
		}
		if name, use, ok := anchorName(p, v.Node); ok {
			visit(name, use)
		}
		if name, use, ok := ValueName(p, v); ok {
			visit(name, use)
		}
		visitVariables(p, v, visit)
	})
}

// anchorName returns the anchor that a node declares or refers to.
func anchorName(p *analysis.Chunk, n *yaml.Node) (Name, Use, bool) {
	switch {
	case n.Kind == yaml.Alias && p.Source.Slice(n.Span) == "*"+n.Value: // not promptfoo's `$ref`
		name := Name{Kind: AnchorName, Text: n.Value, Scope: -1}
		if n.Target != nil {
			name.Scope = p.ToFile(n.Target.Span).Start
		}
		return name, Use{Span: text.Span{Start: n.Span.Start + len("*"), End: n.Span.End}, Node: n}, true
	case n.Anchor != "":
		at := n.Props.Start + strings.Index(p.Source.Slice(n.Props), "&"+n.Anchor) + len("&")
		use := Use{Span: text.Span{Start: at, End: at + len(n.Anchor)}, IsDeclaration: true, Node: n}
		return Name{Kind: AnchorName, Text: n.Anchor, Scope: p.ToFile(n.Span).Start}, use, true
	}
	return Name{}, Use{}, false
}

// ValueName returns the name that a scalar declares or refers to.
func ValueName(p *analysis.Chunk, v syntax.Value) (name Name, use Use, ok bool) {
	n := v.Node
	if n.Kind != yaml.Scalar || n.IsNull() || n.Value == "" {
		return Name{}, Use{}, false
	}
	name = Name{Text: n.Value, Scope: -1}
	use = Use{Span: syntax.UnquotedSpan(n), Node: n}
	switch kind, unique := declaredName(v); {
	case kind != "":
		name.Kind, use.IsDeclaration = kind, true
		if unique != nil {
			name.Scope = p.ToFile(unique.Span).Start
		}
	case refersToTarget(v):
		name.Kind = TargetName
	case refersToCase(v):
		name.Kind = CaseName
	case refersToOwnCase(v):
		name.Kind, use.IsInFile = CaseName, true
	default:
		return Name{}, Use{}, false
	}
	return name, use, true
}

// declaredName returns the kind of name that a scalar declares, and the node in which it must be
// unique. A nil node means the whole suite.
func declaredName(v syntax.Value) (NameKind, *yaml.Node) {
	if v.Pair == nil || v.Owner == nil || v.Node.Parent == nil {
		return "", nil
	}
	key, mapping := v.Pair.Key.Value, v.Node.Parent
	switch scope, _ := agentv.ScopeOf(v.Owner); {
	case syntax.IsTargetType(v.Owner):
		if key == "name" || key == "label" || key == "id" && mapping.Get("label") == nil && mapping.Get("name") == nil {
			return TargetName, nil
		}
	case scope == agentv.InCase && key == "id":
		return CaseName, nil
	case scope == agentv.InCriterion && key == "id" && mapping.Parent != nil:
		return CriterionName, mapping.Parent
	case scope == agentv.InGrader && slices.Contains(syntax.GraderKeys, key):
		return GraderName, listOwner(mapping)
	}
	return "", nil
}

// listOwner returns the mapping whose list contains n. Without one it returns the list or n itself.
func listOwner(n *yaml.Node) *yaml.Node {
	for range 2 {
		if n.Parent != nil {
			n = n.Parent
		}
	}
	return n
}

// weightKeyName returns the grader that a key refers to: the weights of a composite are keyed by
// member name.
func weightKeyName(p *analysis.Chunk, v syntax.Value) (Name, Use, bool) {
	weights := v.Parent
	if weights == nil || weights.Pair == nil || weights.Pair.Key.Value != "weights" || graderKey(weights.Parent) != "aggregator" || v.Pair.Key.Kind != yaml.Scalar {
		return Name{}, Use{}, false
	}
	composite := weights.Parent.Parent
	key := v.Pair.Key
	return Name{Kind: GraderName, Text: key.Value, Scope: p.ToFile(composite.Node.Span).Start}, Use{Span: syntax.UnquotedSpan(key), Node: key}, true
}

// graderKey returns the key of a value in a grader, or "".
func graderKey(v *syntax.Value) string {
	if v == nil || v.Pair == nil {
		return ""
	}
	if scope, _ := agentv.ScopeOf(v.Owner); scope != agentv.InGrader {
		return ""
	}
	return v.Pair.Key.Value
}

func refersToTarget(v syntax.Value) bool {
	field, owner := v.FieldAndOwner()
	scope, _ := agentv.ScopeOf(owner)
	if field == nil {
		return false
	}
	switch field.Key {
	case "name":
		return owner.Name == "suite-target"
	case "targets":
		return scope == agentv.InExecution
	case "target":
		return scope == agentv.InFile || scope == agentv.InExecution
	case "judge_target", "grader_target":
		return syntax.IsTargetType(owner)
	case "providers":
		return (scope == agentv.InFile || scope == agentv.InCase) && !strings.HasPrefix(v.Node.Value, syntax.FileScheme)
	}
	return false
}

func refersToCase(v syntax.Value) bool {
	field, owner := v.FieldAndOwner()
	return field != nil && (field.Key == "test_ids" && owner.Name == "selection" || field.Key == "select" && owner.Name == "included-tests")
}

// refersToOwnCase reports whether a value is the id of a case of this file that must run before, or of a judgement's case.
func refersToOwnCase(v syntax.Value) bool {
	field, owner := v.FieldAndOwner()
	scope, _ := agentv.ScopeOf(owner)
	return field != nil && (field.Key == "depends_on" && scope == agentv.InCase || field.Key == "case" && owner.Name == "judgement")
}

// isLabelledCase reports whether the key of a value in a labels file is the id of a case.
func isLabelledCase(p *analysis.Chunk, v syntax.Value) bool {
	if p.Role != agentv.Labels || v.Pair.Key.Kind != yaml.Scalar || v.Parent == nil || v.Parent.Pair == nil || v.Parent.Parent.Parent != nil {
		return false
	}
	return slices.Contains([]string{"labels", "examples", "fingerprints"}, v.Parent.Pair.Key.Value)
}

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

package assertion

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/seed"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/yaml"
)

// readEntry reads an entry that is not a plain text. It returns nil if the loader skips it.
func (r *listReader) readEntry(n *yaml.Node) *rubric.Grader {
	if !n.IsMap() {
		r.Skip(EntryInvalid, n, "")
		return nil
	}
	typ := n.Get("type").Text()
	if r.Version == agentv.V4 {
		typ = strings.ReplaceAll(typ, "_", "-")
	}
	if typ == "" {
		r.Skip(kindWithoutType(n), n, "type")
		return nil
	}
	if r.rejectRetired(typ, n.Get("type")) {
		return nil
	}
	f, known := r.keys.types[typ]
	inverse := known && strings.HasPrefix(typ, "not-"+trajectoryPrefix)
	if inverse {
		typ = strings.TrimPrefix(typ, "not-")
	}
	if !known {
		f = entryType{rubric.External, (*listReader).readCustom}
	}
	g := &rubric.Grader{
		Kind: f.kind, Weight: 1, Span: r.SpanOf(n), SelectionSpan: r.SpanOf(n.Get("type")),
		Assert: &rubric.Assertion{Type: typ, Inverse: inverse, TypeSpan: r.SpanOf(n.Get("type"))},
	}
	g.Negate, _ = n.Get("negate").Bool()
	if !r.readName(g, n) {
		r.Skip(agentv.EvaluatorInvalid, n.Get(r.keys.graderName), "name")
		return nil
	}
	early := r.Version == agentv.Head && f.kind == rubric.LLMJudge // a weight can then refuse what is skipped
	if early {
		r.readTerms(g, n)
		g.Judge = agentv.ProviderName(n.Get("provider"))
	}
	if retired := n.Get("preprocessors"); retired != nil && r.Version == agentv.Head {
		r.refuseCase(RubricField, retired, "preprocessors")
	}
	if !f.read(r, g, n) {
		return nil
	}
	if !early {
		r.readTerms(g, n)
	}
	if list := r.readPreprocessors(n.Get("preprocessors")); g.Kind == rubric.LLMJudge { // the runner reads them everywhere, but only judges have them
		g.Preprocessors = list
	}
	if r.inSet && g.Negate {
		r.AddLoss(NegateUnread, rubric.Silent, n.Get("negate"), "")
	}
	if g.Kind == rubric.FieldAccuracy && r.Version == agentv.Head {
		r.AddLoss(FieldsUnread, rubric.Silent, n.Get("type"), "")
	}
	return g
}

// kindWithoutType returns the loss of an entry without a type.
func kindWithoutType(n *yaml.Node) string {
	if n.Get("include") != nil {
		return IncludeOtherKeys
	}
	return agentv.EvaluatorInvalid
}

func (r *listReader) readTerms(g *rubric.Grader, n *yaml.Node) {
	r.readGraderWeight(g, n.Get("weight"))
	r.readGate(g, n)
}

// rejectRetired reports whether the version no longer accepts a type, and records the loss.
func (r *listReader) rejectRetired(typ string, at *yaml.Node) bool {
	if r.Version == agentv.V4 {
		if slices.Contains(retiredTypes, typ) {
			return !r.Skip(Deprecated, at, typ)
		}
		return false
	}
	if slices.Contains(renamedTypes, typ) || slices.Contains(foreignTypes, strings.TrimPrefix(typ, "not-")) {
		r.refuseCase(TypeUnsupported, at, typ)
		return true
	}
	return false
}

// trajectoryPrefix begins the types about a trace. Head inverts them after `not-`.
const trajectoryPrefix = "trajectory:"

// maxRegexName is the number of characters of a regex that a name may contain.
const maxRegexName = 30

// readName sets the grader's name: the written one, or one derived from its type and value. It is
// false for an empty name.
func (r *listReader) readName(g *rubric.Grader, n *yaml.Node) bool {
	name := n.Get(r.keys.graderName)
	if text, ok := name.Str(); ok {
		g.Name, g.SelectionSpan = text, r.SpanOf(name)
		return text != ""
	}
	g.Name = g.Assert.Type
	if typ := g.Assert.Type; typ == rubric.SkillUsed || typ == rubric.NotSkillUsed {
		switch text := n.Get("value").Text(); {
		case n.Get("value").IsSeq():
			g.Name += "-" + strconv.Itoa(len(n.Get("value").List()))
		case strings.TrimSpace(text) != "":
			g.Name += "-" + strings.TrimSpace(text)
		}
	}
	if g.Kind != rubric.Deterministic || g.Assert.Type == rubric.IsJSON {
		return true
	}
	value := n.Get("value")
	text := value.Text()
	switch {
	case takesSeveralTexts(g.Assert.Type) && value.IsSeq():
		g.Name += "-" + strconv.Itoa(len(value.List()))
	case !takesSeveralTexts(g.Assert.Type) && text != "":
		if runes := []rune(text); g.Assert.Type == rubric.Regex && len(runes) > maxRegexName {
			text = string(runes[:maxRegexName])
		}
		g.Name += "-" + text
	}
	return true
}

// takesSeveralTexts reports whether the value of a type is a list of texts.
func takesSeveralTexts(typ string) bool {
	return strings.HasSuffix(typ, "-any") || strings.HasSuffix(typ, "-all")
}

func (r *listReader) readGraderWeight(g *rubric.Grader, n *yaml.Node) {
	if n == nil {
		return
	}
	weight, refused := seed.ReadWeight(n)
	if refused != "" {
		r.refuseCase(refused, n, "")
		return
	}
	g.Weight, g.WeightSpan = weight, r.SpanOf(n)
}

// readGate reads the grader's gate. An older syntax for the minimum is a number in `required`.
func (r *listReader) readGate(g *rubric.Grader, n *yaml.Node) {
	if minimum := n.Get("min_score"); minimum != nil {
		if score, ok := readShare(minimum); ok && score > 0 {
			g.MinScore, g.MinScoreSpan = &score, r.SpanOf(minimum)
		} else {
			r.AddLoss(agentv.MinScoreIgnored, rubric.Silent, minimum, "")
		}
	}
	required := n.Get("required")
	if required == nil {
		return
	}
	yes, isBool := required.Bool()
	_, isNumber := required.Number()
	switch {
	case isBool:
		g.Required, g.RequiredSpan = yes, r.SpanOf(required)
	case isNumber && r.Version == agentv.Head:
		r.refuseCase(RequiredNumeric, required, "")
	case isNumber:
		r.readNumericGate(g, required)
	default:
		r.AddLoss(agentv.RequiredDefaulted, rubric.Silent, required, "")
	}
}

func (r *listReader) readNumericGate(g *rubric.Grader, n *yaml.Node) {
	score, ok := readShare(n)
	if !ok || score == 0 {
		r.AddLoss(agentv.RequiredDefaulted, rubric.Silent, n, "")
		return
	}
	r.AddLoss(Deprecated, rubric.Warns, n, "required")
	g.Required, g.RequiredSpan = true, r.SpanOf(n)
	if g.MinScore == nil {
		g.MinScore, g.MinScoreSpan = &score, r.SpanOf(n)
	}
}

// readThreshold reads the mean score that passes.
func (r *listReader) readThreshold(g *rubric.Grader, n *yaml.Node) {
	if n == nil {
		return
	}
	if value, ok := readShare(n); ok {
		g.Threshold, g.ThresholdSpan = &value, r.SpanOf(n)
	} else {
		r.AddLoss(ThresholdIgnored, rubric.Silent, n, "")
	}
}

// readShare returns a number and reports whether it lies between 0 and 1.
func readShare(n *yaml.Node) (float64, bool) {
	f, ok := n.Number()
	return f, ok && f >= 0 && f <= 1
}

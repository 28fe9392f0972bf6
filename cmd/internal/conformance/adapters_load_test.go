package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/rubric"
	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/core/text"
	"github.com/rubric-ls/rubric/core/yaml"
)

func init() {
	for kind, run := range map[string]adapter{
		"load_eval": loadEval, "jsonl_load": loadLines, "shorthand": shorthand,
		"rubric_parse_inline": parseInline, "evaluator_parse": parseEvaluator, "score_ranges_validate": scoreRanges,
		"format_detect": formatDetect, "file_type": fileType, "evaluator_inherit": inheritEvaluators,
	} {
		adapters[kind] = run
	}
}

func parse(body string) *yaml.Tree { return yaml.Parse(text.New("case.yaml", body)) }

// lowerOneCase reads a file with one case that has these keys besides the usual.
func lowerOneCase(keys map[string]any) *rubric.Suite {
	entry := map[string]any{"id": "c", "expected_outcome": "O", "input": "Q"}
	for key, value := range keys {
		entry[key] = value
	}
	body := strings.ReplaceAll(encoded(map[string]any{"evalcases": []any{entry}}), `".inf"`, ".inf")
	return v4.Reader{Format: v4.Seed, Name: "l"}.LowerSuite(parse(body))
}

// reportedLosses are the losses that the reference reports, as it does.
func reportedLosses(suite *rubric.Suite) []string {
	var all []string
	for _, loss := range suite.Losses {
		if loss.Level != rubric.Silent {
			all = append(all, string(loss.Level)+":"+loss.Kind)
		}
	}
	return all
}

func fatalLoss(suite *rubric.Suite) (kind string) {
	for _, loss := range suite.Losses {
		if loss.Fatal {
			return loss.Kind
		}
	}
	return ""
}

// compareJSON compares what is expected, key by key, with what there is. What is
// null in one may be absent in the other; strict allows nothing else.
func compareJSON(want, got any, strict bool) error {
	expected, isMap := want.(map[string]any)
	if !isMap {
		if !reflect.DeepEqual(want, got) {
			return fmt.Errorf("got %s", encoded(got))
		}
		return nil
	}
	found, _ := got.(map[string]any)
	for key, value := range expected {
		if !reflect.DeepEqual(value, found[key]) {
			return fmt.Errorf("%s is %s, want %s", key, encoded(found[key]), encoded(value))
		}
	}
	for key, value := range found {
		if _, wanted := expected[key]; strict && !wanted && value != nil {
			return fmt.Errorf("%s is %s, and should not be there", key, encoded(value))
		}
	}
	return nil
}

func encoded(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

// toJSON is v as JSON has it.
func toJSON(v any) any {
	var out any
	_ = json.Unmarshal([]byte(encoded(v)), &out)
	return out
}

func loadEval(t *testing.T, c testCase) error {
	in := decode[struct {
		Name string `json:"file_basename"`
		YAML string `json:"yaml"`
	}](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	suite := v4.Reader{Format: v4.Seed, Name: in.Name}.LowerSuite(parse(in.YAML))
	got := map[string]any{"error": nil}
	if kind := fatalLoss(suite); kind != "" {
		got["error"] = kind
		return compareJSON(want, toJSON(got), false)
	}
	cases := []any{}
	for _, k := range suite.Cases {
		cases = append(cases, caseView(suite, k))
	}
	got["cases"], got["diagnostics"] = cases, reportedLosses(suite)
	return compareJSON(want, toJSON(got), false)
}

func caseView(suite *rubric.Suite, c *rubric.Case) map[string]any {
	view := map[string]any{
		"dataset": suite.Name, "evaluator": c.Fallback, "expected_outcome": c.ExpectedOutcome, "id": c.ID,
		"input_messages": len(c.Input), "question": c.Question, "reference_answer": c.ReferenceAnswer,
	}
	var graders []any
	for _, g := range c.Graders {
		grader := map[string]any{"name": g.Name, "type": kindView(g.Kind)}
		if len(g.Criteria) > 0 {
			grader["rubrics"] = len(g.Criteria)
		}
		if pairs := bandPairs(g.Criteria); pairs != nil {
			grader["ranges"] = pairs
		}
		graders = append(graders, grader)
	}
	if graders != nil {
		view["evaluators"] = graders
	}
	return view
}

// bandPairs returns the ends of all ranges.
func bandPairs(criteria []*rubric.Criterion) (pairs [][2]float64) {
	for _, c := range criteria {
		for _, b := range c.Bands {
			pairs = append(pairs, [2]float64{b.Lo, b.Hi})
		}
	}
	return pairs
}

// kindView is a kind as the reference holds it: a code judge is "code".
func kindView(kind rubric.Kind) string {
	if kind == rubric.CodeJudge {
		return "code"
	}
	return string(kind)
}

func loadLines(t *testing.T, c testCase) error {
	in := decode[struct {
		File    string   `json:"file"`
		Filter  string   `json:"filter"`
		Lines   []string `json:"lines"`
		Sidecar any      `json:"sidecar"` // its text, or its data
	}](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	name := strings.TrimSuffix(in.File, filepath.Ext(in.File))
	src := text.New("t.jsonl", strings.Join(in.Lines, "\n")+"\n")
	var sidecar *yaml.Tree
	if text, isText := in.Sidecar.(string); isText {
		sidecar = parse(text)
	} else if in.Sidecar != nil {
		sidecar = parse(encoded(in.Sidecar))
	}
	suite := v4.Reader{Format: v4.Seed, Name: name}.LowerJSONL(yaml.ParseJSONL(src), sidecar)
	for _, loss := range suite.Losses {
		if loss.Fatal {
			return compareJSON(want, toJSON(map[string]any{"error": loss.Kind, "line": src.OffsetLine(loss.Span.Start) + 1}), true)
		}
	}
	keep := run.MatchIDs()
	if in.Filter != "" {
		keep = run.MatchIDs(in.Filter)
	}
	got := map[string]any{"dataset": suite.Name, "diagnostics": reportedLosses(suite)}
	ids := []string{}
	for _, k := range suite.Cases {
		if keep(k) {
			ids = append(ids, k.ID)
		}
	}
	got["ids"] = ids
	if len(suite.Cases) > 0 {
		first := suite.Cases[0]
		var names, types []string
		for _, g := range first.Graders {
			names, types = append(names, g.Name), append(types, kindView(g.Kind))
			if len(g.Criteria) > 0 {
				got["rubric_count"] = len(g.Criteria)
			}
		}
		got["evaluators"], got["evaluator_types"] = names, types
		got["expected_outcome"], got["question"], got["reference_answer"] = first.ExpectedOutcome, first.Question, first.ReferenceAnswer
		got["input_messages"], got["expected_messages"] = first.Input, first.Expected
		got["evaluator"], got["conversation_id"], got["target"] = first.Fallback, first.ConversationID, strings.Join(suite.Targets, ", ")
	}
	return compareJSON(want, toJSON(got), false)
}

// shorthand reads the messages of a case that has only them.
func shorthand(t *testing.T, c testCase) error {
	in := decode[struct {
		Function string `json:"function"`
		Value    any    `json:"value"`
	}](t, c.Input)
	keys := map[string]any{}
	switch value, _ := in.Value.(map[string]any); in.Function {
	case "resolve_input":
		keys = value
		keys["input"] = value["input"]
	case "resolve_expected":
		keys = value
	default:
		keys[in.Function] = in.Value
	}
	suite := lowerOneCase(keys)
	k := slices.Concat(suite.Cases, suite.Skipped)[0]
	var got any = k.Input
	if strings.Contains(in.Function, "expected") {
		got = k.Expected
	}
	return compareJSON(decode[map[string]any](t, c.Expected), map[string]any{"result": toJSON(got)}, true)
}

func parseInline(t *testing.T, c testCase) error {
	in := decode[map[string]any](t, c.Input)
	suite := lowerOneCase(in)
	want := decode[any](t, c.Expected)
	if kind := fatalLoss(suite); kind != "" {
		return compareJSON(want, toJSON(map[string]any{"error": kind}), true)
	}
	if len(suite.Cases) != 1 {
		return fmt.Errorf("the case was skipped: %v", suite.Losses)
	}
	if len(suite.Cases[0].Graders) == 0 {
		return compareJSON(want, nil, true)
	}
	return compareJSON(want, toJSON(graderView(suite.Cases[0].Graders[0])), true)
}

func parseEvaluator(t *testing.T, c testCase) error {
	in := decode[struct {
		Evaluator any `json:"evaluator"`
	}](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	withTexts(in.Evaluator)
	suite := lowerOneCase(map[string]any{"evaluators": []any{in.Evaluator}})
	expects := encoded(want["diagnostics"]) // one about a missing file is not the loader's here
	if said := reportedLosses(suite); want["diagnostics"] != nil && !strings.Contains(expects, "prompt_treated_as_inline") && encoded(said) != expects {
		return fmt.Errorf("it says %v", said)
	}
	var got any
	switch {
	case len(suite.Cases) == 0:
		got = map[string]any{"error": suite.Losses[len(suite.Losses)-1].Detail}
	case len(suite.Cases[0].Graders) > 0:
		got = graderView(suite.Cases[0].Graders[0])
	}
	expected, isMap := want["result"].(map[string]any)
	if !isMap {
		return compareJSON(want["result"], toJSON(got), true)
	}
	if short, ok := expected["rubric"].(map[string]any); ok { // the only criterion, with the number of its ranges
		criterion, _ := toJSON(got).(map[string]any)["rubrics"].([]any)[0].(map[string]any)
		criterion["ranges"] = float64(len(criterion["score_ranges"].([]any)))
		return compareJSON(short, criterion, false)
	}
	_, whole := expected["name"]
	return compareJSON(expected, toJSON(got), whole)
}

// withTexts gives ranges that are only pairs some text.
func withTexts(evaluator any) {
	entry, _ := evaluator.(map[string]any)
	items, _ := entry["rubrics"].([]any)
	for _, item := range items {
		if criterion, ok := item.(map[string]any); ok {
			criterion["score_ranges"] = pairsWithText(criterion["score_ranges"])
			if criterion["score_ranges"] == nil {
				delete(criterion, "score_ranges")
			}
		}
	}
}

func pairsWithText(ranges any) any {
	list, _ := ranges.([]any)
	for i, entry := range list {
		if pair, ok := entry.([]any); ok {
			list[i] = map[string]any{"score_range": pair, "expected_outcome": "text"}
		}
	}
	return ranges
}

// inheritEvaluators reads a case in a suite that has evaluators of its own.
func inheritEvaluators(t *testing.T, c testCase) error {
	in := decode[struct {
		Case      map[string]any `json:"case"`
		Execution any            `json:"suite_execution"`
	}](t, c.Input)
	entry := map[string]any{"id": "c", "expected_outcome": "O", "input": "Q"}
	maps.Copy(entry, in.Case)
	suite := v4.Reader{Format: v4.Seed, Name: "l"}.LowerSuite(parse(encoded(map[string]any{"execution": in.Execution, "evalcases": []any{entry}})))
	var names []string
	for _, g := range suite.Cases[0].Graders {
		names = append(names, g.Name)
	}
	return compareJSON(decode[any](t, c.Expected), toJSON(map[string]any{"evaluators": names}), true)
}

func scoreRanges(t *testing.T, c testCase) error {
	in := decode[struct {
		Ranges any `json:"score_ranges"`
	}](t, c.Input)
	want := decode[map[string]any](t, c.Expected)
	ranges := pairsWithText(in.Ranges)
	suite := lowerOneCase(map[string]any{"evaluators": []any{map[string]any{
		"name": "j", "type": "llm_judge", "rubrics": []any{map[string]any{"id": "a", "expected_outcome": "O", "score_ranges": ranges}},
	}}})
	if len(suite.Cases) == 0 {
		got := map[string]any{"error": suite.Losses[len(suite.Losses)-1].Detail}
		if _, asked := want["missing"]; asked {
			got["missing"] = rubric.UncoveredScores(suite.Skipped[0].Graders[0].Criteria[0].Bands)
		}
		return compareJSON(want, toJSON(got), true)
	}
	view := criteriaView(suite.Cases[0].Graders[0].Criteria)
	if want["ranges"] != nil {
		return compareJSON(want, toJSON(map[string]any{"ranges": bandPairs(suite.Cases[0].Graders[0].Criteria)}), true)
	}
	if want["ok"] == true {
		return compareJSON(want, map[string]any{"ok": true}, true)
	}
	return compareJSON(want, toJSON(map[string]any{"ok": view}), true)
}

func formatDetect(t *testing.T, c testCase) error {
	in := decode[struct {
		Path string `json:"path"`
	}](t, c.Input)
	got := map[string]any{"format": agentv.CaseFormat(in.Path)}
	if got["format"] == "" {
		got = map[string]any{"error": "unsupported_format"}
	}
	return compareJSON(decode[any](t, c.Expected), got, true)
}

func fileType(t *testing.T, c testCase) error {
	in := decode[struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	}](t, c.Input)
	got := agentv.ReferenceRoleOf(in.Path, parse(in.Content).Root())
	return compareJSON(decode[any](t, c.Expected), toJSON(map[string]any{"type": got}), true)
}

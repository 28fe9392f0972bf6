package conformance

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/yaml"
)

// surroundings is what the later versions find around an eval file.
type surroundings struct {
	Assertions []string // the files in .agentv/assertions, here and further up, without their extension
	Prompt     bool     // a PROMPT.md that a case without a prompt takes
}

// evalFindings checks an eval file as a version does. Other files than those of
// beside are not looked at: cases and workspaces that a file refers to, and
// variables of the environment, are taken for good.
func evalFindings(v agentv.Version, tree *yaml.Tree, around surroundings) []finding {
	switch v {
	case agentv.V4:
		return evalV4(tree, around)
	case agentv.Head:
		return evalHead(tree, around)
	}
	return seedFindings(tree)
}

// accepts reports whether a version lets an eval file pass of which it found
// this: the seed minds warnings too, the later ones errors alone.
func accepts(v agentv.Version, found []finding) bool {
	return !slices.ContainsFunc(found, func(f finding) bool { return f.Severity == severityError || v == agentv.Seed })
}

var (
	v4Top = keySet{
		known: strings.Fields("$schema name description category version author tags license requires input input_files tests " +
			"target execution assertions evaluators preprocessors workspace metadata governance"),
		deprecated: map[string]string{
			"eval_cases": "eval_cases_deprecated", "evalcases": "evalcases_deprecated",
			"evaluator": "evaluator_deprecated", "assert": "assert_deprecated",
		},
		unknown: "unknown_field_ignored",
	}
	v4Test = keySet{
		known: strings.Fields("id vars criteria input input_files expected_output assertions evaluators rubrics execution " +
			"workspace metadata conversation_id suite depends_on on_dependency_failure mode turns aggregation on_turn_failure window_size"),
		deprecated: map[string]string{
			"evaluator": "evaluator_deprecated", "assert": "assert_deprecated", "expected_outcome": "expected_outcome_deprecated",
		},
		unknown: "unknown_field_ignored",
	}
	v4Types = assertionTypes{
		known: strings.Fields("code-grader llm-grader rubric composite tool-trajectory field-accuracy latency cost token-usage " +
			"execution-metrics skill-trigger rubrics inline-assert " + textTypes),
		numericRequired: true,
	}
	v4Files = []string{".yaml", ".yml", ".jsonl"}
)

// evalV4 checks as 4.42.4 does.
func evalV4(tree *yaml.Tree, around surroundings) []finding {
	f := &findings{reading: reading{roles: seedRoles, merges: true, data: true}}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	f.suiteName(root)
	f.keys(root, "", v4Top)
	if input := f.get(root, "input"); input != nil {
		f.v4Input(input, "input")
	}
	tests := f.get(root, "tests")
	name, isFile := tests.Str()
	switch {
	case isFile:
		f.workspace(f.get(root, "workspace"))
		f.v4File(name)
	case !tests.IsSeq():
		f.add("tests_missing", "tests")
	default:
		for i, n := range tests.List() {
			f.v4Entry(n, itemPath("tests", i), around)
		}
		f.workspace(f.get(root, "workspace"))
	}
	return f.list
}

func (f *findings) v4Entry(n *yaml.Node, here string, around surroundings) {
	if name, isFile := n.Str(); isFile {
		if strings.HasPrefix(name, "file://") {
			f.v4File(name)
		} else {
			f.add("case_not_file_reference", here)
		}
		return
	}
	if !n.IsMap() {
		f.add("case_not_object", here)
		return
	}
	f.keys(n, here, v4Test)
	if isBlank(f.get(n, "id")) {
		f.add("id_missing_or_not_string", here+".id")
	}
	if criteria := f.get(n, "criteria"); criteria != nil && isBlank(criteria) {
		f.add("criteria_blank", here+".criteria")
	}
	if input := f.get(n, "input"); input != nil {
		f.v4Input(input, here+".input")
	} else {
		f.add("input_missing", here+".input")
	}
	if output := f.get(n, "expected_output"); output != nil {
		f.answer(output, here+".expected_output")
	}
	if list := f.get(n, "assertions"); list != nil {
		f.assertions(list, here+".assertions", v4Types, around)
	}
	f.conversation(n, here)
	f.workspace(f.get(n, "workspace"))
}

func (f *findings) v4Input(input *yaml.Node, here string) {
	switch _, isText := input.Str(); {
	case isText:
	case input.IsSeq():
		f.messages(input, here)
	default:
		f.add("input_wrong_type", here)
	}
}

// v4File looks at the name of a file of cases; wherever it stands, the
// whole list is warned of.
func (f *findings) v4File(name string) {
	if !slices.Contains(v4Files, path.Ext(name)) {
		f.warn("tests_extension_unsupported", "tests")
	}
}

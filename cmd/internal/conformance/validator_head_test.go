package conformance

import (
	"path"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

// evalHead checks as the version of July 2026 does, which takes nothing that it
// does not know.
func evalHead(tree *yaml.Tree, around surroundings) []finding {
	f := &findings{reading: reading{roles: append([]string{"tool"}, seedRoles...), merges: true, data: true}}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	f.suiteName(root)
	f.keys(root, "", headTop)
	f.environment(f.get(root, "environment"), "environment")
	f.execution(f.get(root, "execution"))
	f.evaluateOptions(f.get(root, "evaluate_options"))
	if list := f.get(root, "assert"); list != nil {
		f.assertions(list, "assert", headTypes, around)
	}
	f.defaultTest(f.get(root, "default_test"), around)

	tests := f.get(root, "tests")
	name, isFile := tests.Str()
	switch {
	case isFile:
		f.headFile(name, "tests")
	case tests == nil && f.get(root, "scenarios").IsSeq():
	case !tests.IsSeq():
		f.add("tests_missing", "tests")
	}
	prompted := around.Prompt || f.get(root, "prompts") != nil
	for i, n := range tests.List() {
		here := itemPath("tests", i)
		name, isFile := n.Str()
		switch {
		case isFile:
			f.headFile(name, here)
		case !n.IsMap():
			f.add("case_not_object", here)
		case !isBlank(f.get(n, "include")):
			f.include(n, here)
		default:
			f.headEntry(n, here, prompted, around)
		}
	}
	return f.list
}

func (f *findings) headEntry(n *yaml.Node, here string, prompted bool, around surroundings) {
	f.keys(n, here, headTest)
	if id := f.get(n, "id"); id != nil && isBlank(id) {
		f.add("id_missing_or_not_string", here+".id")
	}
	list := f.get(n, "assert")
	switch criteria := f.get(n, "criteria"); {
	case criteria == nil:
	case isBlank(criteria):
		f.add("criteria_blank", here+".criteria")
	case list != nil:
		f.add("criteria_with_assert", here+".criteria")
	}
	if execution := f.get(n, "execution"); execution.IsMap() {
		f.keys(execution, here+".execution", headExecution)
	}
	f.headInput(f.get(n, "input"), here+".input", prompted || f.get(n, "prompts") != nil || f.get(n, "provider_output") != nil)
	if list != nil {
		f.assertions(list, here+".assert", headTypes, around)
	}
	f.runs(f.get(n, "run"), here+".run")
	f.options(f.get(n, "options"), here+".options")
	f.environment(f.get(n, "environment"), here+".environment")
	f.conversation(n, here)
}

// headInput checks the prompt that a case may no longer have. It is missed all
// the same where there is no other.
func (f *findings) headInput(input *yaml.Node, here string, prompted bool) {
	_, isText := input.Str()
	switch {
	case input == nil && !prompted:
		f.add("input_missing", here)
	case input == nil, isText:
	case input.IsSeq():
		f.messages(input, here)
	case input.IsMap():
		if f.get(input, "role") != nil {
			f.message(input, itemPath(here, 0))
		}
	default:
		f.add("input_wrong_type", here)
	}
}

var (
	suiteFile      = pattern.New(`(?i)\.eval\.ya?ml$`)
	scriptFunction = pattern.New(`(?i)(\.(?:mjs|cjs|js|py)):[^/\\:]+$`)
)

// headFile looks at the name of a file of cases, which may name a function in
// it too. A suite's file is none.
func (f *findings) headFile(name, here string) {
	name = scriptFunction().ReplaceAllString(strings.TrimPrefix(name, "file://"), "$1")
	switch ext := path.Ext(name); {
	case suiteFile().MatchString(name):
		f.add("tests_file_is_suite", here)
	case ext != "" && !slices.Contains(headFiles, ext):
		f.warn("tests_extension_unsupported", here)
	}
}

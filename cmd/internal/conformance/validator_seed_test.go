package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/core/yaml"
)

// seedFindings checks an eval file as the seed does. The file is valid if nothing at all is found: here
// even a warning makes it invalid.
func seedFindings(tree *yaml.Tree) []finding {
	f := &findings{reading: reading{roles: seedRoles}}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	cases := ownValue(root, "evalcases")
	if !cases.IsSeq() {
		f.add("evalcases_not_array", "evalcases")
		return f.list
	}
	for i, n := range cases.List() {
		if path := itemPath("evalcases", i); n.IsMap() {
			f.entry(n, path)
		} else {
			f.add("case_not_object", path)
		}
	}
	return f.list
}

func (f *findings) entry(n *yaml.Node, path string) {
	if isBlank(ownValue(n, "id")) {
		f.add("id_missing_or_not_string", path+".id")
	}
	if outcome := ownValueOr(n, "expected_outcome", "outcome"); outcome != nil && isBlank(outcome) {
		f.add("expected_outcome_blank", path+".expected_outcome")
	}
	f.input(n, path)
	f.expected(n, path)
}

// input takes the shorthand unless `input_messages` is a list.
func (f *findings) input(n *yaml.Node, path string) {
	if canonical := ownValue(n, "input_messages"); canonical.IsSeq() {
		f.messages(canonical, path+".input_messages")
		return
	}
	input := ownValue(n, "input")
	switch _, isText := input.Str(); {
	case input == nil:
		f.add("input_missing", path+".input_messages")
	case input.IsSeq():
		f.messages(input, path+".input")
	case !isText:
		f.add("input_wrong_type", path+".input")
	}
}

// expected takes the shorthand only where `expected_messages` is absent.
func (f *findings) expected(n *yaml.Node, path string) {
	if canonical := ownValue(n, "expected_messages"); canonical != nil {
		if canonical.IsSeq() {
			f.messages(canonical, path+".expected_messages")
		} else {
			f.add("expected_messages_wrong_type", path+".expected_messages")
		}
		return
	}
	if output := ownValue(n, "expected_output"); output != nil {
		f.answer(output, path+".expected_output")
	}
}

// answer checks what is expected in its short form. A list is one of messages
// if its first item has a role; otherwise it is data.
func (f *findings) answer(output *yaml.Node, path string) {
	switch _, isText := output.Str(); {
	case isText, output.IsMap():
	case !output.IsSeq():
		f.add("expected_output_wrong_type", path)
	case len(output.List()) > 0 && f.get(output.List()[0], "role") != nil:
		f.messages(output, path)
	}
}

// configFindings checks an .agentv/config.yaml. It is valid without an error; warnings
// do not count. A list passes for a mapping of which no key is known.
func configFindings(tree *yaml.Tree) []finding {
	f := &findings{}
	root := f.document(tree)
	switch {
	case root == nil:
	case root.IsSeq():
		if len(root.List()) > 0 {
			f.warn("config_key_unknown", "")
		}
	case root.IsMap():
		f.config(root)
	default:
		f.add("root_not_object", "")
	}
	return f.list
}

func (f *findings) config(root *yaml.Node) {
	if schema := ownValue(root, "$schema"); schema != nil {
		if id, _ := schema.Str(); id != "agentv-config-v2" {
			f.add("schema_invalid", "$schema")
		}
	}
	if patterns := ownValue(root, "guideline_patterns"); patterns != nil {
		f.patterns(patterns, "guideline_patterns")
	}
	// One warning names all of them, and so has no place.
	known := []string{"$schema", "guideline_patterns"}
	if slices.ContainsFunc(keyNames(root), func(key string) bool { return !slices.Contains(known, key) }) {
		f.warn("config_key_unknown", "")
	}
}

func (f *findings) patterns(n *yaml.Node, path string) {
	isText := func(item *yaml.Node) bool { _, ok := item.Str(); return ok }
	switch items := n.List(); {
	case !n.IsSeq():
		f.add("guideline_patterns_not_array", path)
	case len(items) == 0:
		f.warn("guideline_patterns_empty", path)
	case slices.ContainsFunc(items, func(item *yaml.Node) bool { return !isText(item) }):
		f.add("guideline_patterns_not_strings", path)
	}
}

// targetsFindings checks a targets file. It is valid without an error; warnings do not
// count.
func targetsFindings(tree *yaml.Tree) []finding {
	f := &findings{}
	root := f.root(tree)
	if root == nil {
		return f.list
	}
	targets := ownValue(root, "targets")
	if !targets.IsSeq() {
		f.add("targets_not_array", "targets")
		return f.list
	}
	for i, n := range targets.List() {
		if path := itemPath("targets", i); n.IsMap() {
			f.target(n, path)
		} else {
			f.add("target_not_object", path)
		}
	}
	return f.list
}

// target checks one target. Only the name of a provider that is written exactly
// is known, but what belongs to the provider is looked at in any case.
func (f *findings) target(n *yaml.Node, path string) {
	if isBlank(ownValue(n, "name")) {
		f.add("name_missing", path+".name")
	}
	provider, _ := ownValue(n, "provider").Str()
	switch {
	case strings.TrimSpace(provider) == "":
		f.add("provider_missing", path+".provider")
	case !slices.Contains(providers, provider):
		f.warn("provider_unknown", path+".provider")
	}
	provider = strings.ToLower(provider)
	if strings.TrimSpace(provider) == "cli" {
		f.command(n, path)
	}
	for _, key := range keyNames(n) {
		if !knowsSetting(provider, key) {
			f.warn("setting_unknown", path+"."+key)
		}
	}
	if judge := ownValue(n, "judge_target"); judge != nil {
		if _, ok := judge.Str(); !ok {
			f.add("judge_target_not_string", path+".judge_target")
		}
	}
}

// findingLines is a finding a line: `severity category path`, the path without the
// part that all of a table's rows share.
func findingLines(found []finding, shared string) string {
	var lines []string
	for _, f := range found {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%s %s %s", f.Severity, f.Category, strings.TrimPrefix(f.Path, shared)), " "))
	}
	return strings.Join(lines, "\n")
}

func TestValidatorEvalCase(t *testing.T) {
	for name, row := range map[string]struct{ keys, want string }{
		"an empty goal gives way to the older name": {"expected_outcome:\n    outcome: O\n    input: Q", ""},
		"an empty goal alone is an absent one":      {"expected_outcome:\n    input: Q", ""},
		"an empty older name is no goal":            {"outcome:\n    input: Q", "error expected_outcome_blank expected_outcome"},
		"an empty input is not a missing one":       {"input:", "error input_wrong_type input"},
		"a text for input_messages is a missing one": {"input_messages: hi",
			"error input_missing input_messages"},
		"the input's messages are checked too": {"input: [{role: bot, content: x}]", "error role_invalid input[0].role"},
		"a list for an answer is data":         {"input: Q\n    expected_output: [1, {a: b}]", ""},
		"an empty list for an answer is data":  {"input: Q\n    expected_output: []", ""},
		"a first role makes it messages": {"input: Q\n    expected_output: [{role: bot, content: x}, 1]",
			"error role_invalid expected_output[0].role\nerror message_not_object expected_output[1]"},
		"a role further down does not":   {"input: Q\n    expected_output: [x, {role: bot}]", ""},
		"an empty answer is none":        {"input: Q\n    expected_output:", "error expected_output_wrong_type expected_output"},
		"a number is no answer":          {"input: Q\n    expected_output: 4", "error expected_output_wrong_type expected_output"},
		"the canonical answer is enough": {"input: Q\n    expected_output: 4\n    expected_messages: []", ""},
		"empty expected_messages":        {"input: Q\n    expected_messages:", "error expected_messages_wrong_type expected_messages"},
		"each marker warns once": {`input: [{role: user, content: "@[TOOL]: a @[user]: b @[User]: c"}]`,
			"warning role_marker_in_content input[0].content\nwarning role_marker_in_content input[0].content"},
		"markers in parts": {`input: [{role: user, content: ["@[user]:", {type: text, value: "@[user]:"}, {type: file, value: "@[user]:"}]}]`,
			"warning role_marker_in_content input[0].content[0]\nwarning role_marker_in_content input[0].content[1].value"},
		"parts of no shape": {"input: [{role: user, content: [1, {}, {type: text, value: 2}]}]",
			"error content_item_wrong_type input[0].content[0]\nerror content_item_no_type input[0].content[1].type\n" +
				"error content_text_no_value input[0].content[2].value"},
		"tool messages": {"input: [{role: tool, content: x}]", "error role_invalid input[0].role"},
	} {
		t.Run(name, func(t *testing.T) {
			found := seedFindings(parse("evalcases:\n  - id: a\n    " + row.keys + "\n"))
			if got := findingLines(found, "evalcases[0]."); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

// TestValidatorDocument is about what the reference implementation's YAML reader takes.
func TestValidatorDocument(t *testing.T) {
	const refused = "error yaml_syntax"
	for name, row := range map[string]struct{ body, want string }{
		"nothing":           {"", "error root_not_object"},
		"a second document": {"evalcases: []\n---\n", refused},
		"marks around one":  {"---\nevalcases: []\n...\n", ""},
		"a key twice":       {"evalcases: []\nevalcases: []\n", refused},
		"an unknown alias":  {"evalcases: *x\n", refused},
		"a shallow line":    {"evalcases: []\nd: \"x\ny\"\n", refused},
		"a shallow bracket": {"evalcases: [\n]\n", ""},
		"a list that holds itself": {"evalcases: &a [*a]\n",
			"error case_not_object evalcases[0]"},
		"aliases are followed": {"base: &b {id: a, input: Q}\nevalcases: [*b]\n", ""},
		"merges are not": {"base: &b {id: a, input: Q}\nevalcases:\n  - <<: *b\n",
			"error id_missing_or_not_string evalcases[0].id\nerror input_missing evalcases[0].input_messages"},
		"a merge of anything": {"<<: 1\nevalcases: []\n", ""},
		"two merges":          {"x: &x {}\n<<: *x\n<<: *x\nevalcases: []\n", refused},
	} {
		t.Run(name, func(t *testing.T) {
			if got := findingLines(seedFindings(parse(row.body)), ""); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

func TestValidatorTarget(t *testing.T) {
	for name, row := range map[string]struct{ keys, want string }{
		"in order": {"name: 1, provider: CLI, judge_target:",
			"error name_missing name\nwarning provider_unknown provider\n" +
				"error command_template_missing commandTemplate\nerror judge_target_not_string judge_target"},
		"no provider":                    {"name: a, provider: ' '", "error provider_missing provider"},
		"a provider in capitals":         {"name: a, provider: Azure, zzz: 1", "warning provider_unknown provider\nwarning setting_unknown zzz"},
		"older names of settings":        {"name: a, provider: azure, resourceName: r, deploymentName: d, maxTokens: 5", ""},
		"a name that is only read":       {"name: a, provider: azure, judgeTarget: 5", "warning setting_unknown judgeTarget"},
		"settings of a command":          {"name: a, provider: cli, command_template: x, zzz: 1", ""},
		"settings of a routed model":     {"name: a, provider: openai, zzz: 1", ""},
		"the other spelling of a key":    {"name: a, provider: cli, command_template: , commandTemplate: x", ""},
		"each placeholder":               {"name: a, provider: cli, command_template: '{A} {PROMPT} {A} {b}'", "error placeholder_unknown commandTemplate\nerror placeholder_unknown commandTemplate"},
		"a check that is no mapping":     {"name: a, provider: cli, command_template: x, healthcheck: ", "error healthcheck_not_object healthcheck"},
		"a check by URL without one":     {"name: a, provider: cli, command_template: x, healthcheck: {type: http}", "error healthcheck_url_missing healthcheck.url"},
		"a check by command without one": {"name: a, provider: cli, command_template: x, healthcheck: {type: command, cwd: 1}", "error command_template_missing healthcheck.commandTemplate\nerror healthcheck_cwd_not_string healthcheck.cwd"},
		"a check of no time":             {"name: a, provider: cli, command_template: x, healthcheck: {type: http, url: u, timeout_seconds: 0}", "error healthcheck_timeout_invalid healthcheck.timeoutSeconds"},
		"a check of some time":           {"name: a, provider: cli, command_template: x, healthcheck: {type: http, url: u, timeout_seconds: '5'}", ""},
		"a check of an unread time":      {"name: a, provider: cli, command_template: x, healthcheck: {type: http, url: u, timeoutSeconds: soon}", "error healthcheck_timeout_invalid healthcheck.timeoutSeconds"},
	} {
		t.Run(name, func(t *testing.T) {
			found := targetsFindings(parse("targets: [{" + row.keys + "}]\n"))
			if got := findingLines(found, "targets[0]."); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

func TestValidatorConfig(t *testing.T) {
	for name, row := range map[string]struct{ body, want string }{
		"unknown keys share a warning": {"b: 1\na: 1\nguideline_patterns: []\n", "warning guideline_patterns_empty guideline_patterns\nwarning config_key_unknown"},
		"another file's schema":        {"$schema: agentv-eval-v2\n", "error schema_invalid $schema"},
		"its own schema":               {"$schema: agentv-config-v2\n", ""},
		"no patterns":                  {"guideline_patterns:\n", "error guideline_patterns_not_array guideline_patterns"},
		"an empty list":                {"[]\n", ""},
		"a list":                       {"- a\n", "warning config_key_unknown"},
		"nothing":                      {"", "error root_not_object"},
		"two documents":                {"a: 1\n---\nb: 1\n", "error yaml_syntax"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := findingLines(configFindings(parse(row.body)), ""); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

func TestValidatorFileRefs(t *testing.T) {
	files := map[string]string{"full.md": "x", "empty.md": " \n"}
	read := func(path string) (string, bool) { body, found := files[path]; return body, found }
	const parts = "[{role: user, content: [full.md, {type: file, value: full.md}, {type: file, value: empty.md}, {type: file, value: no.md}, {type: file}]}]"
	const want = "warning file_empty content[2]\nerror file_not_found content[3]\nerror file_path_missing content[4].value"
	for name, row := range map[string]struct{ body, shared, want string }{
		"in the input":        {"evalcases: [{input_messages: " + parts + "}]", "evalcases[0].input_messages[0].", want},
		"in the answer":       {"evalcases: [{expected_messages: " + parts + "}]", "evalcases[0].expected_messages[0].", want},
		"not in short names":  {"evalcases: [{input: " + parts + ", expected_output: " + parts + "}]", "", ""},
		"not in a broken one": {"a: [\nevalcases: [{input_messages: " + parts + "}]", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := findingLines(fileRefFindings(parse(row.body), read), row.shared); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

func TestValidatorPrompt(t *testing.T) {
	for template, want := range map[string]string{
		"{{ expected_messages }}":                       "true []",
		"{{candidate_answer}} {{ a }} {{b}} {{ a }}":    "true [a b]",
		"{{ candidate_answer":                           "false []",
		"{{ Candidate_Answer }} {{ reference_answer }}": "false [Candidate_Answer]",
	} {
		usable, unknown := checkPrompt(template)
		if got := fmt.Sprint(usable, " ", unknown); got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
}

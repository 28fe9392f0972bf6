package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

const (
	quickstart = "../../../testdata/quickstart/support.eval.yaml"
	good       = "evalcases:\n  - id: a\n    expected_outcome: Mentions “refund”\n    input: Q\n    expected_output: We refund you.\n    rubrics: [Mentions “refund”]\n"
	bad        = "evalcases:\n  - id: a\n    expected_outcme: O\n    input: Q\n"
	warned     = "evalcases:\n  - id: a\n    expected_outcome: O\n    input: Q\n    wieght: 5\n"
)

// rubric runs the command line in memory.
func rubric(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = cli.Main(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// write makes files in a new folder, and gives the folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestVerbs is the whole command line as its users meet it: what they type, the
// exit status, and what they read.
func TestVerbs(t *testing.T) {
	dir := write(t, map[string]string{
		"good.eval.yaml": good, "bad.eval.yaml": bad, "warned.eval.yaml": warned, "empty.eval.yaml": "evalcases: []\n", "other.yaml": "kind: Deployment\n",
		"list.yaml": "- a\n", "utf16.yaml": "\xff\xfee\x00v\x00", "binary.yaml": "\x00\x01\x02", "latin1.eval.yaml": strings.Replace(good, "Mentions", "Gr\xfcsst", 1),
		"gate.eval.yaml": strings.Replace(good, "[Mentions “refund”]", "[Mentions “refund”, Mentions “hotline”]", 1),
		"answers.jsonl":  `{"eval_id":"a","candidate_answer":"No."}` + "\n", "broken.jsonl": "{\n",
		"old.jsonl":       `{"eval_id":"a","dataset":"d","expected_outcome":"O","score":1,"verdict":"pass","profile":"spec","evaluator_results":[{"name":"rubric","type":"llm_judge","weight":1,"score":1,"verdict":"pass","criteria":[{"id":"x","expected_outcome":"X","weight":1,"required":true}],"grades":[{"id":"x","satisfied":true}]}]}` + "\n",
		"new.jsonl":       `{"eval_id":"a","score":0.4}` + "\n" + `{"eval_id":"b","score":1}` + "\n",
		"two.jsonl":       `{"eval_id":"a","dataset":"d","score":1}` + "\n" + `{"eval_id":"a","dataset":"e","score":0}` + "\n",
		"aimed.eval.yaml": "execution: { target: prod }\nevalcases: [{ id: a, expected_outcome: O, input: Q }]\n",
		"listed.jsonl":    "[1]\n{}\n", "worded.jsonl": `{"eval_id":"a","score":"good"}` + "\n{}\n",
		"empty.jsonl": "", "cases.jsonl": `{"id":"a","expected_outcome":"O","input":"Q","rubrics":["X"]}` + "\n",
		"misspelt/.rubric.yaml": "ruls: {}\n", "misspelt/good.eval.yaml": good, "strange/.rubric.yaml": "x: {}\n", "strange/good.eval.yaml": good,
		"set/.rubric.yaml": "rules:\n  unknown-key: error\n", "set/warned.eval.yaml": warned,
		"broken/.rubric.yaml": "rules:\n  x: off\n", "broken/warned.eval.yaml": warned,
		"refs/x.eval.yaml": "execution: { target: prdo }\nevalcases:\n  - id: a\n    expected_outcome: O\n    input: [{ role: user, content: [{ type: file, value: there.md }, { type: file, value: gone.md }] }]\n" +
			"    evaluators: [{ name: x, type: llm_judge, prompt: prompts/gone.md }, { name: y, type: llm_judge, prompt: blind.md }]\n",
		"own/x.eval.yaml": "# yaml-language-server: $schema=own.json\n" + good, "own/own.json": `{"required":["description"]}`,
		"own/targets.yaml": "targets:\n  - { name: a, provider: openai, model: m, base_url: 'http://127.0.0.1:1/v1', headers: { X-Team: evals }, seed: 7, timeout_seconds: 9, requests_per_minute: 60, tokens_per_minute: 9000 }\n" +
			"  - { name: b, provider: ollama, model: m }\n",
		"refs/there.md": "x", "refs/blind.md": "{{ candidat_answer }}", "refs/targets.yaml": "targets: [{ name: prod, provider: mock }]\n",
		"newer/a.eval.yaml": "prompts: [Say hello]\ntests:\n  - { id: greet, assert: [Mentions “hello”, { type: contains, value: goodbye }] }\n", "newer/b.eval.yaml": good,
		"reply.json": "Sure:\n```json\n" + `{"checks":[{"id":"rubric-1","satisfied":true,"reasoning":"yes"}],"overall_reasoning":"fine"}` + "\n```\n",
	})
	for _, c := range []struct {
		name   string
		args   string
		stdin  string
		code   int
		stdout string // parts, separated by |
		stderr string
	}{
		{"nothing", "", "", 2, "", "Usage:|rubric check ."},
		{"help", "--help", "", 0, "check|run|score|call|explain|schema|version", ""},
		{"help of a verb", "help run", "", 0, "Examples:|--allow-exec", ""},
		{"help of a part", "help runs list", "", 0, "List the runs in folders|rubric runs list [OPTIONS] [PATH]…", ""},
		{"help of no part", "help runs lst", "", 2, "", "unknown subcommand `lst`; did you mean `list`?"},
		{"help of nobody", "help chekc", "", 2, "", "no command or topic `chekc`; did you mean `check`?"},
		{"help of a topic in words", "help exit codes", "", 0, "Exit codes: how commands end", ""},
		{"a misspelt topic", "help judgse", "", 2, "", "did you mean `judges`?"},
		{"an option before the command", "--color never check DIR/good.eval.yaml", "", 0, "", "nothing to report in 1 file"},
		{"an option without a command", "--fix", "", 2, "", "rubric: unknown option `--fix`; `rubric --help` lists the options"},
		{"a misspelt verb with options", "chekc --format json x", "", 2, "", "unknown command `chekc`; did you mean `check`?"},
		{"what follows two dashes", "check -- DIR/good.eval.yaml --fix", "", 2, "", "--fix: no such file or folder"},
		{"a misspelt verb", "chekc x", "", 2, "", "unknown command `chekc`; did you mean `check`?"},
		{"a misspelt flag", "check --formt json .", "", 2, "", "check: unknown option `--formt`; did you mean `--format`?\n"},
		{"AgentV's eval", "eval x", "", 2, "", "unknown command `eval`; did you mean `run`?"},
		{"AgentV's validate", "validate x", "", 2, "", "unknown command `validate`; did you mean `check`?"},
		{"AgentV's validate in help", "help validate", "", 2, "", "no command or topic `validate`; did you mean `check`?"},
		{"AgentV's --eval-id", "run --eval-id a x.yaml", "", 2, "", "run: unknown option `--eval-id`; did you mean `--case`?\n"},
		{"AgentV's --test-id", "run --test-id a x.yaml", "", 2, "", "run: unknown option `--test-id`; did you mean `--case`?\n"},
		{"AgentV's --test-id where there are no cases", "version --test-id a", "", 2, "", "version: unknown option `--test-id`; `rubric version --help` lists the options"},
		{"AgentV's -o", "run -o dir x.yaml", "", 2, "", "run: unknown option `-o`; did you mean `--out`?\n"},
		{"a flag of one letter that is none", "check -z .", "", 2, "", "unknown option `-z`; `rubric check --help` lists the options"},
		{"a flag without its value", "check . --format", "", 2, "", "--format needs a value"},
		{"a count that is none", "run x.eval.yaml --max-calls many", "", 2, "", "--max-calls must be a whole number, not `many`"},
		{"an amount that is none", "run x.eval.yaml --max-cost $5", "", 2, "", "--max-cost must be a number, not `$5`"},
		{"a time without a unit", "run x.eval.yaml --timeout 5", "", 2, "", "--timeout must be a duration such as `30s` or `2m`, not `5`"},
		{"a switch that is neither", "check --fix=perhaps .", "", 2, "", "--fix must be `true` or `false`, not `perhaps`"},
		{"version", "version", "", 0, "rubric |go1.", ""},
		{"version as a flag", "--version", "", 0, "rubric ", ""},
		{"version of what", "version x", "", 2, "", "takes no arguments"},

		{"check a good file", "check DIR/good.eval.yaml", "", 0, "", "nothing to report in 1 file"},
		{"check a bad file", "check DIR/bad.eval.yaml", "", 1, "bad.eval.yaml:3:5: error: unknown key `expected_outcme`; the runner skips the case; did you mean `expected_outcome`? [unknown-key]|^^^^^^^^^^^^^^^", "1 error in 1 file"},
		{"check warnings", "check DIR/warned.eval.yaml", "", 0, "[unknown-key]", "1 warning in 1 file"},
		{"check against a schema of one's own", "check DIR/own/x.eval.yaml", "", 0, "x.eval.yaml:2:1: warning: `description` is missing [user-schema]|note: ", "1 warning in 1 file"},
		{"check quietly", "check -q DIR/warned.eval.yaml", "", 0, "", "no errors in 1 file"},
		{"check what is well quietly", "check -q DIR/good.eval.yaml", "", 0, "", "nothing to report in 1 file"},
		{"check a folder", "check --rule idle-criterion=off DIR", "", 2, "bad.eval.yaml:3:5|latin1.eval.yaml:3:25: error", "binary.yaml: is binary, not text"},
		{"check a folder of newer files", "check DIR/newer", "", 0, "", "nothing to report in 2 files"},
		{"check standard input", "check -", bad, 1, "stdin.yaml:3:5", ""},
		{"check targets with settings of our own", "check DIR/own/targets.yaml", "", 0, "", "nothing to report in 1 file"},
		{"check standard input and a file", "check - DIR/good.eval.yaml", bad, 2, "", "- (standard input) cannot be combined with other paths or with --fix"},
		{"check standard input to mend it", "check --fix -", bad, 2, "", "cannot be combined with other paths or with --fix"},
		{"check a missing file", "check DIR/gone.yaml", "", 2, "", "gone.yaml: no such file or folder"},
		{"check a binary file", "check DIR/binary.yaml", "", 2, "", "binary.yaml: is binary, not text"},
		{"check what is no eval file", "check DIR/other.yaml", "", 1, "this eval file has no `evalcases`; the runner refuses the file", ""},
		{"check a list", "check DIR/list.yaml", "", 1, "expected a mapping for the eval file, found a list", ""},
		{"check in no format", "check --format xml DIR", "", 2, "", "`text`, `json`, `sarif` or `github`"},
		{"check for GitHub", "check --format github DIR/bad.eval.yaml", "", 1, "::error file=|line=3,col=5,endLine=3,endColumn=20,title=unknown-key::", ""},
		{"check in colour", "check --color always DIR/bad.eval.yaml", "", 1, "\x1b[1;31merror:", ""},
		{"check in a colour of its own", "check --color red DIR", "", 2, "", "`auto`, `always` or `never`"},

		{"check what a file refers to", "check DIR/refs/x.eval.yaml", "", 1, "there is no file `gone.md`|there is no file `prompts/gone.md`|uses `{{ candidat_answer }}`, which is not a variable; did you mean `candidate_answer`?|has neither|there is no target `prdo` in the targets file; did you mean `prod`?", "2 errors, 3 warnings"},
		{"check what will be graded", "check --effective DIR/good.eval.yaml", "", 0, "case a, graded by rubric|rubric rubric, weight 1|rubric-1: yes or no, weight 1, required", ""},
		{"check what will be lost", "check --effective DIR/bad.eval.yaml", "", 1, "✗ case a is skipped|✗ unknown key `expected_outcme`", ""},
		{"check what will be graded, as JSON", "check --effective --format json DIR/good.eval.yaml", "", 2, "", "--effective cannot be combined with --format or --fix"},
		{"check with two formats", "check --format json --format=text DIR/good.eval.yaml", "", 2, "", "check: --format can be given once, not with `json` and `text`"},
		{"check with a format twice", "check --format json --format json DIR/good.eval.yaml", "", 0, `"diagnostics": []`, ""},
		{"check with a limit on warnings", "check --max-warnings 0 DIR/warned.eval.yaml", "", 1, "", "1 warning, more than --max-warnings 0"},
		{"check within a limit", "check --max-warnings 1 DIR/warned.eval.yaml", "", 0, "", ""},
		{"check with a rule made louder", "check --rule unknown-key=error DIR/warned.eval.yaml", "", 1, "error: unknown key", ""},
		{"check with a rule turned off", "check --rule unknown-key=off DIR/warned.eval.yaml", "", 0, "", "nothing to report"},
		{"check with an unknown rule", "check --rule unknown-kye=off DIR", "", 2, "", "did you mean `unknown-key`?"},
		{"check with no severity", "check --rule unknown-key DIR", "", 2, "", "ID=SEVERITY"},
		{"check as misspelt settings say", "check DIR/misspelt/good.eval.yaml", "", 2, "", ".rubric.yaml: line 1: unknown key `ruls`; did you mean `rules`?"},
		{"check as no settings say", "check DIR/strange/good.eval.yaml", "", 2, "", ".rubric.yaml: line 1: unknown key `x`; known keys are `target`, `judge`, `max_calls`"},
		{"check as the settings say", "check DIR/set/warned.eval.yaml", "", 1, "error: unknown key", ""},
		{"check otherwise than they say", "check --rule unknown-key=off DIR/set/warned.eval.yaml", "", 0, "", "nothing to report"},
		{"check with broken settings", "check DIR/broken/warned.eval.yaml", "", 2, "", ".rubric.yaml: line 2: there is no rule `x`"},

		{"run", "run --verbose DIR/good.eval.yaml", "", 0, "pass       1      a|yes Mentions “refund”|1 pass, 0 fail|note: graded by literal checks, not by a model", ""},
		{"run without the verb", "DIR/good.eval.yaml", "", 0, "1 pass", ""},
		{"run to a fail", "run DIR/gate.eval.yaml", "", 1, "fail       0.5    a|no  Mentions “hotline”|why:", ""},
		{"run a mock", "run DIR/good.eval.yaml --target mock:No.", "", 1, "target mock|0 pass, 1 fail", ""},
		{"run recorded answers", "run DIR/good.eval.yaml --target DIR/answers.jsonl", "", 1, "target answers.jsonl|0 pass, 1 fail", ""},
		{"run replayed answers", "run DIR/good.eval.yaml --target replay:DIR/answers.jsonl", "", 1, "target answers.jsonl", ""},
		{"run broken answers", "run DIR/good.eval.yaml --target DIR/broken.jsonl", "", 2, "", "broken.jsonl: recorded answers: line 1"},
		{"run missing answers", "run DIR/good.eval.yaml --target DIR/gone.jsonl", "", 2, "", "gone.jsonl: no such file"},
		{"run an unknown target", "run DIR/good.eval.yaml --target prod", "", 2, "", "there is no target `prod`: no targets.yaml was found|`self`, `mock:TEXT`, `cli:COMMAND`"},
		{"run without an answer", "run DIR/aimed.eval.yaml --target self", "", 3, "error: the target gave no answer: the case `a` has no expected output to answer with\n", "rubric: 1 case without an expected output; --target prod asks the target that the file names\n"},
		{"run without an answer, for a program", "run DIR/aimed.eval.yaml --target self --format jsonl", "", 3, "\"error\":\"the target gave no answer: the case `a` has no expected output to answer with\"", "rubric: 1 case without"},
		{"run with an unknown judge", "run DIR/good.eval.yaml --judge gpt", "", 2, "", "there is no judge `gpt`, and no targets.yaml that could define it; it is `offline`, `cli:COMMAND`"},
		{"run with a provider for a judge", "run DIR/good.eval.yaml --judge openai --targets DIR/refs/targets.yaml", "", 2, "", "there is no target `openai`; a model is named as in `openai:MODEL`"},
		{"run with a misspelt provider", "run DIR/good.eval.yaml --judge opnai:gpt", "", 2, "", "there is no judge `opnai:gpt`; did you mean `openai`?"},
		{"cache nothing", "cache", "", 0, "rubric cache COMMAND", ""},
		{"cache what is misspelt", "cache claer", "", 2, "", "unknown subcommand `claer`; did you mean `clear`?"},
		{"cache what there is not", "cache fill", "", 2, "", "unknown subcommand `fill`; choose `stats` or `clear`"},
		{"generate what is misspelt", "generate rubric x", "", 2, "", "unknown subcommand `rubric`; did you mean `rubrics`?"},
		{"run standard input", "run -", good, 2, "", "eval files are read from standard input only by `rubric check -`"},
		{"check what a shell of Windows wrote", "check DIR/utf16.yaml", "", 2, "", "utf16.yaml: is UTF-16; save it as UTF-8"},
		{"run one case", "run DIR/good.eval.yaml --case a", "", 0, "1 pass", ""},
		{"run with a judge that fails", "run DIR/good.eval.yaml --judge cli:false", "", 3, "ungraded   –      a|\nerror: a judge or a target gave no answer in 1 of 1 cases: 1 of 1 criteria ungraded: `Mentions “refund”` (the judge gave no answer: the judge's command could not be reached: it exited with status 1)\n", ""},
		{"run with a judge that fails, for a program", "run DIR/good.eval.yaml --judge cli:false --format jsonl", "", 3, `"unreachable":true`, "rubric: run: a judge or a target gave no answer in 1 of 1 cases: 1 of 1 criteria ungraded"},
		{"run with a judge that fails, for a page", "run DIR/good.eval.yaml --judge cli:false --format html", "", 3, "<html", "rubric: run: a judge or a target gave no answer in 1 of 1 cases: 1 of 1 criteria ungraded"},
		{"run with a target that is not there", "run DIR/good.eval.yaml --target cli:xyzzy", "", 3, "\nerror: a judge or a target gave no answer in 1 of 1 cases: the target gave no answer: `xyzzy` could not be reached", ""},
		{"run no case", "run DIR/good.eval.yaml --case b", "", 2, "", "no case `b`"},
		{"run a file with errors", "run DIR/bad.eval.yaml", "", 2, "", "[unknown-key]|has 1 error; fix the file, or use --ignore-errors to run the other cases"},
		{"run what is left of it", "run --ignore-errors DIR/bad.eval.yaml", "", 2, "", "has no cases to run"},
		{"run a newer file", "run DIR/newer/a.eval.yaml --target mock:hello", "", 1, "fail       0.5    greet|yes Mentions “hello”|contains", ""},
		{"run no cases", "run DIR/empty.eval.yaml", "", 2, "", "has no cases to run"},
		{"run a missing file", "run DIR/gone.yaml", "", 2, "", "no such file or folder"},
		{"run in no format", "run --format pdf DIR/good.eval.yaml", "", 2, "", "--format must be"},
		{"run to no format", "run --out x.pdf DIR/good.eval.yaml", "", 2, "", "must end in .jsonl, .json, .xml, .html, .md or .evalset_result.json"},
		{"run into no folder", "run --out DIR/none/x.json DIR/good.eval.yaml", "", 2, "", "no such file or folder"},
		{"run on without a journal", "run --resume DIR/good.eval.yaml", "", 2, "", "--resume needs --out"},
		{"run a command with a misspelt placeholder", "run --target cli:agent{PROMT} DIR/good.eval.yaml", "", 2, "", "target: the command template has the unknown placeholder `{PROMT}`"},
		{"run no command", "run --target cli: DIR/good.eval.yaml", "", 2, "", "target: there is no command"},
		{"judge with no command", "run --judge cli: DIR/good.eval.yaml", "", 2, "", "judge: it names no command, as in `cli:COMMAND`"},
		{"run in no time", "run --timeout 0 DIR/good.eval.yaml", "", 2, "", "--timeout must be a duration such as `30s` or `2m`, not `0`"},
		{"run with no workers", "run --workers 0 DIR/good.eval.yaml", "", 2, "", "--workers must be from 1 to 10000, not 0"},
		{"run in no profile", "run --profile x DIR/good.eval.yaml", "", 2, "", "`spec` or `agentv`"},
		{"run to a threshold", "run --threshold 0.4 DIR/gate.eval.yaml", "", 1, "", ""},
		{"run as the settings say", "run DIR/set/warned.eval.yaml", "", 2, "", "[unknown-key]"},
		{"run to no threshold", "run --threshold 7 DIR/gate.eval.yaml", "", 2, "", "from 0 to 1"},

		{"score", "score DIR/good.eval.yaml --reply DIR/reply.json", "", 0, "pass 1|hit   [rubric-1] Mentions “refund”: yes", ""},
		{"score what is piped", "score DIR/good.eval.yaml", `{"checks":[{"id":"x","satisfied":true}]}`, 0, "ungraded\n|`x` is not one of the criteria|none  [rubric-1] missing in the reply", ""},
		{"score rubbish", "score DIR/good.eval.yaml", "well done", 0, "ungraded\n|it is not JSON", ""},
		{"score as JSON", "score --format json DIR/good.eval.yaml --reply DIR/reply.json", "", 0, `"verdict": "pass"`, ""},
		{"score an unknown case", "score --case b DIR/good.eval.yaml", "{}", 2, "", "good.eval.yaml has no case `b`"},
		{"score a misspelt case", "score --case refund-windw ../../../testdata/quickstart/support.eval.yaml", "{}", 2, "", "has no case `refund-windw`; did you mean `refund-window`?"},
		{"score no case", "score DIR/list.yaml", "{}", 2, "", "list.yaml has no cases"},
		{"score which case", "score ../../../testdata/quickstart/support.eval.yaml", "{}", 2, "", "has 5 cases; choose one with --case"},
		{"score two files", "score a b", "", 2, "", "takes only FILE, but got `a b`"},
		{"score in no format", "score --format x DIR/good.eval.yaml", "", 2, "", "`text` or `json`"},
		{"score a missing reply", "score DIR/good.eval.yaml --reply DIR/gone", "", 2, "", "no such file"},

		{"rescore by the recorded rubric", "rescore DIR/old.jsonl --profile agentv", "", 0, "0 of 1 verdicts flip", "1 case scored by the rubric stored in the results"},
		{"rescore an eval file", "rescore DIR/good.eval.yaml", "", 2, "", "good.eval.yaml: line 1 is not a record of a run: it is not JSON"},
		{"rescore a list", "rescore DIR/listed.jsonl", "", 2, "", "listed.jsonl: line 1 is not a record of a run: it is a JSON array"},
		{"rescore a score in words", "rescore DIR/worded.jsonl", "", 2, "", "worded.jsonl: line 1 is not a record of a run: its `score` is a string"},
		{"rescore a folder", "rescore DIR/newer", "", 2, "", "newer: is a folder, not a file"},
		{"rescore no results", "rescore DIR/empty.jsonl", "", 2, "", "no results"},
		{"rescore nothing", "rescore", "", 2, "", "RUN is missing; for example `rubric rescore main.jsonl`"},
		{"rescore in no profile", "rescore DIR/old.jsonl --profile x", "", 2, "", "`spec` or `agentv`"},
		{"rescore in no format", "rescore DIR/old.jsonl --format html", "", 2, "", "`junit` or `jsonl`, not `html`"},
		{"rescore with no eval file", "rescore DIR/old.jsonl DIR/gone.yaml", "", 2, "", "no such file"},
		{"score cases of JSONL", "score DIR/cases.jsonl", "rubbish", 0, "ungraded\n|it is not JSON", ""},
		{"score in no profile", "score DIR/good.eval.yaml --profile x", "", 2, "", "`spec` or `agentv`"},

		{"runs", "runs", "", 0, "rubric runs COMMAND", ""},
		{"help of runs", "runs --help", "", 0, "Compare two runs by case|Examples:", ""},
		{"help of a part of runs", "runs compare --help", "", 0, "--force|Exit status", ""},
		{"a misspelt part of runs", "runs lst", "", 2, "", "unknown subcommand `lst`; did you mean `list`?"},
		{"runs list", "runs list DIR", "", 0, "RUN|old.jsonl|new.jsonl|two.jsonl", ""},
		{"runs list of one", "runs list DIR/two.jsonl --format json", "", 0, `"datasets": [|"cases": 2|"mean_score": 0.5`, ""},
		{"runs list without any", "runs list DIR/refs", "", 0, "", "no results here"},
		{"runs list of nowhere", "runs list DIR/gone", "", 2, "", "no such file"},
		{"runs show", "runs show DIR/old.jsonl", "", 0, "pass       1      a", ""},
		{"runs show as a page", "runs show DIR/old.jsonl --format html", "", 0, "<!doctype html>", ""},
		{"runs show of a case", "runs show DIR/two.jsonl --case b", "", 2, "", "no case `b`"},
		{"run with a target without a name", "run DIR/good.eval.yaml --target=", "", 2, "", "--target must not be empty"},
		{"run with a judge without a name", "run DIR/good.eval.yaml --judge=", "", 2, "", "--judge must not be empty"},
		{"runs show of a folder", "runs show DIR", "", 2, "", ": is a folder, not a file"},
		{"runs compare of a folder", "runs compare DIR DIR/old.jsonl", "", 2, "", ": is a folder, not a file"},
		{"runs compare of no results", "runs compare DIR/good.eval.yaml DIR/old.jsonl", "", 2, "", "good.eval.yaml: read results: line 1: it is not JSON"},
		{"runs compare by no number", "runs compare DIR/old.jsonl DIR/old.jsonl --threshold nan", "", 2, "", "--threshold must be from 0 to 1, not NaN"},
		{"run with a target twice", "run DIR/good.eval.yaml --target a --target a", "", 2, "", "the target `a` is named twice"},
		{"run with a threshold that is no number", "run DIR/good.eval.yaml --threshold nan", "", 2, "", "--threshold must be from 0 to 1, not nan"},
		{"runs show of no results", "runs show DIR/empty.jsonl", "", 2, "", "no results"},

		{"compare", "runs compare DIR/old.jsonl DIR/new.jsonl", "", 1, "0 won, 1 lost, 0 tied of 1; mean difference -0.6|a     1    0.4  -0.6        lost|Only in the new one: 1.", ""},
		{"compare the other way", "runs compare DIR/new.jsonl DIR/old.jsonl --format json", "", 0, `"wins": 1`, ""},
		{"compare suites that share an id", "runs compare DIR/two.jsonl DIR/two.jsonl --format junit", "", 0, "d/a|e/a", ""},
		{"compare equal runs", "runs compare DIR/two.jsonl DIR/two.jsonl", "", 0, "0 won, 0 lost, 2 tied of 2", ""},
		{"list no results", "runs list DIR/empty.jsonl", "", 2, "", "empty.jsonl holds no results"},
		{"list no results and some", "runs list DIR/empty.jsonl DIR/two.jsonl", "", 2, "two.jsonl", "empty.jsonl holds no results"},
		{"list what is no result", "runs list DIR/cases.jsonl", "", 2, "", "cases.jsonl: line 1 is not a record of a run: it has no `eval_id`"},
		{"show a misspelt case beside one that is there", "runs show DIR/old.jsonl --case a --case x", "", 2, "", "--case: no case `x`"},
		{"compare with an empty run", "runs compare DIR/new.jsonl DIR/empty.jsonl", "", 2, "", "no case is in both files"},
		{"compare by less than nothing", "runs compare --threshold -1 DIR/old.jsonl DIR/new.jsonl", "", 2, "", "--threshold must be from 0 to 1, not -1"},
		{"compare with nothing", "runs compare DIR/new.jsonl", "", 2, "", "name two files"},
		{"compare with what is no result", "runs compare DIR/new.jsonl DIR/cases.jsonl", "", 2, "", "no `eval_id`"},

		{"call", "call", `{"id":7,"method":"version"}` + "\n\nrubbish\n", 0, `{"id":7,"result":{"version":|{"id":null,"error":{"code":"bad-request"`, ""},
		{"call one method", "call check", `{"text":"evalcases: []"}`, 0, `"code":"no-cases"`, ""},
		{"call a misspelt method", "call chekc", "", 2, "", "unknown method `chekc`; did you mean `check`?"},
		{"call what there is not", "call xyzzy", "", 2, "", "unknown method `xyzzy`; `rubric call --help` lists the methods"},
		{"call two methods", "call a b", "", 2, "", "takes only METHOD"},

		{"explain", "explain unknown-key", "", 0, "# unknown-key|## Reported|did you mean `weight`?|## Better", ""},
		{"explain all", "explain", "", 0, "unknown-key|warning|ranges-gap", ""},
		{"explain a misspelt rule", "explain unknown-kye", "", 2, "", "did you mean `unknown-key`?"},
		{"explain two", "explain a b", "", 2, "", "takes only RULE"},

		{"schema", "schema agentv", "", 0, `"$schema": "http://json-schema.org/draft-07/schema#"|"evalcases"`, ""},
		{"schema of nobody", "schema agentw", "", 2, "", "did you mean `agentv`?"},
		{"schema of nothing like it", "schema toml", "", 2, "", "unknown schema `toml`; `rubric schema --help` lists the schemas"},
		{"schema of what", "schema", "", 2, "", "NAME is missing"},
		{"schemas there are", "schema --help", "", 0, "  agentv-targets         AgentV targets\n|  adk-evalset            ADK evalset\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := rubric(t, c.stdin, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
			if code != c.code {
				t.Errorf("exit status %d, want %d", code, c.code)
			}
			for got, want := range map[string]string{stdout: c.stdout, stderr: c.stderr} {
				for part := range strings.SplitSeq(want, "|") {
					if !strings.Contains(got, part) {
						t.Errorf("%q is not in %q", part, got)
					}
				}
			}
			if t.Failed() {
				t.Logf("standard output:\n%s\nstandard error:\n%s", stdout, stderr)
			}
		})
	}
}

// TestExitStatusDocumented: a script that calls a verb can look up how it ends.
func TestExitStatusDocumented(t *testing.T) {
	for _, verb := range []string{"check", "run", "targets", "generate rubrics", "convert", "score", "rescore", "runs list", "runs show", "runs compare", "calibrate", "call", "lsp", "playground"} {
		if _, help, _ := rubric(t, "", append(strings.Fields(verb), "--help")...); !strings.Contains(help, "\nExit status: 0") {
			t.Errorf("%s: %s", verb, help)
		}
	}
}

func TestQuickstart(t *testing.T) {
	code, stdout, _ := rubric(t, "", "run", quickstart)
	if code != 0 || !strings.Contains(stdout, "5 pass, 0 fail") {
		t.Errorf("exit status %d:\n%s", code, stdout)
	}
}

// TestMachineFormats: what programs read is what they can read.
func TestMachineFormats(t *testing.T) {
	dir := write(t, map[string]string{"bad.eval.yaml": bad})
	_, out, _ := rubric(t, "", "check", "--format", "json", filepath.Join(dir, "bad.eval.yaml"))
	var report struct {
		Files []struct {
			Path, Dialect string
			Diagnostics   []struct{ Code, Severity, Path string }
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Files) != 1 || len(report.Files[0].Diagnostics) != 1 ||
		report.Files[0].Dialect != "agentv" || report.Files[0].Diagnostics[0].Severity != "error" {
		t.Errorf("%v in %s", err, out)
	}
	_, out, _ = rubric(t, "", "check", "--format", "sarif", dir)
	var sarif struct {
		Version string
		Runs    []struct {
			Results []struct{ RuleID string }
			Tool    struct{ Driver struct{ Rules []any } }
		}
	}
	if err := json.Unmarshal([]byte(out), &sarif); err != nil || sarif.Version != "2.1.0" || len(sarif.Runs[0].Results) != 1 || len(sarif.Runs[0].Tool.Driver.Rules) < 20 {
		t.Errorf("%v in %.300s", err, out)
	}
	for _, format := range []string{"json", "jsonl", "junit", "html"} {
		code, out, _ := rubric(t, "", "run", quickstart, "--format", format)
		if code != 0 || !strings.Contains(out, "refund-window") {
			t.Errorf("run --format %s: %d", format, code)
		}
	}
}

// TestFix mends what is safe to mend, in place, and leaves every other byte.
func TestFix(t *testing.T) {
	body := "# mine\nevalcases:\n  - id: 42   # a number\n    expected_outcome: O\n    input: Q\n    rubrics:\n      - { expectedOutcome: x, required: yes }\n"
	dir := write(t, map[string]string{"x.eval.yaml": body})
	path := filepath.Join(dir, "x.eval.yaml")
	code, _, stderr := rubric(t, "", "check", "--fix", path)
	got, _ := os.ReadFile(path)
	want := strings.NewReplacer("42 ", `"42" `, "expectedOutcome", "expected_outcome", "yes", "true").Replace(body)
	if code != 0 || string(got) != want || !strings.Contains(stderr, "x.eval.yaml: fixed 3 findings: unknown-key ×1, wrong-type ×2\n") {
		t.Errorf("%d, %s\n%s", code, stderr, got)
	}
	if _, _, stderr := rubric(t, "", "check", "--fix", path); strings.Contains(stderr, "fixed") {
		t.Errorf("what was mended is mended again: %s", stderr)
	}
}

// TestFilesTogether: the files of one dataset are held against each other, in
// every format with the place in the other file.
func TestFilesTogether(t *testing.T) {
	one := "dataset: shop\n" + good
	dir := write(t, map[string]string{"one.eval.yaml": one, "two.eval.yaml": one})
	for format, parts := range map[string]string{
		"text":   "two.eval.yaml:3:9: warning: another file of the dataset `shop` has a case `a`|note: DIR/one.eval.yaml:3:9: it is here",
		"json":   `"path": "DIR/one.eval.yaml"`,
		"github": "%0ADIR/one.eval.yaml:3:9: it is here",
		"sarif":  `"relatedLocations"|one.eval.yaml`,
	} {
		_, stdout, stderr := rubric(t, "", "check", "--format", format, dir)
		for part := range strings.SplitSeq(strings.ReplaceAll(parts, "DIR", dir), "|") {
			if !strings.Contains(stdout, part) {
				t.Errorf("%s: %q is not in\n%s%s", format, part, stdout, stderr)
			}
		}
	}
	if code, stdout, _ := rubric(t, "", "check", "--max-warnings", "0", filepath.Join(dir, "two.eval.yaml")); code != 0 {
		t.Errorf("a file alone: %s", stdout)
	}
}

// manyCasesJSONL is a file of so many cases in JSONL, each of about a kilobyte.
func manyCasesJSONL(cases int) string {
	var b strings.Builder
	padding := strings.Repeat("It has been so for weeks. ", 40)
	for i := range cases {
		fmt.Fprintf(&b, `{"id":"case-%d","expected_outcome":"O","input":"Where is order %d? %s","expected_output":"We refund you.","rubrics":["Mentions “refund”","Mentions “order %d”"]}`+"\n", i, i, padding, i%7)
	}
	return b.String()
}

package lsp_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"github.com/rubric-ls/rubric/core/run"
	"github.com/rubric-ls/rubric/lsp"
	"github.com/rubric-ls/rubric/lsp/lsptest"
)

var update = flag.Bool("update", false, "write README.md anew")

// TestMain compares README.md with the conformance matrix of what the tests sent and awaited, or
// writes it with -update.
func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if run := flag.Lookup("test.run").Value.String(); status == 0 && run == "" && !testing.Short() {
		status = checkReadme(matrix())
	}
	os.Exit(status)
}

func checkReadme(want string) int {
	const path = "README.md"
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			fmt.Println(err)
			return 1
		}
		return 0
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		fmt.Println("lsp/README.md is not what the tests do; `go test ./lsp -update` writes it")
		return 1
	}
	return 0
}

const preface = `# What the language server speaks

<!-- Written by ` + "`go test ./lsp -update`" + ` from what the tests send and await. Do not edit. -->

Every message of version 3.18 of the protocol, what the server offers for it, and the tests that exercise it. Where no
test is named the server neither takes nor sends it.

`

// matrix returns the table of methods, capabilities and tests.
func matrix() string {
	var b strings.Builder
	b.WriteString(preface)
	taken := lsp.Methods()
	for _, d := range []struct {
		heading string
		is      func(protocol.MethodInfo) bool
	}{
		{"From clients", func(i protocol.MethodInfo) bool { return i.Direction != protocol.DirectionServerToClient }},
		{"To clients", func(i protocol.MethodInfo) bool { return i.Direction != protocol.DirectionClientToServer }},
	} {
		fmt.Fprintf(&b, "## %s\n\n| method | | capability | tests |\n|---|---|---|---|\n", d.heading)
		for _, i := range protocol.Methods {
			capabilities, known := taken[i.Method]
			if !d.is(i) {
				continue
			}
			tests := lsptest.TestsUsing(i.Method)
			if d.heading == "From clients" && !known {
				tests = nil // sent by a test of unknown methods
			}
			if d.heading == "To clients" && i.Direction == protocol.DirectionBoth && known {
				tests = nil
			}
			slices.Sort(capabilities)
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", i.Method, i.Kind, code(capabilities), code(tests))
		}
		b.WriteByte('\n')
	}
	b.WriteString(extensionsPage + settings())
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// maxListedTests is the number of tests from which their names are left out.
const maxListedTests = 6

func code(names []string) string {
	if len(names) >= maxListedTests {
		return "most"
	}
	var all []string
	for _, n := range names {
		all = append(all, "`"+n+"`")
	}
	return strings.Join(all, " ")
}

// TestEveryMethod checks that every method of the method table has parameters for the fuzz test.
func TestEveryMethod(t *testing.T) {
	templates := requests()
	for method := range lsp.Methods() {
		info := slices.IndexFunc(protocol.Methods, func(i protocol.MethodInfo) bool { return i.Method == method })
		if info < 0 && !strings.HasPrefix(method, "rubric/") {
			t.Errorf("`%s` is not of the protocol", method)
		}
		if _, known := templates[method]; !known && info >= 0 && protocol.Methods[info].Kind == "request" {
			t.Errorf("`%s` is not among those that are sent at random", method)
		}
	}
}

// extensionsPage documents what is not part of the protocol: commands, methods and settings.
const extensionsPage = `## Running from the editor

Commands, by ` + "`workspace/executeCommand`" + `, with one argument:

| command | argument | result |
|---|---|---|
| ` + "`rubric.runCase`" + ` | ` + "`{uri, case, samples?}`" + ` | ` + "`{job}`" + `; returns at once |
| ` + "`rubric.runFile`" + ` | ` + "`{uri, samples?}`" + ` | ` + "`{job}`" + `; returns at once; skips cases with an error |
| ` + "`rubric.measureRecording`" + ` | ` + "`{uri, recorded?}`" + ` | ` + "`{job}`" + `; measures an evalset on a result file in its folder, now and until the session ends; without ` + "`recorded`" + ` no longer |
| ` + "`rubric.rejudge`" + ` | ` + "`{uri, case?, grader?, criterion?}`" + ` | ` + "`{job}`" + `; judges the answers of the last run again, or only one criterion |
| ` + "`rubric.cancelRun`" + ` | ` + "`{job?}`" + ` | ` + "`{jobs}`" + `; the stopped jobs; without a job it stops all of them |
| ` + "`rubric.dryRun`" + ` | ` + "`{uri, case?}`" + ` | ` + "`{target, judge, trusted, cases: [{case, graders: [{name, type, criteria}]}], questions, cached?, cost?, contacts?, programs, errors, notes?}`" + `; nothing is run |
| ` + "`rubric.score`" + ` | as ` + "`rubric/score`" + ` | as ` + "`rubric/score`" + ` |
| ` + "`rubric.compare`" + ` | as ` + "`rubric/compare`" + ` | as ` + "`rubric/compare`" + ` |
| ` + "`rubric.generateRubrics`" + ` | ` + "`{uri, case}`" + ` (of a configuration: a metric) | ` + "`{job}`" + `; then ` + "`workspace/applyEdit`" + ` |

A job has work-done progress with the job's name as its token, and ends within a second of being cancelled. A command that
cannot be carried out fails with -32803 and a message. With ` + "`{\"trusted\": false}`" + ` in the initialization options nothing runs
unless ` + "`rubric.sandboxedGraders`" + ` is set; then the offline judge and sandboxed WebAssembly modules run. A client over TCP
or a WebSocket is trusted only if it sends ` + "`{\"trusted\": true}`" + `.

A setting counts before what the eval file names (` + "`execution.target`" + `, ADK's ` + "`judge_model`" + `), and that before the project's ` + "`.rubric.yaml`" + `. What a
setting names runs on request. What only files name needs a consent: ` + "`{\"trusted\": true}`" + `, which stands for the editor's trust in the workspace; or
the answer to ` + "`rubric/trust`" + `, from clients with ` + "`{\"experimental\": {\"rubric\": {\"trust\": true}}}`" + `; or ` + "`rubric trust FILE`" + `. Without one the run fails and says what is missing. If the files name several targets, ` + "`window/showMessageRequest`" + ` asks which one answers.

The codes of diagnostics are rule ids. Three codes are not rules: ` + "`failed-gate`" + `, for a gate that failed in the last run; ` + "`internal-error`" + `, for a file
that could not be analysed because of a bug in rubric; and ` + "`not-all-shown`" + `, in the
first line of a file with more than a thousand diagnostics. Then the server sends those near the cursor and the most severe ones.
A client that takes partial results of ` + "`workspace/diagnostic`" + ` and has all reports gets the next answer when something has changed.

Transports. The framing accepts the headers ` + "`Content-Length` and `Content-Type`" + `; any other header ends the connection. Batches
fail with -32600. ` + "`rubric lsp --tcp ADDR`" + ` prints ` + "`tcp://ADDR?token=TOKEN`" + ` on standard error. The first message of a connection
must be ` + "`initialize`" + ` with the token in its initialization options, within 30 seconds; otherwise the server closes the connection. In Neovim:
` + "`vim.lsp.start({ cmd = vim.lsp.rpc.connect('127.0.0.1', 7777), init_options = { token = 'TOKEN', trusted = true } })`" + `. A WebSocket
sends the token in its address.

Methods. An item is a file, a case, a criterion, or a metric of an ADK case. Its ` + "`id`" + ` is ` + "`URI`" + `, ` + "`URI#case`" + ` or ` + "`URI#case/grader/criterion`" + `, with percent-encoded ` + "`%` and `/`" + ` in names. The second item of
the same names ends with ` + "`~2`" + `.

| method | | parameters | result |
|---|---|---|---|
| ` + "`rubric/testItems`" + ` | request | ` + "`{textDocument, range?, case?}`" + `; with a range, only the cases that touch it; with an id, only that case | ` + "`{id, kind: suite or case or criterion or metric, label, range?, told?, target, children, more?, run?: {target, judge, label}, result?: {state, text, message?, stale?}}`" + ` or null; ` + "`target`" + ` is the argument of the run commands, ` + "`run`" + ` of the suite says whom a run would ask, ` + "`more`" + ` that a case of a large file is listed without its children, and ` + "`result`" + ` is that of the last run |
| ` + "`rubric/codeLens`" + ` | request | ` + "`{textDocument, range?}`" + ` | the lenses of ` + "`textDocument/codeLens`" + `; with a range, only those in it |
| ` + "`rubric/score`" + ` | request | ` + "X" + `; without ` + "`id`" + `, the score (0–1) of a whole grader | ` + "`{score, verdict, gates, hits, misses, ungraded, reasons, graders, range}`" + ` |
| ` + "`rubric/report`" + ` | request | ` + "`{textDocument, withoutPage?}`" + ` | ` + "`{html?, cases, stale, spent: {input, output, usd?}}`" + `: the last results as an HTML page, as ` + "`rubric run --format html`" + `, or without ` + "`html`" + `; ` + "`spent`" + ` are the tokens and dollars of judges and targets, as far as they are known |
| ` + "`rubric/records`" + ` | request | ` + "`{textDocument}`" + ` | ` + "`{records}`" + `: the last results, as the lines of ` + "`rubric run --format jsonl`" + ` |
| ` + "`rubric/judges`" + ` | request | | ` + "`{judges}`" + `, the values of ` + "`rubric.judge`" + ` that work here; ` + "`MODEL`" + ` stands for a model's name |
| ` + "`rubric/casePanel`" + ` | request | ` + "`{textDocument, position, case?, target?}`" + ` | ` + "`{item, run?, messages, answer?, judged, expected?, reasons, flips, facts, graders, prompts, runs}`" + ` or null: the case at the position, of several there the one named ` + "`case`" + `, and its last runs, from the last with ` + "`target`" + ` on; ` + "`judged`" + ` says that the answer is that of the last run |
| ` + "`rubric/targets`" + ` | request | ` + "`{textDocument}`" + ` | ` + "`{targets: [{name, detail, recorded?, chosen?}]}`" + `, the values of ` + "`rubric.target`" + ` for the file, the empty one for what the files say first; a ` + "`recorded`" + ` one is for ` + "`rubric.measureRecording`" + ` |
| ` + "`rubric/compare`" + ` | request | ` + "`{uri, run?}`" + ` | ` + "`{runs: [{id, time, label}], comparison?: {title, notes, cases: [{id, label, range?, outcome, text, criteria}]}}`" + `: the earlier runs of the file, the last first, and how the last results compare with one of them, as ` + "`rubric runs compare`" + `; ` + "`criteria`" + ` has the same members as ` + "`cases`" + ` |
| ` + "`rubric/results`" + ` | notification to the client | ` + "`{job, uri, state, message?, done, total, results: [{id, state, score?, message?, answer?}]}`" + `; ` + "`answer`" + ` is the judged one, unless the result is a pass | |
| ` + "`rubric/preview`" + ` | notification to the client | ` + "`{uri, case, version, origin, edits}`" + `: a draft of criteria for a version of a file, which the client shows and its user keeps, discards or generates again | |
| ` + "`rubric/ask`" + ` | request to the client | ` + "`{system, user, schema?}`" + ` | ` + "`{text, model, usage?: {input, output}}`" + ` |
| ` + "`rubric/key`" + ` | request to the client | ` + "`{name}`" + `, the environment variable of the key | ` + "`{key}`" + `, empty without a key |
| ` + "`rubric/trust`" + ` | request to the client | ` + "`{files, uses}`" + `: what files name, in sentences, and the files that define it | ` + "`{trusted}`" + `; asked at the start of a run |

Results of files on this machine are stored in the user's cache folder, with the last five of each case. They are read when something first asks
for them after a file was opened, and they follow a file that the editor renames. ` + "`rubric cache clear`" + ` deletes them.

A job is ` + "`running`" + `, ` + "`done`" + `, ` + "`cancelled`" + ` or ` + "`failed`" + `; an item ` + "`started`" + `, ` + "`pass`" + `, ` + "`borderline`" + `, ` + "`fail`" + `, ` + "`ungraded`" + ` (could not be judged) or
` + "`cancelled`" + `. A metric has the id ` + "`URI#case/metric`" + `, and is
` + "`ungraded`" + ` if ADK reports NOT_EVALUATED. ` + "`rubric/ask`" + ` is sent only to clients with
` + "`{\"experimental\": {\"rubric\": {\"ask\": true}}}`" + ` among their capabilities, if ` + "`rubric.judge`" + ` is ` + "`editor`" + `; ` + "`rubric/key`" + ` only to clients with
` + "`{\"experimental\": {\"rubric\": {\"keys\": true}}}`" + `, when a run opens a model. A key is sent only to its provider.
Clients with ` + "`{\"experimental\": {\"rubric\": {\"results\": true}}}`" + ` show each ` + "`result`" + ` themselves: inlay hints leave out the grades of criteria. With
` + "`\"choose\": true`" + `, lenses have commands of the client's own: ` + "`rubric.target.choose`" + ` where they name target and judge,
` + "`rubric.case`" + ` for the verdict of a case, and ` + "`rubric.results`" + ` for the results of a file; with ` + "`\"preview\": true`" + `, drafts are
sent by ` + "`rubric/preview`" + ` and not inserted. ` + "`\"resultsEvery\": 250`" + ` is the pause between two ` + "`rubric/results`" + ` in milliseconds (50 by
default); the last results of a run come at once. Such a client shows the progress of runs itself, and is sent no ` + "`$/progress`" + ` of them.
`

// settings returns the table of settings.
func settings() string {
	var b strings.Builder
	b.WriteString("\nSettings, under `rubric`:\n\n| setting | default | |\n|---|---|---|\n")
	for _, o := range run.Options(run.Editor) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.Setting(), o.DefaultText(), o.Description(run.Editor))
	}
	b.WriteString("| `rules` | | The severities of rules by their ids: `error`, `warning`, `info`, `hint` or `off`. |\n")
	return b.String()
}

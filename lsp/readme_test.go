package lsp_test

import (
	"fmt"
	"strings"

	"github.com/rubric-ls/rubric/lsp"
)

// ourOwn documents what is not of the protocol: commands, methods and settings.
const ourOwn = `## Running from the editor

Commands, by ` + "`workspace/executeCommand`" + `, with one argument:

| command | argument | result |
|---|---|---|
| ` + "`rubric.runCase`" + ` | ` + "`{uri, case, samples?}`" + ` | ` + "`{job}`" + `, at once |
| ` + "`rubric.runFile`" + ` | ` + "`{uri, samples?}`" + ` | ` + "`{job}`" + `, at once; cases with an error are left out |
| ` + "`rubric.rejudge`" + ` | ` + "`{uri, case?, grader?, criterion?}`" + ` | ` + "`{job}`" + `: what was answered in the last run is judged again, of one criterion too |
| ` + "`rubric.cancelRun`" + ` | ` + "`{job?}`" + ` | ` + "`{jobs}`" + `, those that it stops; without a job all of them |
| ` + "`rubric.dryRun`" + ` | ` + "`{uri, case?}`" + ` | ` + "`{target, judge, trusted, cases: [{case, graders: [{name, type, criteria}]}], questions, programs, errors, notes?}`" + `; nothing is run |
| ` + "`rubric.score`" + ` | as ` + "`rubric/score`" + ` | as ` + "`rubric/score`" + ` |
| ` + "`rubric.generateRubrics`" + ` | ` + "`{uri, case}`" + ` | ` + "`{job}`" + `; then ` + "`workspace/applyEdit`" + ` |

A job has work-done progress, whose token is the job's name, and ends within a second of being cancelled. What cannot be
done is refused with -32803 and a sentence. With ` + "`{\"trusted\": false}`" + ` in the initialization options nothing is run,
unless ` + "`rubric.sandboxedGraders`" + ` is set: then the offline judge and modules of WebAssembly in their sandbox are. A client over TCP
or a WebSocket is trusted only if it sends ` + "`{\"trusted\": true}`" + `.

Diagnostics have the names of rules for codes. Three are no rule's: ` + "`failed-gate`" + `, a gate that failed in the last run; ` + "`internal-error`" + `, a file
that could not be analysed because of a fault in rubric; and ` + "`not-all-shown`" + `, in the
first line of a file with more than a thousand: those where somebody types or looks are among them, and then the worst. A client that
takes partial results of ` + "`workspace/diagnostic`" + ` and has all that there is gets the answer when something has changed.

Transports. The framing takes ` + "`Content-Length` and `Content-Type`" + ` headers; any other header line ends the connection, and batches
are refused with -32600. ` + "`rubric lsp --tcp ADDR`" + ` prints ` + "`tcp://ADDR?token=TOKEN`" + ` on standard error. The first message of a connection
has to be ` + "`initialize`" + ` with the token in its initialization options, within 30 seconds; else the connection is closed. In Neovim:
` + "`vim.lsp.start({ cmd = vim.lsp.rpc.connect('127.0.0.1', 7777), init_options = { token = 'TOKEN', trusted = true } })`" + `. A WebSocket
has the token in its address.

Methods. An item is a file, a case, a criterion, or a metric of a case of ADK; its ` + "`id`" + ` is ` + "`URI`" + `, ` + "`URI#case`" + ` or ` + "`URI#case/grader/criterion`" + `, each name percent-encoded.

| method | | parameters | result |
|---|---|---|---|
| ` + "`rubric/testItems`" + ` | request | ` + "`{textDocument}`" + ` | ` + "`{id, kind: suite or case or criterion or metric, label, range?, told?, target, children}`" + ` or null; ` + "`target`" + ` is what the commands take |
| ` + "`rubric/score`" + ` | request | ` + "`{uri, case, grades: [{grader?, id, satisfied? or score?}]}`" + `; without ` + "`id`" + ` the score, 0–1, of a whole grader | ` + "`{score, verdict, gates, hits, misses, ungraded, reasons, graders, range}`" + ` |
| ` + "`rubric/report`" + ` | request | ` + "`{textDocument}`" + ` | ` + "`{html, cases, stale, spent: {input, output, usd?}}`" + `: what cases last came to, as the page of ` + "`rubric run --format html`" + `; ` + "`spent`" + ` are tokens, and dollars as far as targets tell |
| ` + "`rubric/records`" + ` | request | ` + "`{textDocument}`" + ` | ` + "`{records}`" + `: what cases last came to, as the lines of ` + "`rubric run --format jsonl`" + ` |
| ` + "`rubric/judges`" + ` | request | | ` + "`{judges}`" + `, who could judge here, as ` + "`rubric.judge`" + ` names them; ` + "`MODEL`" + ` stands for a model's name. Nobody is asked for that |
| ` + "`rubric/results`" + ` | notification to the client | ` + "`{job, uri, state, message?, done, total, results: [{id, state, score?, message?}]}`" + ` | |
| ` + "`rubric/ask`" + ` | request to the client | ` + "`{system, user, schema?}`" + ` | ` + "`{text, model, usage?: {input, output}}`" + ` |
| ` + "`rubric/key`" + ` | request to the client | ` + "`{name}`" + `, the variable that the key would be in | ` + "`{key}`" + `, empty if there is none |

A job is ` + "`running`" + `, ` + "`done`" + `, ` + "`cancelled`" + ` or ` + "`failed`" + `; an item ` + "`started`" + `, ` + "`pass`" + `, ` + "`borderline`" + `, ` + "`fail`" + `, ` + "`unknown`" + ` (it could not be judged) or
` + "`cancelled`" + `. A criterion that is scored passes if it has no minimum. A metric has the id ` + "`URI#case/metric`" + `, and is
` + "`unknown`" + ` where ADK has NOT_EVALUATED. ` + "`rubric/ask`" + ` is sent only to a client with
` + "`{\"experimental\": {\"rubric\": {\"ask\": true}}}`" + ` among its capabilities, and if ` + "`rubric.judge`" + ` is ` + "`editor`" + `; ` + "`rubric/key`" + ` to one with
` + "`{\"experimental\": {\"rubric\": {\"keys\": true}}}`" + `, when a run opens a model. A key goes to its provider alone.
`

// settings is the table of settings.
func settings() string {
	var b strings.Builder
	b.WriteString("\nSettings, under `rubric`:\n\n| setting | default | |\n|---|---|---|\n")
	for _, s := range lsp.Settings() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, s.DefaultText(), s.Description)
	}
	b.WriteString("| `rules` | | The severities of rules by their ids: `error`, `warning`, `info`, `hint` or `off`. |\n")
	return b.String()
}

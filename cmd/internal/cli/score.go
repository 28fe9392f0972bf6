package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host"
	"github.com/rubric-ls/rubric/core/analysis"
	"github.com/rubric-ls/rubric/core/dialect/adk"
	"github.com/rubric-ls/rubric/core/score"
	"github.com/rubric-ls/rubric/wasm/api"
)

var scoreCommand = command{
	name:    "score",
	args:    "FILE",
	summary: "turn a judge's reply to a case into a score and a verdict, without a model",
	long: `The reply is JSON as a judge gives it, {"checks": [{"id", "satisfied" or "score",
"reasoning"}…]}, alone or in one fence at its end. It is read from standard input
unless --reply names a file.

Of an ADK evalset a case is measured, as ` + "`rubric run`" + ` does, with the reply in the
judge's place. It is one text, for every question; or JSON, a list of texts in the
order of the questions or an object of texts by their keys. Questions that have no
reply are printed with --format json.

Exit status: 0 whatever the verdict, 2 usage or a file that cannot be used.`,
	example: "rubric score my.eval.yaml --case refund-window < reply.json",
	setup: func(flags *pflag.FlagSet) func(*session, []string) int {
		id := flags.String("case", "", "the case; may be left out if there is one only")
		reply := flags.String("reply", "-", "the file with the judge's reply")
		profile := flags.String("profile", string(score.Spec), "whose arithmetic: spec, or agentv, agentv-4 or agentv-head")
		format := flags.String("format", "text", "how to report: text or json")
		sets := &evalsetOptions{}
		sets.declareEvalsetFlags(flags)
		return func(s *session, args []string) int { return s.score(args, *id, *reply, *profile, *format, sets) }
	},
}

func (s *session) score(args []string, id, replyPath, profile, format string, sets *evalsetOptions) int {
	if len(args) != 1 {
		return s.commandError("name one eval file")
	}
	if format != "text" && format != "json" {
		return s.commandError("--format is `text` or `json`, not `%s`", format)
	}
	if !score.Profile(profile).IsKnown() {
		return s.commandError("--profile is %s, not `%s`", score.ProfileNames, profile)
	}
	set, body, err := openFile(args[0])
	if path, _ := splitCaseIDs(args[0]); set != nil || adk.IsJSON(path) && errors.Is(err, host.ErrTooLarge) {
		return s.scoreEvalset(args[0], id, replyPath, format, sets)
	}
	if err != nil {
		return s.commandError("%s", err)
	}
	if flag := sets.evalsetFlag(); flag != "" {
		return s.commandError("%s is for ADK's files, and %s is none", flag, args[0])
	}
	if _, err := caseByID(analysis.Of(host.NewInput(args[0], body)).Suite(), args[0], id); err != nil {
		return s.commandError("%s", err)
	}
	reply, err := s.readReply(replyPath)
	if err != nil {
		return s.commandError("%s", err)
	}
	raw, err := json.Marshal(reply)
	if err != nil {
		return s.commandError("%s", err)
	}
	params := api.ScoreParams{Reply: raw, Profile: score.Profile(profile)}
	params.Text, params.Path, params.Case = &body, args[0], id
	result, err := api.Score(params)
	if err != nil {
		return s.commandError("%s", err)
	}
	if format == "json" {
		err = writeJSON(s.stdout, result)
	} else {
		err = writeScore(s.stdout, result)
	}
	if err != nil {
		return s.commandError("write the result: %s", err)
	}
	return exitOK
}

func (s *session) readReply(path string) (string, error) {
	if path != "-" {
		return host.ReadArgument(path)
	}
	if isTerminal(s.stdin) {
		fmt.Fprintln(s.stderr, "rubric: reading the judge's reply from standard input; end it with Ctrl-D")
	}
	return host.ReadAll("standard input", s.stdin)
}

func writeScore(w io.Writer, r api.ScoreResult) error {
	line := string(r.Verdict)
	if r.Score != nil {
		line += fmt.Sprint(" ", *r.Score)
	}
	_, err := fmt.Fprintln(w, line)
	for _, g := range r.Gates {
		if g.Failed() {
			fmt.Fprintf(w, "  gate  %s: %s\n", g.ID, g.Reason)
		}
	}
	for _, hit := range r.Hits {
		fmt.Fprintf(w, "  hit   %s\n", hit)
	}
	for _, miss := range r.Misses {
		fmt.Fprintf(w, "  miss  %s\n", miss)
	}
	for _, g := range r.Grades {
		if g.Ungraded != "" {
			fmt.Fprintf(w, "  none  [%s] %s\n", g.ID, g.Ungraded)
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(w, "  reply %s\n", p)
	}
	return err
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/spell"
)

// Exit statuses.
const (
	exitOK          = 0
	exitFindings    = 1
	exitUsage       = 2
	exitUnreachable = 3
)

// verb is one command. Flags declares its flags and gives what runs it, so that
// a verb's options live in one place.
type verb struct {
	name    string
	args    string // what follows, as usage shows it
	summary string
	long    string
	example string
	setup   func(*pflag.FlagSet) func(*session, []string) int
	parts   []verb // what follows its name, in its setup's place; they are named in full
}

// session is one invocation: its streams and what they are.
type session struct {
	ctx    context.Context
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	color  string // always, never or auto
	verb   string // that is run
}

// verbs in the order of the help text.
func verbs() []verb {
	return []verb{checkVerb, runVerb, targetsVerb, cacheVerb, generateVerb, convertVerb, scoreVerb, rescoreVerb, runsVerb, calibrateVerb, callVerb, explainVerb, schemaVerb, lspVerb, playgroundVerb, versionVerb}
}

// Main runs the command line and gives its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, errs := &output{stream: stdout}, &output{stream: stderr}
	defer errs.flush()
	defer out.flush()
	return dispatch(&session{ctx: context.Background(), stdin: stdin, stdout: out, stderr: errs, color: "auto"}, args)
}

func dispatch(s *session, args []string) int {
	if len(args) == 0 {
		io.WriteString(s.stderr, usage())
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "--help":
		if len(args) > 1 {
			if v := find(args[1]); v != nil {
				return v.run(s, append(args[2:], "--help"))
			}
			return s.misuse("unknown command `%s`%s", args[1], spell.DidYouMean(args[1], verbNames()))
		}
		return s.say(usage())
	case "--version", "-V":
		return versionVerb.run(s, nil)
	}
	if v := find(args[0]); v != nil {
		return v.run(s, args[1:])
	}
	if looksLikeFile(args[0]) {
		return runVerb.run(s, args)
	}
	return s.misuse("unknown command `%s`%s", args[0], spell.DidYouMean(args[0], verbNames()))
}

func find(name string) *verb {
	for _, v := range verbs() {
		if v.name == name {
			return &v
		}
	}
	return nil
}

func verbNames() []string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

// looksLikeFile tells `rubric FILE`, short for `rubric run FILE`, from a misspelt command.
func looksLikeFile(arg string) bool {
	if strings.ContainsAny(arg, `./\*`) {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

func (v *verb) run(s *session, args []string) int {
	if v.parts != nil {
		return v.runPart(s, args)
	}
	flags := pflag.NewFlagSet(v.name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.SortFlags = false
	run := v.setup(flags)
	flags.StringVar(&s.color, "color", "auto", "colour the output: auto, always or never")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return s.say(v.help(flags))
		}
		return s.misuse("%s: %s", v.name, v.flagFault(flags, err))
	}
	if s.color != "auto" && s.color != "always" && s.color != "never" {
		return s.misuse("--color is `auto`, `always` or `never`, not `%s`", s.color)
	}
	s.verb = v.name
	return run(s, flags.Args())
}

func (v *verb) help(flags *pflag.FlagSet) string {
	w := &strings.Builder{}
	fmt.Fprintf(w, "rubric %s: %s\n\nUsage:\n  %s\n", v.name, v.summary, strings.TrimSpace("rubric "+v.name+" "+v.args))
	for i, part := range v.parts {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "  %s\n      %s\n", strings.TrimSpace("rubric "+part.name+" "+part.args), part.summary)
	}
	if v.long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(v.long))
	}
	fmt.Fprintf(w, "\nExample:\n  %s\n", strings.ReplaceAll(strings.TrimSpace(v.example), "\n", "\n  "))
	if flags != nil {
		fmt.Fprintf(w, "\nOptions:\n%s", flags.FlagUsages())
	}
	if len(v.parts) > 0 {
		fmt.Fprintf(w, "\n`rubric %s --help` tells more of each.\n", v.name+" WHAT")
	}
	return w.String()
}

// runPart runs the part of a verb that the arguments name.
func (v *verb) runPart(s *session, args []string) int {
	var names []string
	for _, part := range v.parts {
		name := strings.TrimPrefix(part.name, v.name+" ")
		if len(args) > 0 && args[0] == name {
			return part.run(s, args[1:])
		}
		names = append(names, name)
	}
	switch {
	case len(args) == 0:
		return s.misuse("%s: say what: %s; see `rubric %s --help`", v.name, diag.Listed(diag.Ticked(names), "or"), v.name)
	case args[0] == "--help" || args[0] == "-h":
		return s.say(v.help(nil))
	}
	return s.misuse("%s: there is no `%s`%s", v.name, args[0], spell.Instead(args[0], names, "it is "+diag.Listed(diag.Ticked(names), "or")))
}

func usage() string {
	w := &strings.Builder{}
	fmt.Fprint(w, "rubric checks, explains and scores rubric eval files.\n\nUsage:\n  rubric COMMAND [OPTIONS] [ARGUMENTS]\n  rubric FILE             the same as rubric run FILE\n\nCommands:\n")
	for _, v := range verbs() {
		fmt.Fprintf(w, "  %-10s %s\n", v.name, v.summary)
	}
	fmt.Fprint(w, "\nStart with:\n  rubric check .\n\n`rubric COMMAND --help` tells more of each.\n")
	return w.String()
}

// say prints what was asked for.
func (s *session) say(text string) int {
	if _, err := io.WriteString(s.stdout, text); err != nil {
		return s.misuse("%s", err)
	}
	return exitOK
}

// refuse reports a fault of the call in the name of the verb that is run.
func (s *session) refuse(format string, args ...any) int {
	return s.misuse("%s: %s", s.verb, fmt.Sprintf(format, args...))
}

// misuse reports a fault of the call itself.
func (s *session) misuse(format string, args ...any) int {
	fmt.Fprintf(s.stderr, "rubric: "+format+"\n", args...)
	return exitUsage
}

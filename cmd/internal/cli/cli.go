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

// command is one command. Flags declares its flags and gives what runs it, so that
// a verb's options live in one place.
type command struct {
	name        string
	args        string // what follows, as usage shows it
	summary     string
	long        string
	example     string
	setup       func(*pflag.FlagSet) func(*session, []string) int
	subcommands []command // what follows its name, in its setup's place; they are named in full
}

// session is one invocation: its streams and what they are.
type session struct {
	ctx     context.Context
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	color   string // always, never or auto
	command string // that is run
}

// commands in the order of the help text.
func commands() []command {
	return []command{checkCommand, runCommand, targetsCommand, cacheCommand, generateCommand, convertCommand, scoreCommand, rescoreCommand, runsCommand, calibrateCommand, callCommand, explainCommand, schemaCommand, lspCommand, playgroundCommand, versionCommand}
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
		io.WriteString(s.stderr, usageText())
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "--help":
		if len(args) > 1 {
			if c := findCommand(args[1]); c != nil {
				return c.run(s, append(args[2:], "--help"))
			}
			return s.usageError("unknown command `%s`%s", args[1], spell.DidYouMean(args[1], commandNames()))
		}
		return s.printText(usageText())
	case "--version", "-V":
		return versionCommand.run(s, nil)
	}
	if c := findCommand(args[0]); c != nil {
		return c.run(s, args[1:])
	}
	if looksLikeFile(args[0]) {
		return runCommand.run(s, args)
	}
	return s.usageError("unknown command `%s`%s", args[0], spell.DidYouMean(args[0], commandNames()))
}

func findCommand(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
	}
	return nil
}

func commandNames() []string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
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

func (c *command) run(s *session, args []string) int {
	if c.subcommands != nil {
		return c.runSubcommand(s, args)
	}
	flags := pflag.NewFlagSet(c.name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.SortFlags = false
	execute := c.setup(flags)
	flags.StringVar(&s.color, "color", "auto", "colour the output: auto, always or never")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return s.printText(c.helpText(flags))
		}
		return s.usageError("%s: %s", c.name, c.describeFlagError(flags, err))
	}
	if s.color != "auto" && s.color != "always" && s.color != "never" {
		return s.usageError("--color is `auto`, `always` or `never`, not `%s`", s.color)
	}
	s.command = c.name
	return execute(s, flags.Args())
}

func (c *command) helpText(flags *pflag.FlagSet) string {
	w := &strings.Builder{}
	fmt.Fprintf(w, "rubric %s: %s\n\nUsage:\n  %s\n", c.name, c.summary, strings.TrimSpace("rubric "+c.name+" "+c.args))
	for i, sub := range c.subcommands {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "  %s\n      %s\n", strings.TrimSpace("rubric "+sub.name+" "+sub.args), sub.summary)
	}
	if c.long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.long))
	}
	fmt.Fprintf(w, "\nExample:\n  %s\n", strings.ReplaceAll(strings.TrimSpace(c.example), "\n", "\n  "))
	if flags != nil {
		fmt.Fprintf(w, "\nOptions:\n%s", flags.FlagUsages())
	}
	if len(c.subcommands) > 0 {
		fmt.Fprintf(w, "\n`rubric %s --help` tells more of each.\n", c.name+" WHAT")
	}
	return w.String()
}

// runSubcommand runs the part of a verb that the arguments name.
func (c *command) runSubcommand(s *session, args []string) int {
	var names []string
	for _, sub := range c.subcommands {
		name := strings.TrimPrefix(sub.name, c.name+" ")
		if len(args) > 0 && args[0] == name {
			return sub.run(s, args[1:])
		}
		names = append(names, name)
	}
	switch {
	case len(args) == 0:
		return s.usageError("%s: say what: %s; see `rubric %s --help`", c.name, diag.JoinList(diag.Backtick(names), "or"), c.name)
	case args[0] == "--help" || args[0] == "-h":
		return s.printText(c.helpText(nil))
	}
	return s.usageError("%s: there is no `%s`%s", c.name, args[0], spell.DidYouMeanOr(args[0], names, "it is "+diag.JoinList(diag.Backtick(names), "or")))
}

func usageText() string {
	w := &strings.Builder{}
	fmt.Fprint(w, "rubric checks, explains and scores rubric eval files.\n\nUsage:\n  rubric COMMAND [OPTIONS] [ARGUMENTS]\n  rubric FILE             the same as rubric run FILE\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nStart with:\n  rubric check .\n\n`rubric COMMAND --help` tells more of each.\n")
	return w.String()
}

// printText prints what was asked for.
func (s *session) printText(text string) int {
	if _, err := io.WriteString(s.stdout, text); err != nil {
		return s.usageError("%s", err)
	}
	return exitOK
}

// commandError reports a fault of the call in the name of the verb that is run.
func (s *session) commandError(format string, args ...any) int {
	return s.usageError("%s: %s", s.command, fmt.Sprintf(format, args...))
}

// usageError reports a fault of the call itself.
func (s *session) usageError(format string, args ...any) int {
	fmt.Fprintf(s.stderr, "rubric: "+format+"\n", args...)
	return exitUsage
}

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

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

// A command is one command of the program. Its setup declares the flags and returns the
// function that runs it.
type command struct {
	name        string
	args        string // arguments in the usage line
	summary     string
	long        string
	list        func() string // replaces {list} in long
	example     string
	setup       func(*pflag.FlagSet) func(*session, []string) int
	subcommands []command // instead of setup; with full names, such as "runs list"
}

// A session is one invocation of the program: its streams and the command that runs.
type session struct {
	ctx     context.Context
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	color   string                     // always, never or auto
	command string                     // name of the running command
	ask     func(question string) bool // nil if there is no terminal
}

// commands lists the commands in the order of the help text.
func commands() []command {
	return []command{checkCommand, runCommand, targetsCommand, trustCommand, cacheCommand, generateCommand, convertCommand, scoreCommand, rescoreCommand, runsCommand, calibrateCommand, callCommand, explainCommand, schemaCommand, lspCommand, playgroundCommand, versionCommand}
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, errs := &output{stream: stdout}, &output{stream: stderr}
	defer errs.flush()
	defer out.flush()
	return dispatch(&session{ctx: context.Background(), stdin: stdin, stdout: out, stderr: errs, color: "auto", ask: newAsker(stdin, stderr)}, args)
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

// looksLikeFile reports whether arg names a file rather than a misspelt command, so that
// `rubric FILE` means `rubric run FILE`.
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
	if err := parseFlags(flags, args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return s.printText(c.helpText(flags))
		}
		return s.usageError("%s: %s", c.name, c.describeFlagError(flags, err))
	}
	if s.color != "auto" && s.color != "always" && s.color != "never" {
		return s.usageError("--color must be `auto`, `always` or `never`, not `%s`", s.color)
	}
	s.command = c.name
	return execute(s, flags.Args())
}

// parseFlags parses flags. It returns an error if a flag with one value is given two
// different ones, since one of them would be lost.
func parseFlags(flags *pflag.FlagSet, args []string) error {
	given := map[string]string{}
	return flags.ParseAll(args, func(flag *pflag.Flag, value string) error {
		before, repeated := given[flag.Name]
		if repeated && before != value && flag.Value.Type() != "stringArray" {
			return fmt.Errorf("--%s can be given once, not with `%s` and `%s`", flag.Name, before, value)
		}
		given[flag.Name] = value
		return flags.Set(flag.Name, value)
	})
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
		long := c.long
		if c.list != nil {
			long = strings.Replace(long, "{list}", c.list(), 1)
		}
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(long))
	}
	fmt.Fprintf(w, "\nExample:\n  %s\n", strings.ReplaceAll(strings.TrimSpace(c.example), "\n", "\n  "))
	if flags != nil {
		fmt.Fprintf(w, "\nOptions:\n%s", flags.FlagUsages())
	}
	if len(c.subcommands) > 0 {
		fmt.Fprintf(w, "\nRun `rubric %s --help` for details.\n", c.name+" WHAT")
	}
	return w.String()
}

// runSubcommand runs the subcommand that args names.
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
		return s.usageError("%s: name a subcommand: %s; see `rubric %s --help`", c.name, diag.JoinList(diag.Backtick(names), "or"), c.name)
	case args[0] == "--help" || args[0] == "-h":
		return s.printText(c.helpText(nil))
	}
	return s.usageError("%s: unknown subcommand `%s`%s", c.name, args[0], spell.DidYouMeanOr(args[0], names, "choose "+diag.JoinList(diag.Backtick(names), "or")))
}

func usageText() string {
	w := &strings.Builder{}
	fmt.Fprint(w, "rubric checks, explains and scores rubric eval files.\n\nUsage:\n  rubric COMMAND [OPTIONS] [ARGUMENTS]\n  rubric FILE             short for rubric run FILE\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nStart with:\n  rubric check .\n\nRun `rubric COMMAND --help` for details.\n")
	return w.String()
}

// printText writes text to standard output and returns the exit status.
func (s *session) printText(text string) int {
	if _, err := io.WriteString(s.stdout, text); err != nil {
		return s.usageError("%s", err)
	}
	return exitOK
}

// commandError reports an error of the running command and returns [exitUsage].
func (s *session) commandError(format string, args ...any) int {
	return s.usageError("%s: %s", s.command, fmt.Sprintf(format, args...))
}

// writeStatus returns code, or reports err, an error of writing the result.
func (s *session) writeStatus(err error, code int) int {
	if err != nil {
		return s.commandError("write the result: %s", err)
	}
	return code
}

// usageError reports an error of the call and returns [exitUsage].
func (s *session) usageError(format string, args ...any) int {
	fmt.Fprintf(s.stderr, "rubric: "+format+"\n", args...)
	return exitUsage
}

// describeFlagError explains a flag error. The messages of pflag name its own functions.
func (c *command) describeFlagError(flags *pflag.FlagSet, err error) string {
	listHint := "`rubric " + c.name + " --help` lists the options"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if letters := unknown.GetSpecifiedShortnames(); letters != "" {
			return fmt.Sprintf("unknown option `-%s`; %s", unknown.GetSpecifiedName(), listHint)
		}
		var names []string
		flags.VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return fmt.Sprintf("unknown option `%s`%s", name, spell.DidYouMeanOr(name, names, listHint))
	}
	var noValue *pflag.ValueRequiredError
	if errors.As(err, &noValue) {
		return fmt.Sprintf("--%s needs a value", noValue.GetFlag().Name)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if _, isOption := invalid.GetFlag().Value.(*optionFlag); isOption {
			return errors.Unwrap(invalid).Error()
		}
		return fmt.Sprintf("--%s must be %s, not `%s`", invalid.GetFlag().Name, flagTypeNames[invalid.GetFlag().Value.Type()], invalid.GetValue())
	}
	return err.Error()
}

// flagTypeNames describes the values of flags by pflag's type names.
var flagTypeNames = map[string]string{
	"bool":     "`true` or `false`",
	"int":      "a whole number",
	"float64":  "a number",
	"duration": "a duration such as `30s` or `2m`",
}

// handleInterrupts lets a command finish its current work after an interrupt. A second
// interrupt ends the process. The returned function restores the default.
func (s *session) handleInterrupts() func() {
	if signal.Ignored(os.Interrupt) { // as in a background job; stop would restore that
		exitOnSecondInterrupt()
	}
	ctx, stop := signal.NotifyContext(s.ctx, os.Interrupt, syscall.SIGTERM)
	s.ctx = ctx
	go func() { <-ctx.Done(); stop() }()
	return stop
}

// exitOnSecondInterrupt ends the process on the second interrupt, with status 130 as
// shells do.
func exitOnSecondInterrupt() {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		<-interrupts
		os.Exit(130)
	}()
}

// runInterruptible runs the preparation of a run and returns its exit status. An
// interrupt ends it at once, even while it waits for a file, because there is nothing to
// clean up yet. prepare gets its own session, so that only one of the two writes the last
// message.
func (s *session) runInterruptible(prepare func(*session) int) int {
	var messages bytes.Buffer
	inner := *s
	if inner.stderr, inner.color = &messages, "never"; s.useColor(s.stderr) {
		inner.color = "always"
	}
	done := make(chan int, 1)
	go func() { done <- prepare(&inner) }()
	select {
	case code := <-done:
		if s.ctx.Err() == nil {
			_, _ = s.stderr.Write(messages.Bytes()) // there is nowhere to report an error of standard error
			return code
		}
	case <-s.ctx.Done():
	}
	fmt.Fprintf(s.stderr, "rubric: interrupted before the first case\n")
	return exitFindings
}

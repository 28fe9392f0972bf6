package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge"
	"github.com/rubric-ls/rubric/core/spell"
)

// An exitStatus is an error that ends the program with that status. What it means is printed already.
type exitStatus int

const (
	exitFindings    exitStatus = 1
	exitUsage       exitStatus = 2
	exitUnreachable exitStatus = 3
	exitInterrupted exitStatus = 130 // as shells report an interrupt
)

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// err returns the status as an error, or nil for success.
func (e exitStatus) err() error {
	if e == 0 {
		return nil
	}
	return e
}

// A command is one command of the program. Its setup declares the flags and returns the
// function that runs it. The text of its help is commands/NAME.txt.
type command struct {
	name        string
	args        string        // arguments in the usage line
	summary     string        // imperative, without a full stop
	list        func() string // replaces {list} in the text of the help
	example     string
	setup       func(*pflag.FlagSet) func(*session, []string) error
	values      func() []string // the valid arguments, if they are not files
	subcommands []command       // instead of setup
}

// withoutFlags returns the setup of a command without flags.
func withoutFlags(run func(*session, []string) error) func(*pflag.FlagSet) func(*session, []string) error {
	return func(*pflag.FlagSet) func(*session, []string) error { return run }
}

// A session is one invocation of the program: its streams and the command that runs.
type session struct {
	ctx       context.Context
	stdin     io.Reader
	stdout    io.Writer
	stderr    io.Writer
	color     string                     // always, never or auto
	command   string                     // name of the running command
	helpError error                      // of printing the help
	ask       func(question string) bool // nil if there is no terminal
	buffers   map[string]string          // texts that take the place of files, by path
}

// commandGroups lists the commands in the order of the help text.
func commandGroups() []commandGroup {
	return []commandGroup{
		{"Write eval files:", []command{initCommand, checkCommand, explainCommand, generateCommand, convertCommand, schemaCommand}},
		{"Run them:", []command{runCommand, workerCommand, testCommand, targetsCommand, doctorCommand, trustCommand, cacheCommand}},
		{"Work with results:", []command{runsCommand, viewCommand, rescoreCommand, labelCommand, calibrateCommand, scoreCommand}},
		{"Serve editors and programs:", []command{lspCommand, playgroundCommand, mcpCommand, callCommand}},
	}
}

type commandGroup struct {
	title    string
	commands []command
}

// Main runs the command line and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out, errs := &output{stream: stdout}, &output{stream: stderr}
	defer errs.flush()
	defer out.flush()
	s := &session{ctx: context.Background(), stdin: stdin, stdout: out, stderr: errs, ask: newAsker(stdin, stderr)}
	errs.noteWidth = s.width(errs)
	return dispatch(s, args)
}

// Commands returns the command line, for its documentation.
func Commands() *cobra.Command {
	return newRoot(&session{ctx: context.Background(), stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard})
}

func dispatch(s *session, args []string) int {
	root := newRoot(s)
	isCommand := func(c *cobra.Command) bool { return c.Name() == args[0] }
	// `rubric FILE` means `rubric run FILE`. Shells call the commands with underscores for completions.
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") && !strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) && !slices.ContainsFunc(root.Commands(), isCommand) {
		if _, err := os.Stat(args[0]); err != nil && !strings.ContainsAny(args[0], `./\*`) {
			return s.exitCode(unknownCommand(root, args[0]))
		}
		args = append([]string{runCommand.name}, args...)
	}
	root.SetArgs(args)
	root.SetIn(s.stdin)
	root.SetOut(s.stdout)
	root.SetErr(s.stderr)
	return s.exitCode(cmp.Or(root.ExecuteContext(s.ctx), s.helpError))
}

// exitCode prints an error, unless that has been done, and returns the exit status that it stands for.
func (s *session) exitCode(err error) int {
	var status exitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	}
	s.printError(err)
	if errors.Is(err, judge.ErrUnreachable) {
		return int(exitUnreachable)
	}
	return int(exitUsage)
}

// printError prints an error of the running command.
func (s *session) printError(err error) {
	if s.command != "" {
		err = fmt.Errorf("%s: %w", s.command, err)
	}
	s.printNote(err.Error())
}

// printNote prints a sentence that is not a result.
func (s *session) printNote(text string) { fmt.Fprintf(s.stderr, "rubric: %s\n", text) }

// printNotes prints each of several sentences once.
func (s *session) printNotes(texts []string) {
	for _, text := range generic.AppendNew([]string(nil), texts...) {
		s.printNote(text)
	}
}

func init() { cobra.EnableCommandSorting = false }

// newRoot returns the program's commands.
func newRoot(s *session) *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:           "rubric COMMAND [OPTIONS]",
		Short:         "Lint and run rubric eval files",
		Long:          "Lint eval files, run them against models and judges, and serve editors.\n`rubric FILE` is short for `rubric run FILE`.",
		Example:       "rubric check .",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,

		DisableFlagsInUseLine: true,
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case version:
			return s.printVersion()
		case len(args) > 0:
			return unknownCommand(cmd, args[0])
		}
		io.WriteString(s.stderr, helpText(cmd))
		return exitUsage
	}
	root.Flags().BoolVarP(&version, "version", "V", false, "print the version")
	root.PersistentFlags().BoolP("help", "h", false, "print this help")
	s.color = "auto"
	root.PersistentFlags().Var(&choice{"color", []string{"auto", "always", "never"}, &s.color}, "color", "colour output `WHEN`: auto, always or never")
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		if cmd.Name() != "help" {
			s.command = commandName(cmd)
		}
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		s.command = commandName(cmd)
		return describeFlagError(cmd, err)
	})
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { s.helpError = s.printText(helpText(cmd)) })
	root.SetHelpCommand(newHelpCommand(s))
	for _, group := range commandGroups() {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			child := c.newCommand(s)
			child.GroupID = group.title
			root.AddCommand(child)
		}
	}
	root.AddCommand(versionCommand.newCommand(s))
	root.InitDefaultHelpCmd()
	s.addCompletion(root)
	completeFlags(root)
	refuseRepeated(root)
	return root
}

// addCompletion adds the library's command that prints completion scripts.
func (s *session) addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	completion.Short = "Print a shell's completion script"
	completion.Use, completion.DisableFlagsInUseLine = "completion SHELL", true
	completion.Args, completion.RunE = cobra.ArbitraryArgs, s.runNoSubcommand
	plain := strings.NewReplacer("#### ", "", "\t", "    ") // the library writes Markdown
	for _, shell := range completion.Commands() {
		shell.Long = plain.Replace(shell.Long)
	}
}

// newCommand returns the command for the library that reads the command line.
func (c command) newCommand(s *session) *cobra.Command {
	options := " [OPTIONS] "
	if c.subcommands != nil {
		options = " COMMAND "
	}
	long, _ := helpFiles.ReadFile("commands/" + strings.ReplaceAll(c.name, " ", "-") + ".txt") // some have none
	cmd := &cobra.Command{
		Use:                   strings.TrimSpace(c.name[strings.LastIndexByte(c.name, ' ')+1:] + options + c.args),
		Short:                 c.summary,
		Long:                  strings.TrimSpace(string(long)),
		Example:               c.example,
		Args:                  cobra.ArbitraryArgs,
		DisableFlagsInUseLine: true,
	}
	if c.list != nil {
		cmd.Long = strings.Replace(cmd.Long, "{list}", c.list(), 1)
	}
	cmd.Flags().SortFlags = false
	if c.values != nil || strings.Contains(c.args, "FILE") || strings.Contains(c.args, "PATH") {
		completeArguments(cmd, c.values)
	}
	for _, sub := range c.subcommands {
		cmd.AddCommand(sub.newCommand(s))
	}
	if c.subcommands != nil {
		cmd.RunE = s.runNoSubcommand
		return cmd
	}
	execute := c.setup(cmd.Flags())
	completeFlags(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if err := c.checkArguments(args); err != nil {
			return err
		}
		return execute(s, args)
	}
	return cmd
}

// checkArguments returns an error if the number of arguments does not fit the usage line: one for each
// word, none or one for a word in brackets, and any number for the last with an ellipsis.
func (c command) checkArguments(args []string) error {
	words := strings.Fields(c.args)
	for i, word := range words {
		if i == len(args) && !strings.HasPrefix(word, "[") {
			example, _, _ := strings.Cut(c.example, "\n")
			return fmt.Errorf("%s is missing; for example `%s`", strings.TrimSuffix(word, "…"), example)
		}
	}
	switch {
	case len(args) <= len(words) || strings.Contains(c.args, "…"):
		return nil
	case len(words) == 0:
		return fmt.Errorf("takes no arguments, but got `%s`", args[0])
	}
	return fmt.Errorf("takes only %s, but got `%s`", strings.Trim(c.args, "[]"), strings.Join(args, " "))
}

// commandName returns the name of a command below the program, such as "runs list".
func commandName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// runNoSubcommand runs a command that has subcommands, none of which is named.
func (s *session) runNoSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return s.printText(helpText(cmd))
	}
	return unknownCommand(cmd, args...)
}

// unknownCommand returns an error about a name that is not one of the subcommands of cmd.
func unknownCommand(cmd *cobra.Command, given ...string) error {
	names := generic.Map(cmd.Commands(), (*cobra.Command).Name)
	switch {
	case len(names) == 0:
		return fmt.Errorf("unknown subcommand `%s`; `%s` has none", given[0], commandName(cmd))
	case cmd.HasParent():
		return fmt.Errorf("unknown subcommand `%s`%s", given[0], spell.DidYouMeanOr(given[0], names, "choose "+diag.JoinList(diag.Backtick(names), "or")))
	}
	return fmt.Errorf("unknown command `%s`%s", given[0], suggestCommand(given[0], names))
}

// printText writes text to standard output.
func (s *session) printText(text string) error {
	_, err := io.WriteString(s.stdout, text)
	return err
}

// handleInterrupts lets a command finish its current work after an interrupt. A second
// interrupt ends the process. The returned function restores the default.
func (s *session) handleInterrupts() func() {
	if signal.Ignored(os.Interrupt) { // as in a background job; stop would restore that
		interrupts := make(chan os.Signal, 2)
		signal.Notify(interrupts, os.Interrupt)
		go func() {
			<-interrupts
			<-interrupts
			os.Exit(int(exitInterrupted))
		}()
	}
	ctx, stop := signal.NotifyContext(s.ctx, os.Interrupt, syscall.SIGTERM)
	s.ctx = ctx
	go func() { <-ctx.Done(); stop() }()
	return stop
}

// interruptible returns what the preparation of a run returns. An interrupt ends it at once, even while it
// waits for a file, because there is nothing to clean up yet. prepare gets its own session, so that only one
// of the two writes the last message.
func interruptible[T any](s *session, prepare func(*session) (T, error)) (result T, err error) {
	var messages bytes.Buffer
	inner := *s
	if inner.stderr, inner.color = &messages, "never"; s.useColor(s.stderr) {
		inner.color = "always"
	}
	done := make(chan struct{})
	var prepared T
	var failed error
	go func() {
		defer close(done)
		prepared, failed = prepare(&inner)
	}()
	select {
	case <-done:
		if s.ctx.Err() == nil {
			_, _ = s.stderr.Write(messages.Bytes()) // there is nowhere to report an error of standard error
			return prepared, failed
		}
	case <-s.ctx.Done():
	}
	s.printNote("interrupted before the first case")
	return result, exitInterrupted
}

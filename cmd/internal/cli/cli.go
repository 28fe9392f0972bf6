package cli

import (
	"bytes"
	"context"
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
	"github.com/rubric-ls/rubric/core/spell"
)

// Exit statuses.
const (
	exitOK          = 0
	exitFindings    = 1
	exitUsage       = 2
	exitUnreachable = 3
	exitInterrupted = 130 // as shells report an interrupt
)

// A command is one command of the program. Its setup declares the flags and returns the
// function that runs it. The text of its help is commands/NAME.txt.
type command struct {
	name        string
	args        string        // arguments in the usage line
	summary     string        // imperative, without a full stop
	list        func() string // replaces {list} in the text of the help
	example     string
	setup       func(*pflag.FlagSet) func(*session, []string) int
	values      func() []string // the valid arguments, if they are not files
	subcommands []command       // instead of setup
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
	buffers map[string]string          // texts that take the place of files, by path
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
	root, _ := newRoot(&session{ctx: context.Background(), stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard})
	return root
}

func dispatch(s *session, args []string) int {
	root, code := newRoot(s)
	isCommand := func(c *cobra.Command) bool { return c.Name() == args[0] }
	// Shells call the commands with underscores for completions.
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") && !strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) && !slices.ContainsFunc(root.Commands(), isCommand) {
		if !looksLikeFile(args[0]) {
			return s.usageError("%s", unknownCommand(root, args[0]))
		}
		args = append([]string{runCommand.name}, args...)
	}
	root.SetArgs(args)
	root.SetIn(s.stdin)
	root.SetOut(s.stdout)
	root.SetErr(s.stderr)
	if err := root.ExecuteContext(s.ctx); err != nil {
		return s.usageError("%s", err)
	}
	return *code
}

func init() { cobra.EnableCommandSorting = false }

// newRoot returns the program's commands, and the exit status of the one that runs.
func newRoot(s *session) (root *cobra.Command, code *int) {
	code = new(int)
	version := false
	root = &cobra.Command{
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
			*code = s.printVersion()
		case len(args) > 0:
			return unknownCommand(cmd, args[0])
		default:
			io.WriteString(s.stderr, helpText(cmd))
			*code = exitUsage
		}
		return nil
	}
	root.Flags().BoolVarP(&version, "version", "V", false, "print the version")
	root.PersistentFlags().BoolP("help", "h", false, "print this help")
	s.color = "auto"
	root.PersistentFlags().Var(&choice{"color", []string{"auto", "always", "never"}, &s.color}, "color", "colour output `WHEN`: auto, always or never")
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) { s.command = commandName(cmd) }
	root.SetFlagErrorFunc(describeFlagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { *code = s.printText(helpText(cmd)) })
	root.SetHelpCommand(newHelpCommand(s, code))
	for _, group := range commandGroups() {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			child := c.newCommand(s, code)
			child.GroupID = group.title
			root.AddCommand(child)
		}
	}
	root.AddCommand(versionCommand.newCommand(s, code))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Short = "Print a shell's completion script"
	}
	completeFlags(root)
	refuseRepeated(root)
	return root, code
}

// newCommand returns the command for the library that reads the command line. Its exit
// status goes to code.
func (c command) newCommand(s *session, code *int) *cobra.Command {
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
		cmd.AddCommand(sub.newCommand(s, code))
	}
	if c.subcommands != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				*code = s.printText(helpText(cmd))
				return nil
			}
			return unknownCommand(cmd, args...)
		}
		return cmd
	}
	execute := c.setup(cmd.Flags())
	completeFlags(cmd)
	cmd.Run = func(_ *cobra.Command, args []string) {
		if fault := c.checkArguments(args); fault != "" {
			*code = s.commandError("%s", fault)
		} else {
			*code = execute(s, args)
		}
	}
	return cmd
}

// checkArguments says what is wrong with the number of arguments, by the usage line: one for each word,
// none or one for a word in brackets, and any number for the last with an ellipsis. It returns "" if
// nothing is.
func (c command) checkArguments(args []string) string {
	words := strings.Fields(c.args)
	for i, word := range words {
		if i == len(args) && !strings.HasPrefix(word, "[") {
			example, _, _ := strings.Cut(c.example, "\n")
			return fmt.Sprintf("%s is missing; for example `%s`", strings.TrimSuffix(word, "…"), example)
		}
	}
	switch {
	case len(args) <= len(words) || strings.HasSuffix(c.args, "…") || strings.HasSuffix(c.args, "…]"):
		return ""
	case len(words) == 0:
		return fmt.Sprintf("takes no arguments, but got `%s`", args[0])
	}
	return fmt.Sprintf("takes only %s, but got `%s`", strings.Trim(c.args, "[]"), strings.Join(args, " "))
}

// commandName returns the name of a command below the program, such as "runs list".
func commandName(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// unknownCommand returns an error about a name that is not one of the subcommands of cmd.
func unknownCommand(cmd *cobra.Command, given ...string) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	choices := diag.JoinList(diag.Backtick(names), "or")
	switch {
	case cmd.HasParent():
		return fmt.Errorf("%s: unknown subcommand `%s`%s", commandName(cmd), given[0], spell.DidYouMeanOr(given[0], names, "choose "+choices))
	}
	return fmt.Errorf("unknown command `%s`%s", given[0], suggestCommand(given[0], names))
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

// exitOnSecondInterrupt ends the process on the second interrupt.
func exitOnSecondInterrupt() {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		<-interrupts
		os.Exit(exitInterrupted)
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
	return exitInterrupted
}

package cli

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
	"github.com/rubric-ls/rubric/cmd/internal/report"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/generic"
	"github.com/rubric-ls/rubric/core/judge/price"
	"github.com/rubric-ls/rubric/core/run"
)

// helpWidth is the highest number of columns of a help text.
const helpWidth = 80

// optionGroups are the groups of options of a command with many. Options of no group come last.
var optionGroups = []struct{ title, names string }{
	{"Cases", "case tag ignore-errors"},
	{"Target and judge", "target judge trials samples profile threshold"},
	{"Cost and quality", "dry-run max-cost min-pass-rate min-mean max-warnings"},
	{"Results", "out format verbose failed quiet resume"},
}

// topicOptions are options that a command with many describes in a topic.
var topicOptions = []struct{ topic, names string }{
	{"costs", "max-cost max-calls prices no-cache workers timeout rpm tpm"},
	{"targets", "prompt targets trust allow-exec"},
	{"judges", "each-judge record replay"},
	{"adk", "recorded config metric adk moderation"},
	{"shards", "shard balance cache"},
	{"queue", "queue queue-credentials queue-ca queue-certificate queue-key"},
	{"tracing", "otlp metrics log"},
}

func helpText(cmd *cobra.Command) string {
	w := &strings.Builder{}
	long := wrapParagraphs(cmd.Long)
	if long == "" || cmd.HasParent() {
		fmt.Fprintf(w, "%s.\n", cmd.Short)
	}
	fmt.Fprintf(w, "\nUsage:\n  %s\n", cmd.UseLine())
	if long != "" {
		fmt.Fprintf(w, "\n%s\n", long)
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n  %s\n", strings.ReplaceAll(cmd.Example, "\n", "\n  "))
	}
	for _, group := range cmd.Groups() {
		printCommands(w, group.Title, cmd, group.ID)
	}
	title := "Commands:"
	if len(cmd.Groups()) > 0 {
		title = "More commands:"
	}
	printCommands(w, title, cmd, "")
	if !cmd.HasParent() {
		w.WriteString("\nTopics of `rubric help TOPIC`:\n")
		for _, name := range Topics() {
			body, _ := Topic(name)
			heading, _, _ := strings.Cut(body, "\n")
			_, summary, _ := strings.Cut(heading, ": ")
			fmt.Fprintf(w, "  %-14s %s\n", name, summary)
		}
	}
	if cmd.HasAvailableLocalFlags() {
		printOptions(w, cmd)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n`%s COMMAND --help` describes a command.\n", cmd.CommandPath())
	}
	return strings.TrimLeft(w.String(), "\n")
}

// printCommands prints the subcommands of a group.
func printCommands(w *strings.Builder, title string, cmd *cobra.Command, group string) {
	for _, sub := range cmd.Commands() {
		if sub.GroupID == group && sub.IsAvailableCommand() || sub.GroupID == group && sub.Name() == "help" {
			if title != "" {
				fmt.Fprintf(w, "\n%s\n", title)
			}
			title = ""
			fmt.Fprintf(w, "  %-11s %s\n", sub.Name(), sub.Short)
		}
	}
}

// printOptions prints the options of a command by groups.
func printOptions(w *strings.Builder, cmd *cobra.Command) {
	rest := pflag.NewFlagSet("", pflag.ContinueOnError)
	rest.SortFlags = false
	rest.AddFlagSet(cmd.LocalNonPersistentFlags())
	rest.AddFlagSet(cmd.InheritedFlags())
	rest.AddFlagSet(cmd.PersistentFlags())
	var names []string
	rest.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	var inTopics strings.Builder
	if len(names) > 16 {
		for _, g := range optionGroups {
			group := strings.Fields(g.names)
			printFlags(w, g.title, rest, group)
			names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(group, name) })
		}
		for _, t := range topicOptions {
			options := ""
			for name := range strings.FieldsSeq(t.names) {
				if i := slices.Index(names, name); i >= 0 {
					names = slices.Delete(names, i, i+1)
					options += " --" + name
				}
			}
			if options != "" {
				fmt.Fprintf(&inTopics, "  %-7s%s\n", t.topic, options)
			}
		}
	}
	printFlags(w, "Options", rest, names)
	if inTopics.Len() > 0 {
		fmt.Fprintf(w, "\nMore options, by topic of `rubric help TOPIC`:\n%sMore topics: resume, configuration, exit-codes.\n", &inTopics)
	}
}

// printFlags prints those of the flags that have one of the names.
func printFlags(w *strings.Builder, title string, flags *pflag.FlagSet, names []string) {
	group := pflag.NewFlagSet("", pflag.ContinueOnError)
	group.SortFlags = false
	for _, name := range names {
		if flag := flags.Lookup(name); flag != nil {
			group.AddFlag(flag)
		}
	}
	if group.HasAvailableFlags() {
		fmt.Fprintf(w, "\n%s:\n%s", title, group.FlagUsagesWrapped(helpWidth))
	}
}

//go:embed topics commands
var helpFiles embed.FS

// Topics lists the names of the help topics.
func Topics() []string {
	files, _ := helpFiles.ReadDir("topics") // embedded
	return generic.Map(files, func(f fs.DirEntry) string { return strings.TrimSuffix(f.Name(), ".md") })
}

// Topic returns a help topic as Markdown. Its first line is a heading with the title and a
// summary. A name in several words counts too.
func Topic(name string) (string, bool) {
	body, err := helpFiles.ReadFile("topics/" + name + ".md")
	if err != nil {
		return "", false
	}
	keys := append([]string{"prices", "rules"}, generic.Map(run.Options(run.Project), run.Option.Key)...)
	indent := func(table string) string {
		return "    " + strings.ReplaceAll(strings.TrimRight(table, "\n"), "\n", "\n    ")
	}
	text := strings.NewReplacer("{providers}", indent(targets.ProviderTable()), "{prices}", price.BuiltInDate(), "{source}", price.Source, "{keys}", wrap(diag.JoinList(diag.Backtick(keys), "and"))).Replace(string(body))
	w := &strings.Builder{}
	for _, t := range topicOptions {
		if t.topic == name {
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			runCommand.setup(flags)
			printFlags(w, "Options", flags, strings.Fields(t.names))
		}
	}
	return text + w.String(), true
}

// newHelpCommand returns `rubric help`.
func newHelpCommand(s *session) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "Describe a command or a topic",

		DisableFlagsInUseLine: true,

		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			found, _, _ := cmd.Root().Find(args)
			names = append(names, generic.Map(found.Commands(), (*cobra.Command).Name)...)
			if len(args) == 0 {
				names = append(names, Topics()...)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if body, isTopic := Topic(strings.Join(args, "-")); isTopic {
				return s.printText(strings.TrimPrefix(body, "# "))
			}
			found, rest, err := cmd.Root().Find(args)
			switch {
			case err == nil && len(rest) == 0:
				return s.printText(helpText(found))
			case err == nil && found.HasParent():
				s.command = commandName(found)
				return unknownCommand(found, rest...)
			}
			names := append(Topics(), generic.Map(cmd.Root().Commands(), (*cobra.Command).Name)...)
			return fmt.Errorf("no command or topic `%s`%s", args[0], suggestCommand(args[0], names))
		},
	}
}

// listNames describes things for the help of a command, one per line: names of at most width characters, each with
// its summary.
func listNames[T any](width int, all []T, describe func(T) (name, summary string)) string {
	var b strings.Builder
	for _, one := range all {
		name, summary := describe(one)
		fmt.Fprintf(&b, "    %-*s %s\n", width, name, report.Wrap(summary, width+5, width+5, helpWidth))
	}
	return strings.TrimRight(b.String(), "\n")
}

// wrapParagraphs wraps the paragraphs of a text, but no indented lines.
func wrapParagraphs(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		if !strings.Contains("\n"+p, "\n ") && !strings.HasPrefix(p, "{") {
			paragraphs[i] = wrap(p)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// wrap returns a text in lines for help.
func wrap(text string) string {
	return report.Wrap(strings.Join(strings.Fields(text), " "), 0, 0, helpWidth)
}

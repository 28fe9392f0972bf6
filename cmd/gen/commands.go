package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// addCommandFiles adds the reference of the commands and the manual pages.
func addCommandFiles(files map[string][]byte) error {
	root := cli.Commands()
	root.DisableAutoGenTag = true
	var all []*cobra.Command
	addCommands(&all, root)
	var reference bytes.Buffer
	reference.WriteString("# Commands\n\n" + generatedNotice + "`rubric COMMAND --help` and `rubric help TOPIC` print the same.\n\n")
	for _, c := range all {
		name := c.CommandPath()
		fmt.Fprintf(&reference, "- [%s](#%s): %s\n", name, strings.ReplaceAll(name, " ", "-"), c.Short)
	}
	for _, name := range cli.Topics() {
		fmt.Fprintf(&reference, "- Topic [%s](#topic-%s)\n", name, name)
	}
	var undated time.Time
	for _, c := range all {
		var page bytes.Buffer
		if err := doc.GenMan(c, &doc.GenManHeader{Section: "1", Date: &undated, Source: "rubric", Manual: "rubric"}, &page); err != nil {
			return err
		}
		files["docs/man/"+strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"] = bytes.Replace(page.Bytes(), []byte(undated.Format("Jan 2006")), nil, 1)
		var section bytes.Buffer
		if err := doc.GenMarkdown(c, &section); err != nil {
			return err
		}
		body, _, _ := strings.Cut(section.String(), "### SEE ALSO")
		reference.WriteString("\n" + strings.TrimSpace(body) + "\n")
	}
	for _, name := range cli.Topics() {
		body, _ := cli.Topic(name)
		heading, text, _ := strings.Cut(body, "\n")
		_, summary, _ := strings.Cut(heading, ": ")
		fmt.Fprintf(&reference, "\n## Topic %s\n\n%s.\n%s\n", name, strings.ToUpper(summary[:1])+summary[1:], strings.TrimRight(text, "\n"))
	}
	files["docs/COMMANDS.md"] = reference.Bytes()
	return nil
}

// addCommands adds a command and its subcommands to all.
func addCommands(all *[]*cobra.Command, c *cobra.Command) {
	*all = append(*all, c)
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			addCommands(all, sub)
		}
	}
}

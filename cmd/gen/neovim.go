package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rubric-ls/rubric/lsp"
)

const (
	neovimHelpPath     = "editors/neovim/doc/rubric.txt"
	neovimCommandsPath = "editors/neovim/lua/rubric/commands.lua"
)

//go:embed neovim.txt
var neovimTemplate string

// neovimCommandRow matches a row of the plugin's table of commands.
var neovimCommandRow = regexp.MustCompile(`(?m)^  \{ '(\w+)', '([^']+)', .*\{(.*)\} \},$`)

// neovimHelpText returns the plugin's help: the template with the plugin's commands and
// the server's settings.
func neovimHelpText(root string) ([]byte, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(neovimCommandsPath)))
	if err != nil {
		return nil, err
	}
	rows := neovimCommandRow.FindAllStringSubmatch(string(source), -1)
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: no table of commands found", neovimCommandsPath)
	}
	var commands, settings strings.Builder
	for _, row := range rows {
		name, summary, options := row[1], row[2], row[3]
		if strings.Contains(options, "bang = true") {
			name += "[!]"
		}
		switch {
		case strings.Contains(options, "complete = cases"):
			name += " [{case}]"
		case strings.Contains(options, "complete = views"):
			name += " [float]"
		}
		writeHelpEntry(&commands, ":"+row[1], ":"+name, summary)
	}
	for _, s := range lsp.Settings() {
		writeHelpEntry(&settings, "rubric-"+s.Name, s.Name, s.Description+" Default: "+s.DefaultText())
	}
	writeHelpEntry(&settings, "rubric-rules", "rules", "Severities by rule name: `{ ['no-cases'] = 'off' }`. `rubric explain` lists the rules.")
	return []byte(strings.NewReplacer("{{commands}}\n", commands.String(), "{{settings}}\n", settings.String()).Replace(neovimTemplate)), nil
}

// writeHelpEntry writes an entry with its tag at the right and its text indented.
func writeHelpEntry(b *strings.Builder, tag, name, text string) {
	const width, indent = 78, "            "
	fmt.Fprintf(b, "%*s\n%s\n", width, "*"+tag+"*", name)
	line := indent
	for word := range strings.FieldsSeq(text) {
		if line != indent && len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n\n")
}

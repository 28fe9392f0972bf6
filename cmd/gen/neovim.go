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
	neovimHelp     = "editors/neovim/doc/rubric.txt"
	neovimCommands = "editors/neovim/lua/rubric/commands.lua"
)

//go:embed neovim.txt
var neovimPage string

// neovimCommand is a row of the plugin's table of commands.
var neovimCommand = regexp.MustCompile(`(?m)^  \{ '(\w+)', '([^']+)', .*\{(.*)\} \},$`)

// neovim is the plugin's help: the page with what the plugin's table of commands
// and the server's table of settings say.
func neovim(root string) ([]byte, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(neovimCommands)))
	if err != nil {
		return nil, err
	}
	rows := neovimCommand.FindAllStringSubmatch(string(source), -1)
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: there is no table of commands", neovimCommands)
	}
	var commands, settings strings.Builder
	for _, row := range rows {
		name, does, options := row[1], row[2], row[3]
		if strings.Contains(options, "bang = true") {
			name += "[!]"
		}
		switch {
		case strings.Contains(options, "complete = cases"):
			name += " [{case}]"
		case strings.Contains(options, "complete = views"):
			name += " [float]"
		}
		helpEntry(&commands, ":"+row[1], ":"+name, does)
	}
	for _, s := range lsp.Settings() {
		helpEntry(&settings, "rubric-"+s.Name, s.Name, s.Description+" Default: "+s.DefaultText())
	}
	helpEntry(&settings, "rubric-rules", "rules", "The severity of rules by their names: `{ ['no-cases'] = 'off' }`; `rubric explain` lists them.")
	return []byte(strings.NewReplacer("{{commands}}\n", commands.String(), "{{settings}}\n", settings.String()).Replace(neovimPage)), nil
}

// helpEntry writes an entry with its tag at the right and its text indented.
func helpEntry(b *strings.Builder, tag, name, says string) {
	const width, indent = 78, "            "
	fmt.Fprintf(b, "%*s\n%s\n", width, "*"+tag+"*", name)
	line := indent
	for word := range strings.FieldsSeq(says) {
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

package main

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// The picture's measures, in pixels.
const (
	charWidth  = 8.4
	lineHeight = 20
	margin     = 18
)

// colors maps ANSI colour codes to colours of the picture.
var colors = map[string]string{
	"1": "#f2f2f0", "2": "#8b929e", "31": "#ff8a8a", "32": "#8fdcaa", "33": "#f0cd7a", "36": "#7fd4e0",
}

var escapeSequence = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// A picture shows what a command prints on a terminal.
type picture struct {
	path    string // of the SVG file, below the repository's root
	folder  string // where the command runs
	command string
}

// pictureColumns is the width of the terminal.
const pictureColumns = "100"

var pictures = []picture{
	{"testdata/readme/check.svg", "testdata/readme", "check refund.eval.yaml"},
	{"testdata/guide/run.svg", "testdata/guide", "run refund.eval.yaml"},
	{"testdata/guide/explain.svg", "testdata/guide", "explain ranges-gap"},
	{"editors/vscode/media/check.svg", "editors/vscode/sample", "check refund.eval.yaml"},
	{"editors/vscode/media/judge.svg", "testdata/guide", "run refund.eval.yaml"},
}

// draw runs the command and draws what it prints to standard output, as SVG.
func (p picture) draw(root string) ([]byte, error) {
	before, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(filepath.Join(root, filepath.FromSlash(p.folder))); err != nil {
		return nil, err
	}
	defer func() { _ = os.Chdir(before) }() // it was the working folder
	defer func(columns string) { _ = os.Setenv("COLUMNS", columns) }(os.Getenv("COLUMNS"))
	if err := os.Setenv("COLUMNS", pictureColumns); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("\x1b[1m$ rubric " + p.command + "\x1b[0m\n\n")
	cli.Main(append(strings.Fields(p.command), "--color", "always"), strings.NewReader(""), &out, io.Discard)
	return drawTerminal("rubric "+p.command, out.String()), nil
}

// drawTerminal draws text with ANSI colours as SVG.
func drawTerminal(title, text string) []byte {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	widest := 0
	for _, line := range lines {
		widest = max(widest, utf8.RuneCountInString(escapeSequence.ReplaceAllString(line, "")))
	}
	width, height := int(float64(widest)*charWidth)+2*margin, len(lines)*lineHeight+2*margin

	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`+"\n", width, height, width, height, html.EscapeString(title))
	fmt.Fprintf(&svg, `<rect width="%d" height="%d" rx="10" fill="#1b1e24"/>`+"\n", width, height)
	svg.WriteString(`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#d6d8dc" style="white-space: pre">` + "\n")
	for i, line := range lines {
		drawLine(&svg, line, margin+(i+1)*lineHeight-6)
	}
	svg.WriteString("</g>\n</svg>\n")
	return []byte(svg.String())
}

// drawLine draws each run of one colour at its own column, so that a font of another
// width keeps the alignment.
func drawLine(svg *strings.Builder, line string, y int) {
	column, fill, bold := 0, "", false
	drawRun := func(text string) {
		word := strings.TrimLeft(text, " ") // renderers treat leading spaces differently
		column += len(text) - len(word)
		if word != "" {
			attributes := ""
			if fill != "" {
				attributes += ` fill="` + fill + `"`
			}
			if bold {
				attributes += ` font-weight="bold"`
			}
			fmt.Fprintf(svg, `<text x="%.1f" y="%d"%s>%s</text>`+"\n", margin+float64(column)*charWidth, y, attributes, html.EscapeString(word))
		}
		column += utf8.RuneCountInString(word)
	}
	for line != "" {
		match := escapeSequence.FindStringSubmatchIndex(line)
		if match == nil {
			drawRun(line)
			return
		}
		drawRun(line[:match[0]])
		fill, bold = "", false
		for code := range strings.SplitSeq(line[match[2]:match[3]], ";") {
			bold = bold || code == "1"
			if color, known := colors[code]; known {
				fill = color
			}
		}
		line = line[match[1]:]
	}
}

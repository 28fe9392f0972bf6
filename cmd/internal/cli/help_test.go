package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
)

// typeName matches an option whose value has no name, but only a type of Go.
var typeName = regexp.MustCompile(`--[a-z-]+ (string|stringArray|int|float|float64|duration)\b`)

// TestHelpFits checks that help texts are at most 80 columns wide, that the help of run fits a
// screen, that each option is in the help of its command or in a topic that the help names, and that
// values have names.
func TestHelpFits(t *testing.T) {
	texts := map[string]string{}
	topics := ""
	for _, topic := range cli.Topics() {
		_, texts["help "+topic], _ = rubric(t, "", "help", topic)
		topics += texts["help "+topic]
	}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		words := strings.Fields(c.CommandPath())[1:]
		name := strings.Join(words, " ")
		if len(words) > 0 && words[0] == "completion" {
			return // the library's texts
		}
		_, help, _ := rubric(t, "", append(words, "--help")...)
		texts[name] = help
		for _, option := range strings.Fields(c.LocalFlags().FlagUsages()) {
			if strings.HasPrefix(option, "--") && !strings.Contains(help, option) {
				t.Errorf("%s --help does not mention %s", name, option)
			}
		}
		if summary := c.Short; summary == "" || strings.ToUpper(summary[:1]) != summary[:1] || strings.HasSuffix(summary, ".") || len(summary) > 65 {
			t.Errorf("%s: the summary is %q", name, summary)
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(cli.Commands())
	for name, text := range texts {
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(line) > 81 || typeName.MatchString(line) { // with its end
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	if lines := strings.Count(texts["run"], "\n"); lines > 60 {
		t.Errorf("run --help has %d lines", lines)
	}
	for _, option := range []string{"--prices FILE", "--record FILE", "--recorded FILE"} {
		if !strings.Contains(topics, option) {
			t.Errorf("no topic describes %s", option)
		}
	}
}

// TestFirstFile: the smallest eval files of `rubric help format` and of the README have no fault, and pass.
func TestFirstFile(t *testing.T) {
	useTempCache(t)
	topic, _ := cli.Topic("format")
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(readme), "```yaml\n")
	ofReadme, _, _ := strings.Cut(blocks[2], "```")
	_, ofTopic, _ := strings.Cut(topic, "`my.eval.yaml`:\n\n")
	ofTopic, _, _ = strings.Cut(ofTopic, "\n\n")
	_, criteria, _ := strings.Cut(topic, "or a mapping:\n\n")
	criteria, _, _ = strings.Cut(criteria, "\n\n")
	ofTopic = strings.ReplaceAll("\n"+ofTopic, "\n    ", "\n")
	whole := ofTopic[:strings.Index(ofTopic, "    rubrics:")] + criteria + "\n"
	for name, body := range map[string]string{"README": ofReadme, "topic": ofTopic, "criteria": whole} {
		dir := write(t, map[string]string{"my.eval.yaml": body})
		if code, out, errs := rubric(t, "", "check", dir); code != 0 || out != "" {
			t.Errorf("%s: %d %s%s\n%s", name, code, out, errs, body)
		}
		if code, out, errs := rubric(t, "", "run", dir); name != "criteria" && (code != 0 || !strings.Contains(out, "1 pass, 0 fail")) {
			t.Errorf("%s: %d %s%s", name, code, out, errs)
		}
	}
}

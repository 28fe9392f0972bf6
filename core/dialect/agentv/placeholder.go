package agentv

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/text"
)

// Placeholders are the names that a target's command may use in braces: the case's messages as one
// text, as an argument and in a file, its messages as JSON in a file, the texts of guidelines, the
// case's id, the attempt, the case's files, and the file for the answer.
var Placeholders = []string{"PROMPT", "PROMPT_FILE", "MESSAGES_FILE", "GUIDELINES", "EVAL_ID", "ATTEMPT", "FILES", "OUTPUT_FILE"}

// Placeholder matches a placeholder; its first group is the name.
var Placeholder = pattern.New(`\{([A-Z_]+)\}`)

// UnknownPlaceholder returns the first placeholder of a command that is none of [Placeholders], or "".
func UnknownPlaceholder(command string) string {
	for _, m := range Placeholder().FindAllStringSubmatch(command, -1) {
		if !slices.Contains(Placeholders, m[1]) {
			return m[0]
		}
	}
	return ""
}

// MisquotedPlaceholder is a placeholder in a command that is not a separate shell word. Values
// are quoted as one word when they are filled in. Inside the command's own quotes that
// quoting would end them, and the shell would run the value.
type MisquotedPlaceholder struct {
	Name            string    // including the braces
	Context         string    // such as "in double quotes"
	Span            text.Span // span of the placeholder in the command
	UnquotedCommand string    // the command without the quotes around the placeholder; "" if they contain more
}

// Advice returns the message that tells how to write the placeholder.
func (m MisquotedPlaceholder) Advice() string {
	return "write " + m.Name + " without quotes as a separate word; it is quoted when it is filled in. A script takes it as an argument: sh -c '… \"$1\"' sh " + m.Name
}

// FindMisquoted returns the first misquoted placeholder of a command or a files format.
// {ATTEMPT} is a number and may stand anywhere. The quoting rules are those of a POSIX shell
// on every system, so that a targets file means the same everywhere.
func FindMisquoted(command string) (MisquotedPlaceholder, bool) {
	s := shellScanner{text: command}
	for s.pos < len(command) {
		if name := placeholderAt(command[s.pos:]); name != "" {
			if where := s.misleadingContext(); where != "" && name != "{ATTEMPT}" {
				m := MisquotedPlaceholder{Name: name, Context: where, Span: text.Span{Start: s.pos, End: s.pos + len(name)}}
				before, after := command[:m.Span.Start], command[m.Span.End:]
				if (where == doubleQuotes || where == singleQuotes) && after != "" && before[len(before)-1] == after[0] {
					m.UnquotedCommand = before[:len(before)-1] + name + after[1:]
				}
				return m, true
			}
			s.pos += len(name)
			continue
		}
		s.advance()
	}
	return MisquotedPlaceholder{}, false
}

// placeholderAt returns the placeholder at the start of text, or "".
func placeholderAt(text string) string {
	end := strings.IndexByte(text, '}')
	if text[0] != '{' || end < 2 {
		return ""
	}
	name := text[1:end]
	if name != "path" && name != "basename" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return ""
	}
	return text[:end+1]
}

// shellScanner tracks the quotes and substitutions of a shell command.
type shellScanner struct {
	text    string
	pos     int
	open    []string // the open constructs, innermost last
	heredoc bool     // a here-document begins on the next line
	eval    bool     // the current command is `eval`, which parses its words again
}

// Constructs that may be open. They are the values of MisquotedPlaceholder.Context.
const (
	doubleQuotes = "in double quotes"
	singleQuotes = "in single quotes"
	substitution = "in `$(…)`" // words are parsed anew here, so quoting works
	backticks    = "in backticks"
	expansion    = "in `${…}`"
	arithmetic   = "in `((…))`"
	comment      = "in a comment"
	hereDocument = "in a here-document"
	ansiQuotes   = "after `$'`" // not every shell supports these quotes
)

// misleadingContext returns the context that breaks the quoting of a placeholder here, or "" if
// a quoted word stays one word.
func (s *shellScanner) misleadingContext() string {
	before := s.text[:s.pos]
	for _, open := range s.open {
		if open != substitution && (open != doubleQuotes || s.innermost() == doubleQuotes) {
			return open
		}
	}
	switch {
	case s.eval:
		return "in a command of `eval`"
	case strings.HasSuffix(before, "$"):
		return "right after a `$`"
	case (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1:
		return "right after a backslash"
	}
	return ""
}

func (s *shellScanner) innermost() string {
	if len(s.open) == 0 {
		return ""
	}
	return s.open[len(s.open)-1]
}

// advance reads one character or operator.
func (s *shellScanner) advance() {
	rest, in := s.text[s.pos:], s.innermost()
	step := 1
	switch c := rest[0]; {
	case in == hereDocument, in == ansiQuotes: // to the end
	case in == singleQuotes:
		s.closeIf(c == '\'')
	case in == comment:
		s.closeIf(c == '\n')
	case c == '\\':
		if len(rest) > 1 && placeholderAt(rest[1:]) == "" {
			step = 2
		}
	case strings.HasPrefix(rest, "${{"): // a variable that is filled in before
		step = 3
	case strings.HasPrefix(rest, "$(("):
		s.open, step = append(s.open, arithmetic, arithmetic), 3
	case strings.HasPrefix(rest, "$("):
		s.open, step = append(s.open, substitution), 2
	case strings.HasPrefix(rest, "${") && placeholderAt(rest[1:]) == "":
		s.open, step = append(s.open, expansion), 2
	case c == '`' && in == backticks, c == '"' && in == doubleQuotes, c == '}' && in == expansion, c == ')' && (in == substitution || in == arithmetic):
		s.closeIf(true)
	case c == '`':
		s.open = append(s.open, backticks)
	case c == '"':
		s.open = append(s.open, doubleQuotes)
	case in == doubleQuotes, in == expansion:
	case strings.HasPrefix(rest, "$'"):
		s.open = append(s.open, ansiQuotes)
	case c == '\'':
		s.open = append(s.open, singleQuotes)
	case strings.HasPrefix(rest, "(("):
		s.open, step = append(s.open, arithmetic, arithmetic), 2
	case c == '(' && in == arithmetic:
		s.open = append(s.open, arithmetic)
	case c == '(': // a subshell
		s.open = append(s.open, substitution)
	case c == '#' && (s.pos == 0 || strings.IndexByte(" \t\n;&|(){", s.text[s.pos-1]) >= 0):
		s.open = append(s.open, comment)
	case strings.HasPrefix(rest, "<<<"):
		step = 3
	case strings.HasPrefix(rest, "<<"):
		s.heredoc, step = true, 2
	case c == '\n' && s.heredoc:
		s.open = append(s.open, hereDocument)
	case strings.IndexByte("\n;&|", c) >= 0:
		s.eval = false
	case strings.HasPrefix(rest, "eval ") && s.isAtCommand():
		s.eval, step = true, 5
	}
	s.pos += step
}

// closeIf closes the innermost construct if end is true.
func (s *shellScanner) closeIf(end bool) {
	if end {
		s.open = s.open[:len(s.open)-1]
	}
}

// isAtCommand reports whether a command name may start here.
func (s *shellScanner) isAtCommand() bool {
	before := strings.TrimRight(s.text[:s.pos], " \t")
	return before == "" || strings.IndexByte("\n;&|({", before[len(before)-1]) >= 0
}

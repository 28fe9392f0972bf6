package core_test

import (
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// bannedWords are private words of earlier code, with words to use instead. docs/GLOSSARY.md
// has the whole vocabulary.
var bannedWords = map[string]string{
	"among": "index, duplicates", "beside": "dependency, sibling", "book": "journal", "coloured": "tokens", "doors": "backends",
	"far": "header", "glance": "summary", "kept": "stored, cached", "kin": "synonyms", "kit": "inputs", "looked": "focus, checked",
	"loud": "withDiagnostics", "nobody": "none", "reckon": "compute", "reckoning": "outcome", "said": "message, text",
	"sheet": "verdicts", "shelf": "cache", "standing": "verdict", "stirred": "changed", "strangers": "conflicts",
	"tape": "recording", "told": "reply, message, encoded", "tried": "attempted", "whoever": "the subject's name", "wish": "requirement",
}

var camelWord = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)

// TestIdentifiers forbids bannedWords as words of declared identifiers, outside of tests.
func TestIdentifiers(t *testing.T) {
	eachGoFile(t, func(path string, _ []byte, file *ast.File, set *token.FileSet) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		check := func(idents ...*ast.Ident) {
			for _, ident := range idents {
				for _, word := range camelWord.FindAllString(ident.Name, -1) {
					if better, banned := bannedWords[strings.ToLower(word)]; banned {
						t.Errorf("%s: rename %s; instead of %q use a word such as %s", set.Position(ident.Pos()), ident.Name, word, better)
					}
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				check(n.Name)
			case *ast.TypeSpec:
				check(n.Name)
			case *ast.ValueSpec:
				check(n.Names...)
			case *ast.Field:
				check(n.Names...)
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					if ident, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE {
						check(ident)
					}
				}
			case *ast.RangeStmt:
				for _, left := range []ast.Expr{n.Key, n.Value} {
					if ident, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE {
						check(ident)
					}
				}
			}
			return true
		})
	})
}

var (
	// scriptNoise matches comments and strings of TypeScript, JavaScript and Lua, roughly.
	scriptNoise = regexp.MustCompile("(?s)/\\*.*?\\*/|(?m:(?:^|\\s)(?://|--).*$)|'(?:[^'\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`")
	// scriptIdent matches an identifier with the character before it. Properties, after a dot, may
	// belong to the public API.
	scriptIdent = regexp.MustCompile(`[^\w$]#?[A-Za-z_$][\w$]*`)
)

// publicNames are words of the evaluator's methods and of JSON keys. They do not change.
var publicNames = map[string]bool{"beside": true, "told": true, "spent": true}

// TestScriptIdentifiers forbids bannedWords in TypeScript, JavaScript and Lua, in identifiers and
// file names.
func TestScriptIdentifiers(t *testing.T) {
	skipped := regexp.MustCompile(`(^|/)(dist|unpacked)/|(^|/)(methods\.js|api\.d\.ts)$`)
	for _, ending := range []string{".ts", ".mts", ".js", ".mjs", ".lua"} {
		eachFile(t, ending, func(file string, src []byte) error {
			if skipped.MatchString(filepath.ToSlash(file)) {
				return nil
			}
			check := func(name string) {
				for _, word := range camelWord.FindAllString(name, -1) {
					if better, banned := bannedWords[strings.ToLower(word)]; banned && !publicNames[name] {
						t.Errorf("%s: rename %s; instead of %q use a word such as %s", file, name, word, better)
					}
				}
			}
			check(strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ending))
			text := "\n" + scriptNoise.ReplaceAllString(string(src), " ")
			for _, match := range scriptIdent.FindAllString(text, -1) {
				if match[0] != '.' {
					check(strings.TrimLeft(match[1:], "#"))
				}
			}
			return nil
		})
	}
}

package targets_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-ls/rubric/cmd/internal/host/hosttest"
	"github.com/rubric-ls/rubric/cmd/internal/host/targets"
)

// TestLookup: the process comes before files and the nearer file before the farther.
// Nothing comes from outside the repository of the targets file, nor from the working
// folder.
func TestLookup(t *testing.T) {
	dir := t.TempDir()
	for path, body := range map[string]string{
		".env": "OUTSIDE_X=outside\n", "repo/.git/HEAD": "",
		"repo/.env":         "NEAR_X=root\nROOT_X=root\nPROCESS_X=root\nCWD_X=root\n",
		"repo/a/.env":       "NEAR_X=middle\n",
		"repo/a/evals/.env": "NEAR_X=beside\n",
		"cwd/.env":          "CWD_X=cwd\nLAST_X=cwd\n",
	} {
		hosttest.Put(t, filepath.Join(dir, path), body)
	}
	t.Setenv("PROCESS_X", "process")
	t.Setenv("EMPTY_X", "")
	t.Chdir(filepath.Join(dir, "cwd"))
	lookup := targets.ReadEnvFiles(filepath.Join(dir, "repo/a/evals/targets.yaml")).Lookup
	for name, want := range map[string]string{"PROCESS_X": "the environment", "NEAR_X": filepath.Join(dir, "repo/a/evals/.env"), "ROOT_X": filepath.Join(dir, "repo/.env")} {
		if got, _ := lookup(name); got.Source != want {
			t.Errorf("%s is from %s, want %s", name, got.Source, want)
		}
	}
	for name, want := range map[string]string{
		"PROCESS_X": "process", "NEAR_X": "beside", "ROOT_X": "root", "CWD_X": "root", "LAST_X": "-", "EMPTY_X": "", "OUTSIDE_X": "-", "NOWHERE_X": "-",
	} {
		got, ok := lookup(name)
		if ok != (want != "-") || ok && got.Value != want {
			t.Errorf("%s is %q, %v; want %q", name, got.Value, ok, want)
		}
	}
}

// TestEnvFiles reads what people write in .env files.
func TestEnvFiles(t *testing.T) {
	const none = "\x00"
	for _, c := range []struct{ name, body, want string }{
		{"plain", "A=1\n", "1"},
		{"the last line without its end", "B=2\nA=1", "1"},
		{"spaces", "  A  =  one two  \n", "one two"},
		{"exported", "export A=1\n", "1"},
		{"a comment behind", "A=1 # one\n", "1"},
		{"a comment with a quote", "# it's\nA=1 # don't\nB='\n", "1"},
		{"commented out", "#A=1\n", none},
		{"empty", "A=\nB=2\n", ""},
		{"empty quotes", "A=''\n", ""},
		{"single quotes", `A='a "b" # c\n'` + "\n", `a "b" # c\n`},
		{"double quotes", `A="a 'b' # c\nd" # e` + "\n", "a 'b' # c\nd"},
		{"backquotes", "A=`a 'b' \"c\"`\n", `a 'b' "c"`},
		{"an escaped quote", `A="a \" b"` + "\n", `a \" b`},
		{"several lines", "A=\"-----BEGIN\nxyz=\n-----END\"\nB=2\n", "-----BEGIN\nxyz=\n-----END"},
		{"quotes never closed", "A=\"a b\nB=2\n", `"a b`},
		{"quotes inside", "A=a\"b\"c\n", `a"b"c`},
		{"more after the quotes", "A='a' b\n", "'a' b"},
		{"dollars", "A=pa$$WORD${HOME}\n", "pa$$WORD${HOME}"},
		{"equals signs", "A=a=b==\n", "a=b=="},
		{"twice", "A=1\nA=2\n", "2"},
		{"Windows", "\uFEFFB=2\r\nA=1\r\n", "1"},
		{"a byte order mark", "\uFEFFA=1\n", "1"},
		{"beside nonsense", "nonsense\n=x\n<<<<<<<\n1A=x\nA=1\nmore nonsense", "1"},
		{"binary", "A=1\n\x00", none},
		{"nothing", "", none},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(t.TempDir())
			hosttest.Put(t, filepath.Join(dir, ".env"), c.body)
			if got, ok := targets.ReadEnvFiles(filepath.Join(dir, "targets.yaml")).Lookup("A"); ok != (c.want != none) || ok && got.Value != c.want {
				t.Errorf("got %q, %v; want %q", got, ok, c.want)
			}
		})
	}
}

// TestEnvFileAddresses: an address of a .env file counts only where no key from elsewhere
// could go to it.
func TestEnvFileAddresses(t *testing.T) {
	for _, c := range []struct {
		name, address, process, near, parent string
		isUsed                               bool
	}{
		{"with its key", "ANTHROPIC_BASE_URL", "", "ANTHROPIC_API_KEY=k", "", true},
		{"with another key of its vendor alone", "ANTHROPIC_BASE_URL", "", "ANTHROPIC_DECOY_KEY=k", "", false},
		{"without a key, which a login may stand for", "ANTHROPIC_BASE_URL", "", "", "", false},
		{"with a key that the environment overrides", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY=k", "", false},
		{"with a token in the environment", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY=k", "", false},
		{"with a key from another file", "OPENAI_BASE_URL", "", "", "OPENAI_API_KEY=k", false},
		{"with a key under another name in the environment", "GOOGLE_GEMINI_BASE_URL", "GEMINI_API_KEY", "GOOGLE_API_KEY=k", "", false},
		{"with its key under another name", "GOOGLE_GEMINI_BASE_URL", "", "GEMINI_API_KEY=k", "", true},
		{"of a service without keys", "TEAM_URL", "", "", "", true},
		{"of a service with a key in the environment", "TEAM_URL", "TEAM_TOKEN", "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "TEAM_TOKEN", c.address} {
				t.Setenv(name, "") // so that it is restored
				os.Unsetenv(name)
			}
			if c.process != "" {
				t.Setenv(c.process, "of the person")
			}
			dir := t.TempDir()
			hosttest.Put(t, filepath.Join(dir, ".git/HEAD"), "")
			hosttest.Put(t, filepath.Join(dir, ".env"), c.parent+"\n")
			hosttest.Put(t, filepath.Join(dir, ".agentv/.env"), c.address+"=https://evil.example\n"+c.near+"\n")
			e := targets.ReadEnvFiles(filepath.Join(dir, ".agentv/targets.yaml"))
			if _, isUsed := e.Lookup(c.address); isUsed != c.isUsed || (e.Notes == nil) != c.isUsed {
				t.Errorf("kept: %v, %q", isUsed, e.Notes)
			}
		})
	}
}

package targets

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-ls/rubric/cmd/internal/host/disk"
	"github.com/rubric-ls/rubric/cmd/internal/host/process"
	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	v4 "github.com/rubric-ls/rubric/core/dialect/agentv/v4"
	"github.com/rubric-ls/rubric/core/generic"
	wire "github.com/rubric-ls/rubric/core/judge/provider"
	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/rubric"
)

// environmentSource names the process's environment in messages.
const environmentSource = "the environment"

// EnvFiles holds the variables from the .env files of a targets file. These files are in its
// directory and above, up to the root of its repository: whoever wrote one could have changed the
// targets file. A .env file beside an eval file from elsewhere is not read.
type EnvFiles struct {
	Notes []string // ignored variables, with the reason

	values map[string]agentv.Variable // nothing that the environment of the process sets
}

// ReadEnvFiles reads the .env files of a targets file. If several files set a variable, the
// nearest one counts. A file that is missing or unreadable sets no variables.
func ReadEnvFiles(targetsFile string) EnvFiles {
	e := EnvFiles{values: map[string]agentv.Variable{}}
	for _, dir := range slices.Backward(envFolders(targetsFile)) {
		path := filepath.Join(dir, ".env")
		text, err := disk.ReadFile(path)
		if err != nil {
			if disk.Exists(path) {
				e.Notes = append(e.Notes, fmt.Sprintf("%s; it sets no variables", err))
			}
			continue
		}
		var ignored []string
		for name, value := range parseDotenv(text) {
			if _, ok := os.LookupEnv(name); ok {
				continue
			}
			if unsafeVariable().MatchString(name) {
				ignored = append(ignored, name)
			} else {
				e.values[name] = agentv.Variable{Name: name, Value: value, Source: path}
			}
		}
		e.noteIgnored(path, ignored, "such variables change which code programs run or which servers they trust; if you need them, set them in the environment")
	}
	byFile := map[string][]string{}
	for name, v := range e.values {
		if addressVariable().MatchString(name) && !e.hasOwnKeys(v) {
			byFile[v.Source] = append(byFile[v.Source], name)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(byFile)) {
		for _, name := range byFile[path] {
			delete(e.values, name)
		}
		e.noteIgnored(path, byFile[path], "a key from elsewhere could go to such an address; set its key in the same file, or the address in the environment")
	}
	return e
}

func (e *EnvFiles) noteIgnored(path string, names []string, why string) {
	if len(names) > 0 {
		slices.Sort(names)
		e.Notes = append(e.Notes, fmt.Sprintf("%s: ignored %s: %s", path, diag.JoinList(diag.Backtick(names), "and"), why))
	}
}

// envFolders returns the directory of a targets file and those above it in its repository.
// Outside a repository it includes the directory above .agentv.
func envFolders(targetsFile string) []string {
	dir, err := filepath.Abs(filepath.Dir(targetsFile))
	if err != nil {
		return nil
	}
	folders := disk.RepositoryFolders(dir)
	if folders == nil {
		folders = []string{dir}
		if filepath.Base(dir) == ".agentv" {
			folders = append(folders, filepath.Dir(dir))
		}
	}
	return folders
}

// unsafeVariable matches variables that make a program run other code, read other settings or
// trust other servers.
var unsafeVariable = pattern.New(`(?i)^(?:` + strings.Join([]string{
	`_?(?:LD|DYLD|RLD)_.*`, `LIBPATH`, `SHLIB_PATH`, `GCONV_PATH`, `LOCPATH`, `GLIBC_TUNABLES`,
	`PATH`, `PATHEXT`, `COMSPEC`, `SHELL`, `ENV`, `IFS`, `PS4`, `PROMPT_COMMAND`, `CDPATH`, `SHELLOPTS`, `BASHOPTS`, `BASH_.*`, `ZDOTDIR`,
	`HOME`, `.*_HOME`, `USERPROFILE`, `(?:LOCAL)?APPDATA`, `XDG_.*`, `.*_CONFIG_(?:DIR|FILE)`, `KUBECONFIG`, `DOCKER_.*`,
	`.*_OPTIONS`, `.*_OPTS`, `PYTHON.*`, `PERL.*`, `RUBY.*`, `GEM_.*`, `BUNDLE_.*`, `NODE_(?:PATH|TLS_.*|REPL_.*|V8_COVERAGE)`, `NPM_CONFIG_.*`,
	`_?JAVA_.*`, `CLASSPATH`, `DOTNET_.*`, `CORECLR_.*`, `COR_.*`, `COMPLUS_.*`, `PSMODULEPATH`, `LUA_.*`, `PHPRC`, `PHP_INI_.*`,
	`GO(?:FLAGS|ROOT|PATH|PROXY|ENV|TOOLCHAIN)`, `RUSTC_.*`, `RUSTFLAGS`, `PIP_.*`, `UV_.*`, `MAKEFLAGS`, `.*_(?:WRAPPER|PRELOAD)`,
	`GIT_.*`, `SSH_.*`, `.*_?ASKPASS`, `EDITOR`, `VISUAL`, `PAGER`, `BROWSER`, `.*_(?:EDITOR|PAGER)`, `LESSOPEN`, `LESSCLOSE`,
	`SSL.*`, `OPENSSL_.*`, `.*_CA_.*`, `.*_PROXY`, `HOSTALIASES`,
	`CLAUDE_(?:CODE|BASH|ENV|CONFIG)_.*`, `GEMINI_(?:CLI_.*|SANDBOX)`,
}, "|") + `)$`)

// addressVariable matches variables that hold the address of a service.
var addressVariable = pattern.New(`(?i)_(?:URL|URI|BASE|ENDPOINT|HOST|HOSTNAME|RESOURCE|RESOURCE_NAME)$`)

// hasManyLogins reports whether the variables of a vendor are those of a service for which many users
// have a key or a login: a provider of models, or an agent.
func hasManyLogins(vendor string) bool {
	return slices.Contains([]string{"CLAUDE", "CODEX", "VERTEX", "AWS", "GITHUB", "COPILOT"}, vendor) ||
		slices.ContainsFunc(wire.Providers(), func(p wire.Provider) bool {
			return !p.Keyless && slices.ContainsFunc(p.KeyVars, func(name string) bool { return strings.HasPrefix(name, vendor+"_") })
		})
}

// hasOwnKeys reports whether the keys of an address's vendor come from the same file, so that no
// other key can be sent there.
func (e *EnvFiles) hasOwnKeys(address agentv.Variable) bool {
	vendor, _, _ := strings.Cut(strings.ToUpper(address.Name), "_")
	usual := []string{vendor + "_API_KEY", vendor + "_AUTH_TOKEN"} // programs prefer these to a stored login
	for _, p := range wire.Providers() {
		if slices.Contains(p.BaseVars, address.Name) {
			usual = append(usual, p.KeyVars...)
		}
	}
	isVendorKey := func(name string) bool {
		name = strings.ToUpper(name)
		return strings.HasPrefix(name, vendor+"_") && agentv.IsSecretName(name) || slices.Contains(usual, name)
	}
	own := false
	for name, v := range e.values {
		if isVendorKey(name) {
			own = own || slices.Contains(usual, name)
			if v.Source != address.Source {
				return false
			}
		}
	}
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); value != "" && isVendorKey(name) {
			return false
		}
	}
	return own || !hasManyLogins(vendor)
}

// Lookup returns a variable of the process, or else of the nearest .env file.
func (e EnvFiles) Lookup(name string) (agentv.Variable, bool) {
	if value, ok := os.LookupEnv(name); ok {
		return agentv.Variable{Name: name, Value: value, Source: environmentSource}, true
	}
	v, ok := e.values[name]
	return v, ok
}

// environ returns the variables as NAME=VALUE, for commands of the targets file.
func (e EnvFiles) environ() (env []string) {
	for name, v := range e.values {
		env = append(env, name+"="+v.Value)
	}
	slices.Sort(env)
	return env
}

func (e EnvFiles) secretValues() (keys []string) {
	for name, v := range e.values {
		if process.IsKey(name, v.Value) {
			keys = append(keys, v.Value)
		}
	}
	return keys
}

// assignmentStart matches the start of a line of a .env file, up to the value.
var assignmentStart = pattern.New(`^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*`)

// parseDotenv parses a .env file as the reference implementation's runtime does: NAME=VALUE
// lines, optionally after `export`, comments, and quoted values, which may span lines. \n and \r
// are escapes in double quotes only.
//
// A dollar sign has no meaning, because a password may contain one. Any other line is skipped
// without an error, which could not quote it: it may hold a key. The common library stops at such
// a line and expands dollar signs, so it is not used here.
func parseDotenv(text string) map[string]string {
	values := map[string]string{}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\uFEFF"))
	for text != "" {
		head := assignmentStart().FindStringSubmatch(text)
		if head == nil {
			_, text, _ = strings.Cut(text, "\n")
			continue
		}
		values[head[1]], text = parseEnvValue(text[len(head[0]):])
	}
	return values
}

// quotedValue matches a quoted value that a comment may follow, up to the end of its line.
var quotedValue = pattern.New(`(?s)^(?:"((?:\\.|[^\\"])*)"|'((?:\\.|[^\\'])*)'|\x60((?:\\.|[^\\\x60])*)\x60)[^\S\n]*(?:#[^\n]*)?(?:\n|$)`)

// parseEnvValue parses the value at the start of text, and returns the text after its line. A value
// whose quotes are not closed is plain.
func parseEnvValue(text string) (value, rest string) {
	m := quotedValue().FindStringSubmatch(text)
	if m == nil {
		line, rest, _ := strings.Cut(text, "\n")
		line, _, _ = strings.Cut(line, "#")
		return strings.TrimSpace(line), rest
	}
	if text[0] == '"' {
		m[1] = strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(m[1])
	}
	return m[1] + m[2] + m[3], text[len(m[0]):]
}

// FillEnvironment fills the variables of the environment or of a .env file into a suite. Problems lists
// variables that are left empty: those that are not set, and those whose name is that of a secret, which
// a file must not send to a target or a judge. It also lists those that AgentV 4 takes for another type.
func FillEnvironment(evalFile string, suite *rubric.Suite) (problems []string) {
	add := func(format, name string) {
		problems = generic.AppendNew(problems, fmt.Sprintf(format, name))
	}
	env := sync.OnceValue(func() EnvFiles { return ReadEnvFiles(evalFile) }) // once a text names a variable
	lookup := func(name string) (v agentv.Variable, known bool) {
		if v, known = env().Lookup(name); known && agentv.IsSecretName(name) {
			add("the variable `%s` is left empty, because its name is that of a secret", name)
			v.Value = ""
		}
		return v, known
	}
	for _, c := range suite.Cases {
		if suite.Version == string(agentv.V4) {
			encoded, _ := json.Marshal(c) // what JSON cannot hold has no variable
			for _, m := range wholeVariable().FindAllSubmatch(encoded, -1) {
				name := string(m[1])
				if v, _ := lookup(name); primitive().MatchString(v.Value) {
					add("AgentV reads the variable `%s` as a number or a boolean where it is all of a text; here it stays a text", name)
				}
			}
		}
		for _, name := range v4.FillEnvironment(suite, c, lookup) {
			add("the variable `%s` is not set", name)
		}
	}
	return problems
}

var (
	// wholeVariable matches a variable that alone makes a text.
	wholeVariable = pattern.New(`"\$\{\{\s*(\w+)\s*\}\}"`)
	primitive     = pattern.New(`^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$`)
)

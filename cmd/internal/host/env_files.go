package host

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/diag"
	"github.com/rubric-ls/rubric/core/dialect/agentv"
	"github.com/rubric-ls/rubric/core/judge/wire"
	"github.com/rubric-ls/rubric/core/pattern"
)

// environmentSource is what the variables of the process are from, in words.
const environmentSource = "the environment"

// EnvFiles are the variables that the .env files of a targets file set. Those files
// stand beside it or in a folder above it, up to the root of its repository: whoever
// wrote one could have changed the targets file. A .env beside an eval file from
// elsewhere is not among them.
type EnvFiles struct {
	Notes []string // the variables that are ignored, with the reason

	values map[string]agentv.Variable // nothing that the environment of the process sets
}

// ReadEnvFiles reads the .env files of a targets file. The nearest file that sets a
// variable counts. A file that is missing or cannot be read sets nothing.
func ReadEnvFiles(targetsFile string) EnvFiles {
	e := EnvFiles{values: map[string]agentv.Variable{}}
	for _, dir := range slices.Backward(envFolders(targetsFile)) {
		path := filepath.Join(dir, ".env")
		text, err := ReadFile(path)
		if err != nil {
			if Exists(path) {
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

// envFolders are the folder of a targets file and those above it in its repository.
// Outside of a repository, the folder above .agentv counts too.
func envFolders(targetsFile string) []string {
	dir, err := filepath.Abs(filepath.Dir(targetsFile))
	if err != nil {
		return nil
	}
	folders := repositoryFolders(dir)
	if folders == nil {
		folders = []string{dir}
		if filepath.Base(dir) == ".agentv" {
			folders = append(folders, filepath.Dir(dir))
		}
	}
	return folders
}

// unsafeVariable matches variables that make a program load or run other code, read
// other settings or trust other servers.
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

// addressVariable matches variables that tell a program where a service is.
var addressVariable = pattern.New(`(?i)_(?:URL|URI|BASE|ENDPOINT|HOST|HOSTNAME|RESOURCE|RESOURCE_NAME)$`)

// vendorVariable matches variables of services that many people hold a key for, or are
// logged in to.
var vendorVariable = pattern.New(`(?i)^(?:ANTHROPIC|CLAUDE|OPENAI|CODEX|AZURE|GEMINI|GOOGLE|VERTEX|OPENROUTER|AWS|GITHUB|COPILOT)_`)

// hasOwnKeys reports whether the keys of the vendor that an address belongs to come
// from the same file, so that no other key can go to it.
func (e *EnvFiles) hasOwnKeys(address agentv.Variable) bool {
	vendor, _, _ := strings.Cut(strings.ToUpper(address.Name), "_")
	usual := []string{vendor + "_API_KEY", vendor + "_AUTH_TOKEN"} // which programs take before a login that they hold
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
	return own || !vendorVariable().MatchString(address.Name)
}

// Lookup gives a variable: of the process, else of the nearest .env file.
func (e EnvFiles) Lookup(name string) (agentv.Variable, bool) {
	if value, ok := os.LookupEnv(name); ok {
		return agentv.Variable{Name: name, Value: value, Source: environmentSource}, true
	}
	v, ok := e.values[name]
	return v, ok
}

// environ are the variables as NAME=VALUE, for a command of the targets file.
func (e EnvFiles) environ() (env []string) {
	for name, v := range e.values {
		env = append(env, name+"="+v.Value)
	}
	slices.Sort(env)
	return env
}

// secretValues are the values that hold a key.
func (e EnvFiles) secretValues() (keys []string) {
	for name, v := range e.values {
		if isKey(name, v.Value) {
			keys = append(keys, v.Value)
		}
	}
	return keys
}

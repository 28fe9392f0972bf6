package conformance

import (
	"math"

	"github.com/rubric-ls/rubric/core/yaml"
)

// workspace checks where a case of 4.42.4 works. Whosever it is, findings name
// the suite's, and a repository by its path as it is written.
func (f *findings) workspace(n *yaml.Node) {
	if !n.IsMap() {
		return
	}
	inDocker := f.get(n, "docker").IsMap()
	for _, repo := range f.get(n, "repos").List() {
		if repo.IsMap() {
			f.repo(repo, inDocker)
		}
	}
	isolation, _ := f.get(n, "isolation").Str()
	if isolation == "per_test" && isTruthy(f.get(f.get(f.get(n, "hooks"), "after_each"), "reset")) {
		f.warn("reset_redundant", "workspace.hooks.after_each")
	}
}

func (f *findings) repo(repo *yaml.Node, inDocker bool) {
	name := "(none)"
	if path := f.get(repo, "path").Follow(); !path.IsNull() {
		name = path.Value
	}
	here := "workspace.repos[path=" + name + "]"
	for _, key := range []string{"source", "checkout", "clone"} {
		if f.get(repo, key) != nil {
			f.add("repo_"+key+"_removed", here)
		}
	}
	if !inDocker && !isTruthy(f.get(repo, "repo")) {
		f.add("repo_missing", here)
	}
	commit, one := f.get(repo, "commit").Str()
	base, other := f.get(repo, "base_commit").Str()
	if one && other && commit != base {
		f.add("repo_commits_differ", here)
	}
}

// isTruthy reports whether n is what JavaScript takes for true.
func isTruthy(n *yaml.Node) bool {
	if number, ok := n.Number(); ok {
		return number != 0 && !math.IsNaN(number)
	}
	if text, ok := n.Str(); ok {
		return text != ""
	}
	yes, isBool := n.Bool()
	return !n.IsNull() && (yes || !isBool)
}

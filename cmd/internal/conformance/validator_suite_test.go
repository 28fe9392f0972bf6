package conformance

import (
	"math"
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/pattern"
	"github.com/rubric-ls/rubric/core/yaml"
)

var suiteNames = pattern.New(`^[a-z0-9-]+$`)

// suiteName checks the name that a suite gives itself, if it is a text.
func (f *findings) suiteName(root *yaml.Node) {
	if name, ok := f.get(root, "name").Str(); ok && !suiteNames().MatchString(name) {
		f.warn("name_invalid", "name")
	}
}

// conversation checks the keys that a case in turns has, and no other.
func (f *findings) conversation(n *yaml.Node, path string) {
	mode, _ := f.get(n, "mode").Str()
	talks := mode == "conversation"
	turns := f.get(n, "turns")
	if turns != nil && !talks {
		f.add("turns_without_conversation", path+".turns")
	}
	if talks && len(turns.List()) == 0 {
		f.add("conversation_without_turns", path+".mode")
	}
	if talks && turns.IsSeq() && f.get(n, "expected_output") != nil {
		f.add("conversation_with_expected_output", path+".expected_output")
	}
	for _, key := range []string{"aggregation", "on_turn_failure", "window_size"} {
		if !talks && f.get(n, key) != nil {
			f.add(key+"_without_conversation", path+"."+key)
		}
	}
	if talks {
		f.turns(turns.List(), path+".turns")
	}
}

func (f *findings) turns(turns []*yaml.Node, path string) {
	for i, turn := range turns {
		here := itemPath(path, i)
		if !turn.IsMap() {
			f.add("turn_not_object", here)
			continue
		}
		input := f.get(turn, "input")
		_, isText := input.Str()
		if input == nil || isText && isBlank(input) || input.IsSeq() && len(input.List()) == 0 {
			f.add("turn_input_missing", here+".input")
		}
	}
}

var runKeys = keySet{known: []string{"threshold", "repeat", "timeout_seconds", "budget_usd"}, unknown: "unknown_field", strict: true}

// runs checks how a case is to be run.
func (f *findings) runs(n *yaml.Node, path string) {
	if n == nil {
		return
	}
	if !n.IsMap() {
		f.add("run_wrong_type", path)
		return
	}
	f.keys(n, path, runKeys)
	f.limits(n, path, limit{"threshold", isShare}, limit{"timeout_seconds", aboveZero}, limit{"budget_usd", aboveZero})
	f.repeat(f.get(n, "repeat"), path+".repeat")
}

// repeat checks how often something is done.
func (f *findings) repeat(n *yaml.Node, path string) {
	if count, ok := n.Number(); n != nil && (!ok || !isCount(count)) {
		f.add("repeat_invalid", path)
	}
}

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

// environment checks where an answer is made. The reference implementation
// stops at the first reason why it cannot be, and so one finding says it all. A
// recipe in another file is taken for good.
func (f *findings) environment(n *yaml.Node, path string) {
	name, isFile := n.Str()
	if n == nil || isFile && strings.HasPrefix(name, "file://") || f.recipe(n) {
		return
	}
	f.add("environment_invalid", path)
}

func (f *findings) recipe(n *yaml.Node) bool {
	if isBlank(f.get(n, "workdir")) || !f.setup(f.get(n, "setup")) || !f.texts(f.get(n, "env")) {
		return false
	}
	switch kind, _ := f.get(n, "type").Str(); kind {
	case "host":
		return f.only(n, "type", "workdir", "setup", "env")
	case "docker":
		return f.only(n, "type", "workdir", "context", "dockerfile", "image", "env", "resources", "mounts", "secrets", "setup") &&
			f.filled(n, "context", "dockerfile", "image") && (f.get(n, "context") != nil || f.get(n, "image") != nil) &&
			f.texts(f.get(n, "secrets")) && f.resources(f.get(n, "resources")) && f.mounts(f.get(n, "mounts"))
	}
	return false
}

func (f *findings) setup(n *yaml.Node) bool {
	if n == nil {
		return true
	}
	command := f.get(n, "command").List()
	timeout := f.get(n, "timeout_ms")
	number, isNumber := timeout.Number()
	return f.only(n, "command", "cwd", "timeout_ms") && f.filled(n, "cwd") &&
		len(command) > 0 && !slices.ContainsFunc(command, isBlank) &&
		(timeout == nil || isNumber && number > 0)
}

func (f *findings) resources(n *yaml.Node) bool {
	if n == nil {
		return true
	}
	cpus, gpu := f.get(n, "cpus"), f.get(n, "gpu")
	number, isNumber := cpus.Number()
	_, isText := gpu.Str()
	_, isBool := gpu.Bool()
	return f.only(n, "cpus", "memory", "disk", "gpu") && f.filled(n, "memory", "disk") &&
		(cpus == nil || isNumber && number > 0) && (gpu == nil || isText || isBool)
}

func (f *findings) mounts(n *yaml.Node) bool {
	return n == nil || n.IsSeq() && !slices.ContainsFunc(n.List(), func(mount *yaml.Node) bool {
		access, readOnly := f.get(mount, "access"), f.get(mount, "read_only")
		mode, _ := access.Str()
		_, isBool := readOnly.Bool()
		good := f.only(mount, "source", "target", "access", "read_only") &&
			!isBlank(f.get(mount, "source")) && !isBlank(f.get(mount, "target")) &&
			(access == nil || mode == "ro" || mode == "rw") && (readOnly == nil || isBool)
		return !good
	})
}

// only reports whether n is a mapping without other keys than these.
func (f *findings) only(n *yaml.Node, keys ...string) bool {
	isOther := func(key string) bool { return !slices.Contains(keys, key) }
	return n.IsMap() && !slices.ContainsFunc(f.names(n), isOther)
}

// filled reports whether each of the keys that is there has a text.
func (f *findings) filled(n *yaml.Node, keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { v := f.get(n, key); return v != nil && isBlank(v) })
}

// texts reports whether n, if it is there, holds nothing but texts.
func (f *findings) texts(n *yaml.Node) bool {
	isOther := func(key string) bool { _, ok := f.get(n, key).Str(); return !ok }
	return n == nil || n.IsMap() && !slices.ContainsFunc(f.names(n), isOther)
}

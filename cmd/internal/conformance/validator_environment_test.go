package conformance

import (
	"slices"
	"strings"

	"github.com/rubric-ls/rubric/core/yaml"
)

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

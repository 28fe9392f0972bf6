// Package references has the rules about names and what they refer to: ids, files, targets, variables
// of prompts, members, fields and labels. The file files.go finds the files that cases refer to.
package references

import "embed"

//go:embed *.md
var pages embed.FS

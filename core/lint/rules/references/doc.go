// Package references has the rules about names and what they refer to: ids, files, targets, variables
// of prompts, members, fields and labels.
package references

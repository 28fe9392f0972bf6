// Package naming finds names that a file declares or refers to: cases, criteria, graders, targets, anchors and
// template variables.
package naming

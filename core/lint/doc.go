// Package lint is the rules: one file per rule, and in that file everything
// about it: its id, its page, an example that it reports and one that it does
// not, its severity, what it looks for and how that is mended.
//
// To add a rule, add a file. Nothing lists the rules by hand: a file's
// `var _ = add(Rule{…})` registers it, and the registry is sorted by id, so the
// order in which files are compiled cannot matter. That registration is the
// only thing that happens at program start.
//
// Facts come from elsewhere: package yaml knows what is not YAML, package
// conform what does not fit the field table, a dialect's lowering what the
// runner drops, the domain what a rubric amounts to. Rules put facts into
// words. Only this package makes diagnostics.
package lint

// Package action offers code actions: fixes, refactorings, renames of keys to those of other versions, and
// comments that ignore a rule. Edits are verified before they are offered or applied.
package action

// Package loss makes the losses of all the dialect's readers, so that each
// stands where a person looks for it.
package loss

// Package provider takes questions to models over HTTP and brings their answers
// back: what core/judge/wire encodes and decodes, sent with patience.
//
// A try that failed for a passing reason is repeated after a while that grows,
// or that the provider asks for; what a model turns out not to take is left out
// from then on; a key that is not accepted is tried once. Keys go to the address
// that they are for and nowhere else: into no error, no answer, and over no
// redirect.
//
// The loop is our own. The libraries that repeat requests decide by status and
// sleep by themselves; here it is the decoded reply that decides (half a body
// under a status of success is repeated, an empty account is not), and waits are
// handed in, so that no test sleeps. The limits are golang.org/x/time/rate.
package provider

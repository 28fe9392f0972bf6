//go:build !windows

package lsp

import (
	"os"
	"syscall"
)

// isAlive reports whether there is a process with an id. One that we may not
// signal is there.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || err == syscall.EPERM
}

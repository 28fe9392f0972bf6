//go:build !windows

package lsp

import (
	"os"
	"syscall"
)

// isAlive reports whether a process exists. It exists if the server may not signal it.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || err == syscall.EPERM
}

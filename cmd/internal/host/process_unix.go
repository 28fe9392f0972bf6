//go:build unix

package host

import (
	"errors"
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a new process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the program and everything it started.
func killGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// brokenPipe reports that a program ended without reading its input.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

//go:build unix

package process

import (
	"errors"
	"os/exec"
	"syscall"
)

// setProcessGroup makes the program the leader of a new process group.
func setProcessGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killProcessGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

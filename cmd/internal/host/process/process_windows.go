//go:build windows

package process

import (
	"errors"
	"os/exec"
	"strconv"
	"syscall"
)

// setProcessGroup keeps the console's Ctrl-C from the program. A line for cmd.exe is
// passed as it is: it does not read the quotes that os/exec would add.
func setProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	if args := cmd.Args; len(args) == 3 && args[0] == "cmd.exe" && args[1] == "/c" {
		cmd.SysProcAttr.CmdLine = `cmd.exe /d /s /c "` + args[2] + `"`
	}
}

func killProcessGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil || cmd.ProcessState != nil {
		return nil
	}
	if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run(); err != nil {
		return cmd.Process.Kill()
	}
	return nil
}

const errorNoData = syscall.Errno(232) // ERROR_NO_DATA: the pipe is being closed

func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errorNoData)
}

package lsp

import "syscall"

// isAlive reports whether a process exists and has not exited. It exists if the server may not open
// it.
func isAlive(pid int) bool {
	const synchronize = 0x100000
	h, err := syscall.OpenProcess(synchronize, false, uint32(pid))
	if err != nil {
		return err == syscall.ERROR_ACCESS_DENIED
	}
	defer syscall.CloseHandle(h)
	event, err := syscall.WaitForSingleObject(h, 0)
	return err != nil || event == syscall.WAIT_TIMEOUT
}

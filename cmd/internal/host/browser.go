package host

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// OpenBrowser opens an address in the person's browser, as the system does it.
func OpenBrowser(ctx context.Context, address string) error {
	argv := []string{"xdg-open", address}
	switch runtime.GOOS {
	case "darwin":
		argv[0] = "open"
	case "windows":
		argv = []string{"rundll32", "url.dll,FileProtocolHandler", address}
	}
	if out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", argv[0], err, out)
	}
	return nil
}

// Command rubric-queue is rubric with a client for NATS and with OpenTelemetry: it coordinates workers and is one. It is a
// program of its own because most people have no queue, and rubric would be larger than its limit allows.
package main

import (
	"context"
	"os"

	"github.com/rubric-ls/rubric/cmd/internal/cli"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/jetstream"
	"github.com/rubric-ls/rubric/cmd/internal/host/queue/telemetry"
)

func main() {
	connect()
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// connect gives the command line what rubric has not.
func connect() {
	cli.QueueClient = jetstream.Client{}
	cli.OpenTelemetry = func(ctx context.Context, otlp, listen string) (cli.Telemetry, error) {
		return telemetry.Open(ctx, otlp, listen)
	}
}

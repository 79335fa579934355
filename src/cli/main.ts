#!/usr/bin/env node
import { runCommandLine } from "./program.ts";
import { processShell } from "./shell.ts";

// A reader that has seen enough (`turnwright … | head`) closes the pipe. The command goes on without it: its logs are
// kept and its exit code is still true.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    processShell.err(`The output cannot be written: ${error.message}\n`);
    process.exit(2);
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), processShell);

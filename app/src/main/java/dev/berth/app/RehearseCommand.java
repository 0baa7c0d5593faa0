package dev.berth.app;

import java.io.PrintWriter;
import java.io.Writer;
import picocli.CommandLine.Command;

/// `berth rehearse`: goes through the usual commands once, so that their classes get into the
/// ahead-of-time cache. The build runs it; people have no use for it.
@Command(name = "rehearse", hidden = true, description = "Used by the build.")
final class RehearseCommand implements Runnable {

    @Override
    public void run() {
        rehearse("--help");
        rehearse("lint", "--help");
        rehearse("demo");
    }

    private static void rehearse(String... arguments) {
        var silence = new PrintWriter(Writer.nullWriter());
        var code = Berth.commandLine().setOut(silence).setErr(silence).execute(arguments);
        if (code != 0) {
            throw new IllegalStateException(
                    "berth %s ended with %d".formatted(String.join(" ", arguments), code));
        }
    }
}

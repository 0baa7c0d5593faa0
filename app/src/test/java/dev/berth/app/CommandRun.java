package dev.berth.app;

import java.io.PrintWriter;
import java.io.StringWriter;

/// A command run in this process, with its output.
public record CommandRun(int exitCode, String out, String err) {

    public static CommandRun of(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var code =
                Berth.commandLine()
                        .setOut(new PrintWriter(out))
                        .setErr(new PrintWriter(err))
                        .execute(arguments);
        return new CommandRun(code, out.toString(), err.toString());
    }
}

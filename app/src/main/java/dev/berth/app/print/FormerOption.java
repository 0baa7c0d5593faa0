package dev.berth.app.print;

import picocli.CommandLine.Model.CommandSpec;

/// Former names of options, accepted with a warning for one version.
public final class FormerOption {

    private FormerOption() {}

    /// Prints the warning for the use of a former name.
    public static void warn(CommandSpec command, String former, String current) {
        command.commandLine()
                .getErr()
                .println(
                        "berth: warning: %s is now %s, and will be refused by the next version"
                                .formatted(former, current));
    }
}

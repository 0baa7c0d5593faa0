package dev.berth.app;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/// Settings of all commands: the version for `-V`, and exit codes where a command has none of its
/// own.
final class CommandDefaults {

    private static final Map<String, String> EXIT_CODES = exitCodes();

    private CommandDefaults() {}

    private static Map<String, String> exitCodes() {
        var codes = new LinkedHashMap<String, String>();
        codes.put("0", "success");
        codes.put("1", "failed; the message says why");
        codes.put("2", "usage error");
        return codes;
    }

    /// Applies the settings to a command and its subcommands.
    static void apply(CommandLine command, String version) {
        var spec = command.getCommandSpec();
        spec.version(version);
        var usage = spec.usageMessage();
        if (usage.exitCodeList().isEmpty()) {
            usage.exitCodeList(EXIT_CODES);
        }
        command.getSubcommands().values().forEach(one -> apply(one, version));
    }
}

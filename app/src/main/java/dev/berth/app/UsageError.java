package dev.berth.app;

import dev.berth.model.text.SimilarNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// A usage error, printed in two lines.
///
/// @param message the error, with the value
/// @param hint a similar name, or the command that prints the help
record UsageError(String message, String hint) {

    private static final Pattern INVALID =
            Pattern.compile("(?s)Invalid value for .*?(?:'|\\)): (.*)");
    private static final Pattern NUMBER = Pattern.compile(".* is not an? (?:int|long|double)");

    static UsageError of(ParameterException e) {
        var command = e.getCommandLine();
        var see = "See %s --help.".formatted(command.getCommandSpec().qualifiedName());
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched, command, see);
        }
        return new UsageError(message(e), see);
    }

    private static UsageError unmatched(
            UnmatchedArgumentException e, CommandLine command, String see) {
        var argument = e.getUnmatched().isEmpty() ? "" : e.getUnmatched().getFirst();
        var spec = command.getCommandSpec();
        if (e.isUnknownOption()) {
            var name = argument.split("=", 2)[0];
            return new UsageError(
                    "unknown option " + name, hint(name, options(spec), "").orElse(see));
        }
        if (command.getSubcommands().isEmpty()) {
            return new UsageError("unexpected argument \"%s\"".formatted(argument), see);
        }
        return unknownCommand(spec, argument, see);
    }

    private static UsageError unknownCommand(CommandSpec group, String argument, String see) {
        var head = group.qualifiedName() + " ";
        return new UsageError(
                "unknown command \"%s\"".formatted(argument),
                hint(argument, commands(group), head).orElse(see));
    }

    /// The usage error for an unknown argument of `berth help`.
    static UsageError unknownCommand(CommandSpec group, String argument) {
        return unknownCommand(group, argument, "See %s --help.".formatted(group.qualifiedName()));
    }

    private static Optional<String> hint(String name, List<String> known, String head) {
        var similar = SimilarNames.of(name, known).stream().map(head::concat).toList();
        return similar.isEmpty()
                ? Optional.empty()
                : Optional.of("Did you mean %s?".formatted(SimilarNames.either(similar)));
    }

    static List<String> commands(CommandSpec group) {
        return group.subcommands().entrySet().stream()
                .filter(one -> !one.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<String> options(CommandSpec command) {
        var names = new ArrayList<String>();
        command.options().stream()
                .filter(one -> !one.hidden())
                .forEach(one -> names.addAll(Arrays.asList(one.names())));
        return names;
    }

    /// The message, reworded if it is one of picocli's.
    private static String message(ParameterException e) {
        var said = String.valueOf(e.getMessage());
        var arg = e.getArgSpec();
        var invalid = INVALID.matcher(said);
        if (arg != null && invalid.matches()) {
            return name(arg) + ": " + value(arg, e.getValue(), invalid.group(1));
        }
        if (arg != null && said.startsWith("Value for ")) {
            return "%s: \"%s\" is not %s".formatted(name(arg), e.getValue(), arg.paramLabel());
        }
        return isOfLibrary(said) ? plain(said) : said;
    }

    private static String name(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }

    private static String value(ArgSpec arg, String value, String reason) {
        var choices = arg.completionCandidates();
        if (choices != null && reason.startsWith("expected one of")) {
            return "\"%s\" is not one of %s".formatted(value, String.join(", ", choices));
        }
        if (NUMBER.matcher(reason).matches()) {
            return "\"%s\" is not a number".formatted(value);
        }
        return reason.startsWith("cannot convert")
                ? "\"%s\" is not a valid %s".formatted(value, arg.paramLabel())
                : reason;
    }

    private static boolean isOfLibrary(String message) {
        return message.startsWith("Missing required")
                || message.startsWith("Expected ")
                || message.startsWith("option '");
    }

    private static String plain(String message) {
        return Character.toLowerCase(message.charAt(0)) + message.substring(1).replace("'", "");
    }
}

package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.print.HelpText;
import dev.berth.app.print.Palette;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// The help of every command has sentences, examples and exit codes, and fits its width.
class HelpTest {

    private static final int NARROW = 60;

    @TestFactory
    Stream<DynamicTest> everyCommandHasCompleteHelp() {
        return all().map(spec -> DynamicTest.dynamicTest(spec.qualifiedName(), () -> check(spec)));
    }

    private static Stream<CommandSpec> all() {
        var found = new ArrayList<CommandSpec>();
        collect(Berth.commandLine(), found);
        return found.stream();
    }

    private static void collect(CommandLine command, List<CommandSpec> found) {
        if (!command.getCommandSpec().usageMessage().hidden()) {
            found.add(command.getCommandSpec());
            command.getSubcommands().values().forEach(one -> collect(one, found));
        }
    }

    private static void check(CommandSpec spec) {
        var usage = spec.usageMessage();
        assertThat(usage.description()).isNotEmpty();
        // Lists of commands show the first paragraph alone.
        assertThat(usage.description()[0]).matches("[A-Z].*\\.").hasSizeLessThan(150);
        assertThat(usage.exitCodeList()).containsKey("2");
        assertThat(usage.footer()).anyMatch(line -> line.matches("Examples?:"));
        assertThat(usage.footer()).anyMatch(line -> line.contains("  berth "));
        for (var arg : spec.args()) {
            checkArgument(arg);
        }
        checkWidth(spec);
    }

    private static void checkArgument(ArgSpec arg) {
        var said = String.join(" ", arg.description());
        assertThat(said).as(arg.toString()).endsWith(".").doesNotContain("${");
        assertThat(said).as(arg.toString()).matches("(?s)[A-Z].*|local .*");
        if (arg.arity().max() > 0) {
            assertThat(arg.paramLabel()).as(arg.toString()).doesNotContain("<");
        }
    }

    /// Only examples, usage lines and single words may be wider than the terminal.
    private static void checkWidth(CommandSpec spec) {
        var examples = Arrays.asList(spec.usageMessage().footer());
        var help = HelpText.of(spec, new Palette(false), NARROW);
        var wide =
                help.lines()
                        .filter(line -> line.length() > NARROW)
                        .filter(line -> !examples.contains(line) && !line.startsWith("Usage:"))
                        .filter(line -> line.strip().contains("  "))
                        .toList();
        assertThat(wide).isEmpty();
        assertThat(help).contains(examples);
    }

    @Test
    void choicesAndDefaultsAreShownInLowerCase() {
        assertThat(CommandRun.of("up", "--help").out())
                .contains("Address to listen on (default: 127.0.0.1).")
                .contains("0 chooses a free port (default: 6443).")
                .contains("Object store (one of sqlite, etcd, memory; default: sqlite).")
                .contains("Private key of --etcd-cert.");
        assertThat(CommandRun.of("plan", "--help").out())
                .containsPattern(
                        "\\(one of kubernetes, pack, aligned,\\s+spread;\\s+"
                                + "default:\\s+kubernetes\\)")
                .contains("(one of text, json, yaml; default: text)");
    }

    @Test
    void helpFindsCommandsBelowCommandsAndTopics() {
        var help = CommandRun.of("help", "image", "import");
        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).isEqualTo(CommandRun.of("image", "import", "--help").out());
        assertThat(CommandRun.of("help").out()).isEqualTo(CommandRun.of("--help").out());
        assertThat(CommandRun.of("help", "exit-codes").out()).contains("    3  The launcher");
        assertThat(CommandRun.of("help", "environment").out()).contains("NO_COLOR");
    }

    @Test
    void commandsThatOnlyHaveSubcommandsPrintTheirHelp() {
        var image = CommandRun.of("image");
        assertThat(image.exitCode()).isZero();
        assertThat(image.out()).isEqualTo(CommandRun.of("image", "--help").out());
    }
}

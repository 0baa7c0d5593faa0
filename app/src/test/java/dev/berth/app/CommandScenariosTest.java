package dev.berth.app;

import dev.berth.app.print.Terminal;
import dev.berth.harness.GoldenFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Runs `scenarios/**/*.cmd`, each a command line, and compares what it prints, and its exit code,
/// with the `.txt` beside it. `-Dgolden=update` writes those instead. `COLUMNS=80` before a command
/// sets the width of the terminal.
class CommandScenariosTest {

    private static final Pattern COLUMNS = Pattern.compile("COLUMNS=([0-9]+) ");
    private static final Path SCENARIOS = Path.of("src", "test", "resources", "scenarios");

    @TestFactory
    Stream<DynamicTest> commandsPrintWhatIsExpected() throws IOException {
        try (var files = Files.walk(SCENARIOS)) {
            var commands = files.filter(file -> file.toString().endsWith(".cmd")).sorted().toList();
            return commands.stream()
                    .map(file ->
                            DynamicTest.dynamicTest(
                                    SCENARIOS.relativize(file).toString(), () -> compare(file)));
        }
    }

    private static void compare(Path command) throws IOException {
        var name = command.getFileName().toString();
        var golden = command.resolveSibling(name.substring(0, name.length() - 4) + ".txt");
        GoldenFile.check(golden, run(command));
    }

    private static String run(Path command) throws IOException {
        var directory = command.resolveSibling("").toString();
        var arguments = Files.readString(command).strip().replace("./", directory + "/");
        var printed = new StringWriter();
        var out = new PrintWriter(printed);
        var width = COLUMNS.matcher(arguments);
        if (width.lookingAt()) {
            System.setProperty(Terminal.COLUMNS_PROPERTY, width.group(1));
            arguments = arguments.substring(width.end());
        }
        var code = 0;
        try {
            code = Berth.commandLine().setOut(out).setErr(out).execute(arguments.split("\\s+"));
        } finally {
            System.clearProperty(Terminal.COLUMNS_PROPERTY);
        }
        out.flush();
        return printed.toString().replace(directory + "/", "./") + "exit code " + code + "\n";
    }
}

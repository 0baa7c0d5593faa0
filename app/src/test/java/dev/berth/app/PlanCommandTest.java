package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class PlanCommandTest {

    private static final String GPUS = "src/test/resources/scenarios/gpus";

    @Test
    void aNodeToCopyMustBeInTheCluster() {
        assertThat(run("plan", "-f", GPUS, "--add-nodes", "node-9=2"))
                .startsWith(
                        "2 berth: --add-nodes: unknown node node-9; did you mean node-1 or"
                                + " node-2?");
    }

    @Test
    void theNumberOfNodesMustBeANumber() {
        assertThat(run("plan", "-f", GPUS, "--add-nodes", "node-1=many"))
                .startsWith("2 berth: --add-nodes: many is not a number up to 100000");
    }

    @Test
    void aProfileToAddMustExist() {
        assertThat(run("plan", "-f", GPUS, "--add-nodes", "profile:h100x9=2"))
                .startsWith("2 berth: --add-nodes: ")
                .contains("h100x9", "h100x8");
    }

    @Test
    void scaleToAndMoreExcludeEachOther() {
        assertThat(run("plan", "-f", GPUS, "--replicas", "2", "--more", "2"))
                .startsWith("2 berth: --replicas and --more exclude each other");
    }

    @Test
    void aNodeToShowMustBeInTheFiles() {
        assertThat(run("inventory", "-f", GPUS, "--node", "node-9"))
                .startsWith("2 berth: --node: unknown node node-9; did you mean node-1 or node-2?");
    }

    @Test
    void helpHasAnExampleAndExitCodes() {
        assertThat(run("plan", "--help")).startsWith("0 ").contains("Exit codes:", "Examples:");
        assertThat(run("inventory", "--help"))
                .startsWith("0 ")
                .contains("Exit codes:", "Examples:");
    }

    @Test
    void everyCommandPrintsItsVersion() {
        var version = run("--version");
        assertThat(version).startsWith("0 berth ");
        Berth.commandLine()
                .getSubcommands()
                .forEach((name, command) -> {
                    if (!command.getCommandSpec().usageMessage().hidden()) {
                        assertThat(run(name, "-V")).as(name).isEqualTo(version);
                    }
                });
    }

    private static String run(String... arguments) {
        var printed = new StringWriter();
        var out = new PrintWriter(printed);
        var code = Berth.commandLine().setOut(out).setErr(out).execute(arguments);
        out.flush();
        return code + " " + printed;
    }
}

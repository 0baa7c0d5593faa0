package dev.berth.app.bench.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.CommandRun;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Small traces with results that can be computed by hand.
class PlacementBenchCommandTest {

    private static final String OPENB =
            """
            name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec
            a,1000,1024,1,500,
            b,1000,1024,1,500,T4
            c,1000,1024,2,1000,
            d,1000,1024,1,1000,A10
            """;

    @TempDir private Path traces = Path.of("");

    @BeforeEach
    void writeTraces() throws IOException {
        Files.writeString(
                traces.resolve("nodes.csv"),
                "name,cpu_milli,memory_mib,gpus,model\nn-0,8000,8192,1,T4\nn-1,8000,8192,2,G2\n");
        Files.writeString(traces.resolve("small-7.csv"), OPENB);
        Files.writeString(traces.resolve("perm-small-7.csv"), "1\n0\n");
        Files.writeString(
                traces.resolve("mig-one-1.csv"),
                "arrival_s,lifetime_s,profile\n1,9,7g.80gb\n2,9,1g.10gb\n3,9,1g.10gb\n");
        Files.writeString(
                traces.resolve("align-1-2.csv"),
                "arrival_s,lifetime_s,gpus,nics\n"
                        + IntStream.range(0, 101)
                                .mapToObj("%d,0.5,2,2\n"::formatted)
                                .collect(Collectors.joining()));
    }

    private CommandRun run(String file, String... more) {
        var arguments = new String[more.length + 4];
        arguments[0] = "bench";
        arguments[1] = "placement";
        arguments[2] = "--trace";
        arguments[3] = traces.resolve(file).toString();
        System.arraycopy(more, 0, arguments, 4, more.length);
        return CommandRun.of(arguments);
    }

    private JsonObject first(String file, String... more) {
        var out = run(file, more).out();
        if (JsonReader.read(out.getBytes(StandardCharsets.UTF_8))
                        instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof Json.JsonArray list
                && list.items().getFirst() instanceof JsonObject result) {
            return result;
        }
        throw new AssertionError(out);
    }

    @Test
    void packingAccommodatesWhatFits() {
        var result = first("small-7.csv", "--policy", "pack", "-o", "json");

        assertThat(result.text("workload")).isEqualTo("small");
        assertThat(result.number("seed")).hasValue(7);
        assertThat(result.number("arrived")).hasValue(4);
        assertThat(result.number("placed")).hasValue(3);
        assertThat(result.memberOrNull("at100")).hasToString("JsonNumber[literal=100.00]");
        assertThat(result.memberOrNull("accepted")).hasToString("JsonNull[]");
    }

    @Test
    void aDirectoryHasSeveralTraces() {
        var table = run("", "--policy", "pack", "--policy", "aligned,pack");

        assertThat(table.exitCode()).isZero();
        assertThat(table.out().lines()).hasSize(7);
        assertThat(table.out()).contains("aligned,pack");
    }

    @Test
    void partitionsAndLocationsGiveAcceptedPods() {
        var partitions = first("mig-one-1.csv", "--policy", "pack", "-o", "json");
        assertThat(partitions.memberOrNull("accepted")).hasToString("JsonNumber[literal=100.00]");
        assertThat(partitions.memberOrNull("at130")).hasToString("JsonNull[]");
        var locations = first("align-1-2.csv", "--policy", "aligned", "-o", "json");
        assertThat(locations.memberOrNull("aligned")).hasToString("JsonNumber[literal=100.00]");
    }

    @Test
    void theLiveSchedulerPlacesLikeThePlan() {
        var planned = first("small-7.csv", "--policy", "pack", "-o", "json");
        var live = first("small-7.csv", "--policy", "pack", "--live", "-o", "json");

        assertThat(live.memberOrNull("at100")).isEqualTo(planned.memberOrNull("at100"));
        assertThat(live.number("placed")).isEqualTo(planned.number("placed"));
    }

    @Test
    void theChartHasACurveAndThePublishedFigure() {
        assertThat(run("small-7.csv", "--policy", "pack", "-o", "svg").out())
                .startsWith("<svg ")
                .contains("pack small-7", "FGD, published: 95.39 %");
    }

    @Test
    void anUnknownFormatIsNamed() throws IOException {
        Files.writeString(traces.resolve("other.csv"), "x,y\n");

        var result = run("other.csv");
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains("unknown trace format");
    }
}

package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.json.Json;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.driver.Parameters.Result;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ParametersTest {

    private enum Strategy {
        TimeSlicing,
        Mps
    }

    private record Limit(String name, Optional<Quantity> memory) {}

    private record Config(
            Optional<Strategy> strategy,
            boolean isShared,
            long parts,
            List<String> users,
            List<Limit> limits,
            Optional<Limit> total) {}

    private static final Config DEFAULT =
            new Config(Optional.empty(), false, 1, List.of(), List.of(), Optional.empty());

    private static final Parameters<Config> FORMAT =
            Parameters.plain(
                    fields ->
                            new Config(
                                    fields.oneOf("strategy", List.of(Strategy.values())),
                                    fields.flag("shared").orElse(false),
                                    fields.number("parts").orElse(1),
                                    fields.texts("users"),
                                    fields.objects("limits", ParametersTest::limit),
                                    fields.object("total", ParametersTest::limit)),
                    DEFAULT);

    private static Limit limit(ParameterFields fields) {
        return new Limit(fields.text("name").orElse(""), fields.quantity("memory"));
    }

    @Test
    void fieldsAreDecodedIntoARecord() {
        assertThat(
                        FORMAT.read(
                                DriverRig.tree(
                                        "{strategy: Mps, shared: true, parts: 3, users: [a, b],"
                                                + " limits: [{name: x, memory: 4Gi}, {memory: 5}],"
                                                + " total: {name: all}}")))
                .isEqualTo(
                        new Result.Valid<>(
                                new Config(
                                        Optional.of(Strategy.Mps),
                                        true,
                                        3,
                                        List.of("a", "b"),
                                        List.of(
                                                new Limit("x", Optional.of(Quantity.parse("4Gi"))),
                                                new Limit("", Optional.of(Quantity.of(5)))),
                                        Optional.of(new Limit("all", Optional.empty())))));
    }

    @Test
    void allProblemsAreReportedAtOnce() {
        assertThat(
                        FORMAT.read(
                                DriverRig.tree(
                                        "{strategy: mps, shared: 'yes', parts: 1.5, users: [a, 2],"
                                                + " limits: [{memory: many, Name: x}, 3],"
                                                + " total: [], more: 1}")))
                .isEqualTo(
                        new Result.Invalid<>(
                                List.of(
                                        "strategy: \"mps\" is not one of [TimeSlicing, Mps]",
                                        "shared: expected true or false, found \"yes\"",
                                        "parts: expected a whole number, found 1.5",
                                        "users[1]: expected a string, found 2",
                                        "limits[0].memory: expected a quantity, found \"many\"",
                                        "limits[1]: expected an object, found 3",
                                        "total: expected an object, found array",
                                        "unknown field \"more\"",
                                        "unknown field \"limits[0].Name\"")));
    }

    @Test
    void aWrongKindIsReportedBeforeItsFields() {
        var format = Parameters.of("a.com/v1", "Config", _ -> DEFAULT, DEFAULT);
        assertThat(format.read(DriverRig.tree("{apiVersion: a.com/v2, kind: Config, x: y}")))
                .isEqualTo(
                        new Result.Invalid<>(
                                List.of(
                                        "expected apiVersion a.com/v1 and kind Config, found"
                                                + " \"a.com/v2\" and \"Config\"")));
        assertThat(format.read(DriverRig.tree("{apiVersion: a.com/v1, kind: Config}")))
                .isEqualTo(new Result.Valid<>(DEFAULT));
    }

    @Test
    void noParametersMeansNone() {
        assertThat(Parameters.NONE.read(DriverRig.tree("{a: b}")))
                .isEqualTo(new Result.Invalid<>(List.of("the driver takes no parameters")));
        assertThat(FORMAT.read(Json.of("x")))
                .isEqualTo(new Result.Invalid<>(List.of("expected an object, found string")));
    }
}

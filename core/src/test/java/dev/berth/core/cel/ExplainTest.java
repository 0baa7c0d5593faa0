package dev.berth.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.Compilation.Compiled;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplainTest {

    private static final CelCompiler COMPILER =
            new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
    private static final TestDevice GPU =
            TestDevice.of("gpu.example.com")
                    .with("model", "A100")
                    .with("index", 3)
                    .withVersion("firmware", "1.2.3")
                    .withCapacity("memory", "40Gi");
    private static final ReadValue MODEL =
            new ReadValue("device.attributes[\"gpu.example.com\"].model", Optional.of("\"A100\""));

    @Test
    void matchHasNoFailedParts() {
        assertThat(explain("device.driver == 'gpu.example.com'")).isEmpty();
    }

    @Test
    void allFalseTermsOfConjunctionAreReported() {
        assertThat(
                        explain(
                                """
                                device.driver == "gpu.example.com"
                                && device.attributes["gpu.example.com"].model == "H100"
                                && (device.attributes["gpu.example.com"].index == 3
                                    && device.capacity["gpu.example.com"].memory
                                        .isGreaterThan(quantity("80Gi")))
                                """))
                .containsExactly(
                        new FailedSubexpression(
                                "device.attributes[\"gpu.example.com\"].model == \"H100\"",
                                false,
                                "",
                                List.of(MODEL)),
                        new FailedSubexpression(
                                """
                                device.capacity["gpu.example.com"].memory
                                        .isGreaterThan(quantity("80Gi"))\
                                """,
                                false,
                                "",
                                List.of(
                                        new ReadValue(
                                                "device.capacity[\"gpu.example.com\"].memory",
                                                Optional.of("quantity(\"40Gi\")")))));
    }

    @Test
    void allTermsOfDisjunctionAreReported() {
        assertThat(
                        explain(
                                "device.attributes['gpu.example.com'].model == 'a || b'"
                                        + " || device.attributes['gpu.example.com'].model == 'B'"))
                .extracting(FailedSubexpression::part)
                .containsExactly(
                        "device.attributes['gpu.example.com'].model == 'a || b'",
                        "device.attributes['gpu.example.com'].model == 'B'");
    }

    @Test
    void missingAttributeIsAFailureWithoutValue() {
        assertThat(explain("device.attributes['gpu.example.com'].color == 'red' && true"))
                .containsExactly(
                        new FailedSubexpression(
                                "device.attributes['gpu.example.com'].color == 'red'",
                                true,
                                "no such key: color",
                                List.of(
                                        new ReadValue(
                                                "device.attributes[\"gpu.example.com\"].color",
                                                Optional.empty()))));
    }

    @Test
    void bindReportsItsBodyAndConditionalItsBranch() {
        assertThat(
                        explain(
                                "cel.bind(gpu, device.attributes['gpu.example.com'],"
                                        + " gpu.index == 3 && gpu.model == 'H100')"))
                .containsExactly(
                        new FailedSubexpression("gpu.model == 'H100'", false, "", List.of(MODEL)));
        assertThat(explain("device.driver == '' ? true : device.driver == 'x'"))
                .extracting(FailedSubexpression::part)
                .containsExactly("device.driver == 'x'");
    }

    @Test
    void versionsAreShownInCelSyntax() {
        assertThat(explain("device.attributes['gpu.example.com'].firmware.major() == 2"))
                .flatExtracting(FailedSubexpression::read)
                .containsExactly(
                        new ReadValue(
                                "device.attributes[\"gpu.example.com\"].firmware",
                                Optional.of("semver(\"1.2.3\")")));
    }

    private static List<FailedSubexpression> explain(String text) {
        var compilation = COMPILER.compileSelector(text);
        assertThat(compilation).as(text).isInstanceOf(Compiled.class);
        return CelProgram.of(((Compiled) compilation).expression()).explain(GPU);
    }
}

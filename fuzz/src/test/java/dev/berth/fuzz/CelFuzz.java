package dev.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.testkit.cel.SliceDeviceView;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Any text is an expression that evaluates within the cost limit, or is rejected with an error.
public final class CelFuzz {

    private static final CelFeatures ALL = new CelFeatures(true, true);
    private static final List<CelCompiler> COMPILERS =
            List.of(
                    new CelCompiler(CelEnvironment.NEW, ALL),
                    new CelCompiler(CelEnvironment.STORED, ALL));

    private static final String DRIVER = "gpu.example.com";
    private static final DeviceView DEVICE =
            new SliceDeviceView(
                    DRIVER,
                    true,
                    Map.of(
                            name(DRIVER, "model"),
                            new AttributeValue.StringValue("h100"),
                            name(DRIVER, "lanes"),
                            new AttributeValue.IntValue(16),
                            name(DRIVER, "ecc"),
                            new AttributeValue.BoolValue(true),
                            name(DRIVER, "firmware"),
                            new AttributeValue.VersionValue("1.12.0-rc.1"),
                            name(DRIVER, "links"),
                            new AttributeValue.StringList(List.of("a", "b", "c")),
                            name("resource.kubernetes.io", "pcieRoot"),
                            new AttributeValue.StringValue("pci0000:01")),
                    Map.of(
                            name(DRIVER, "memory"),
                            Quantity.parse("80Gi"),
                            name(DRIVER, "share"),
                            Quantity.parse("1500m")));

    private CelFuzz() {}

    private static QualifiedName name(String domain, String id) {
        return new QualifiedName(domain, id);
    }

    public static void fuzzerTestOneInput(byte[] input) {
        var text = new String(input, StandardCharsets.UTF_8);
        for (var compiler : COMPILERS) {
            evaluate(compiler.compileSelector(text));
            evaluate(compiler.compileDerived(text));
        }
    }

    private static void evaluate(Compilation compilation) {
        switch (compilation) {
            case Compilation.Rejected rejected ->
                    assertThat(rejected.kind())
                            .as("%s", rejected.detail())
                            .isEqualTo(Compilation.Kind.INVALID);
            case Compilation.Compiled(var expression) -> {
                assertThat(expression.worstCaseCost()).isNotNegative();
                var program = CelProgram.of(expression);
                if (program.fault().isEmpty()) {
                    evaluate(program);
                }
            }
        }
    }

    private static void evaluate(CelProgram program) {
        var outcome = program.evaluate(DEVICE);
        assertThat(outcome.cost()).isBetween(0L, CelCompiler.MAX_COST + 1);
        assertThat(program.evaluate(DEVICE)).isEqualTo(outcome);
        assertThat(program.reads()).isNotNull();
        switch (outcome) {
            case EvaluationResult.Matched matched ->
                    assertThat(program.explain(DEVICE).isEmpty()).isEqualTo(matched.matches());
            case EvaluationResult.Failed failed -> assertThat(failed.message()).isNotEmpty();
            case EvaluationResult.Derived _ -> {}
        }
    }
}

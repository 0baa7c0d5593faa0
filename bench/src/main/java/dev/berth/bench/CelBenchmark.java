package dev.berth.bench;

import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelEnvironment;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.CelProgram;
import dev.berth.core.cel.Compilation.Compiled;
import dev.berth.core.cel.DeviceView;
import dev.berth.core.cel.EvaluationResult;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Evaluation time of a typical selector: Berth's evaluator, which also counts the cost, compared
/// with the runtime of cel-java, which does not.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class CelBenchmark {

    private static final String DOMAIN = "gpu.example.com";
    private static final String SELECTOR =
            """
            device.driver == "gpu.example.com"
            && device.attributes["gpu.example.com"].model == "H100"
            && device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0
            """;

    private final DeviceView device = new Gpu();
    private final Map<String, Object> variables = Map.of("device", asMap());
    private final CelProgram ours = compiledByUs();
    private final CelRuntime.Program theirs = compiledByThem();

    /// Berth's evaluator.
    @Benchmark
    public EvaluationResult ours() {
        return ours.evaluate(device);
    }

    /// cel-java's runtime on the same expression.
    @Benchmark
    public Object celJava() throws CelEvaluationException {
        return theirs.eval(variables);
    }

    private static CelProgram compiledByUs() {
        var compiler = new CelCompiler(CelEnvironment.STORED, new CelFeatures(true, true));
        return compiler.compileSelector(SELECTOR) instanceof Compiled(var expression)
                ? CelProgram.of(expression)
                : unusable();
    }

    private static CelProgram unusable() {
        throw new IllegalStateException(SELECTOR);
    }

    private static CelRuntime.Program compiledByThem() {
        var quantity = OpaqueType.create("kubernetes.Quantity");
        var make =
                CelOverloadDecl.newGlobalOverload(
                        "string_to_quantity", quantity, SimpleType.STRING);
        var compare =
                CelOverloadDecl.newMemberOverload(
                        "quantity_compare_to", SimpleType.INT, quantity, quantity);
        var compiler =
                CelCompilerFactory.standardCelCompilerBuilder()
                        .addVar("device", MapType.create(SimpleType.STRING, SimpleType.DYN))
                        .addFunctionDeclarations(
                                CelFunctionDecl.newFunctionDeclaration("quantity", make),
                                CelFunctionDecl.newFunctionDeclaration("compareTo", compare))
                        .build();
        var runtime =
                CelRuntimeFactory.plannerRuntimeBuilder()
                        .addFunctionBindings(
                                CelFunctionBinding.from(
                                        "string_to_quantity", String.class, Quantity::parse),
                                CelFunctionBinding.from(
                                        "quantity_compare_to",
                                        Quantity.class,
                                        Quantity.class,
                                        (a, b) -> (long) a.compareTo(b)))
                        .build();
        try {
            return runtime.createProgram(compiler.compile(SELECTOR).getAst());
        } catch (CelValidationException | CelEvaluationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> asMap() {
        return Map.of(
                "driver", DOMAIN,
                "attributes", Map.of(DOMAIN, Map.of("model", "H100", "index", 3L)),
                "capacity", Map.of(DOMAIN, Map.of("memory", Quantity.parse("80Gi"))));
    }

    /// A device without invalid values, as precomputed in the inventory.
    private record Gpu(
            Map<QualifiedName, AttributeValue> attributes, Map<QualifiedName, Quantity> capacity)
            implements DeviceView {

        Gpu() {
            this(
                    Map.of(
                            new QualifiedName(DOMAIN, "model"),
                            new AttributeValue.StringValue("H100"),
                            new QualifiedName(DOMAIN, "index"),
                            new AttributeValue.IntValue(3)),
                    Map.of(new QualifiedName(DOMAIN, "memory"), Quantity.parse("80Gi")));
        }

        @Override
        public String driver() {
            return DOMAIN;
        }

        @Override
        public boolean allowMultipleAllocations() {
            return false;
        }

        @Override
        public Optional<String> fault() {
            return Optional.empty();
        }
    }
}

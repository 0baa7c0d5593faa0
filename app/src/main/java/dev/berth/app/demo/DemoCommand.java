package dev.berth.app.demo;

import dev.berth.app.manifest.Doorway;
import dev.berth.core.admission.FeatureGates;
import dev.berth.core.allocate.AllocationQuestion;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.Answer;
import dev.berth.core.cel.CelCompiler;
import dev.berth.core.cel.CelFeatures;
import dev.berth.core.cel.Compilation;
import dev.berth.core.cel.Environment;
import dev.berth.core.cel.ListedDevice;
import dev.berth.core.cel.Program;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.api.Node;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.Reading;
import dev.berth.model.json.YamlReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `berth demo`: a node with GPUs and network cards, and claims that do and do not fit.
@Command(
        name = "demo",
        description =
                "Show what Berth does, without a cluster or hardware: devices of a made-up node,"
                        + " claims for them, which devices each gets, and why others do not match.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all came out as expected", "1:something did not"},
        footer = {"", "Example:  berth demo", ""})
public final class DemoCommand implements Callable<Integer> {

    private static final String OUTCOME = "berth.dev/expect";

    @Spec private CommandSpec spec = CommandSpec.create();

    private final List<ResourceSlice> slices = new ArrayList<>();
    private final List<DeviceClass> classes = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<ResourceClaim> claims = new ArrayList<>();
    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);

    @Override
    public Integer call() throws IOException {
        var out = spec.commandLine().getOut();
        load();
        out.println("One node, as its drivers describe it:");
        for (var slice : slices) {
            out.printf("  %-20s", slice.poolId());
            slice.spec().devices().forEach(device -> out.print(" " + device.name()));
            out.println();
        }
        var failed = 0;
        for (var i = 0; i < claims.size(); i++) {
            out.printf("%n%d/%d ", i + 1, claims.size());
            failed += show(claims.get(i), out) ? 0 : 1;
        }
        out.printf(
                "%n%d of %d claims came out as expected.%n", claims.size() - failed, claims.size());
        out.println("Next: berth lint FILE, berth conformance --help");
        out.flush();
        return failed == 0 ? 0 : 1;
    }

    private boolean show(ResourceClaim claim, PrintWriter out) {
        out.println(claim.metadata().annotations().getOrDefault("berth.dev/about", "a claim"));
        var question =
                new AllocationQuestion(
                        EnumSet.allOf(AllocatorFeature.class),
                        nodes.getFirst(),
                        classes,
                        slices,
                        Holdings.NONE,
                        List.of(claim));
        var answer = allocator.answer(question, () -> UUID.randomUUID().toString());
        switch (answer) {
            case Answer.Allocated(var results, _) ->
                    results.getFirst()
                            .devices()
                            .forEach(d -> out.printf("    gets %s for %s%n", d.id(), d.request()));
            case Answer.DoesNotFit _ -> {
                out.println("    does not fit, which is proved:");
                explain(claim, out);
            }
            case Answer.Failed failed -> out.println("    fails: " + failed.message());
            case Answer.Undecided _ -> out.println("    is undecided");
        }
        var expected = claim.metadata().annotations().getOrDefault(OUTCOME, "fits");
        return expected.equals(answer instanceof Answer.Allocated ? "fits" : "does not fit");
    }

    /// Says of each device which part of a selector it fails, and on what.
    private void explain(ResourceClaim claim, PrintWriter out) {
        for (var expression : Selectors.of(claim)) {
            var compiler = new CelCompiler(Environment.STORED, new CelFeatures(true, true));
            if (!(compiler.compileSelector(expression)
                    instanceof Compilation.Compiled(var checked))) {
                continue;
            }
            var program = Program.of(checked);
            for (var slice : slices) {
                for (var device : slice.spec().devices()) {
                    var view = ListedDevice.of(slice.spec().driver(), device);
                    for (var cause : program.explain(view)) {
                        out.printf("    %s: %s", device.name(), cause.part());
                        cause.read()
                                .forEach(read ->
                                        out.printf(
                                                ", where it has %s",
                                                read.value().orElse("nothing")));
                        out.println();
                    }
                }
            }
        }
    }

    private void load() throws IOException {
        try (var resource = DemoCommand.class.getResourceAsStream("demo.yaml")) {
            if (resource == null) {
                throw new IOException("demo.yaml is missing from the build");
            }
            var text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            var doorway = new Doorway(FeatureGates.all(), Clock.systemUTC().instant());
            switch (YamlReader.read(text)) {
                case Reading.Malformed(var message, var line, _) ->
                        throw new IOException("demo.yaml, line %d: %s".formatted(line, message));
                case Reading.Documents(var documents) -> {
                    for (var document : documents) {
                        var tree = (JsonObject) document.root();
                        keep(doorway.enter(tree).orElseThrow().orThrow());
                    }
                }
            }
        }
    }

    private void keep(KubernetesObject object) {
        switch (object) {
            case ResourceSlice slice -> slices.add(slice);
            case DeviceClass deviceClass -> classes.add(deviceClass);
            case Node node -> nodes.add(node);
            case ResourceClaim claim -> claims.add(claim);
            default -> throw new IllegalStateException("no use for " + object.ref());
        }
    }
}

package dev.berth.node.oci;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxSpec.Sharing;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/// A program that creates and removes pods forever, until the test kills it.
final class BusyRuntime {

    private BusyRuntime() {}

    /// Runs until it is killed.
    public static void main(String[] arguments) throws RuntimeFailure {
        var root = Path.of(arguments[0]);
        var settings =
                new OciOptions(root, arguments[1], PodAddresses.parse(arguments[2]), List.of());
        var runtime = OciRuntime.start(settings, Clock.systemUTC());
        System.out.println("begun");
        for (var i = 0; i >= 0; i++) {
            var sandbox =
                    runtime.createSandbox(
                            new SandboxSpec(
                                    new ObjectRef("default", "busy"),
                                    new Uid("uid-busy-" + i),
                                    0,
                                    "busy",
                                    new Sharing(false, false, false, i % 2 == 0),
                                    root.resolve("logs"),
                                    List.of()));
            var spec = new SpecBuilder("sleep 1000", root.resolve("logs")).build();
            var container = runtime.createContainer(sandbox, spec);
            runtime.startContainer(container);
            if (i % 3 == 0) {
                runtime.stopContainer(container, Duration.ZERO);
                runtime.removeSandbox(sandbox);
            }
        }
    }
}

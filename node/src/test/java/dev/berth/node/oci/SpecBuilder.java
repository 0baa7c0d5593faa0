package dev.berth.node.oci;

import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerSpec.Limits;
import dev.berth.node.runtime.ContainerSpec.Mount;
import dev.berth.node.runtime.ContainerSpec.Security;
import dev.berth.node.runtime.EnvVariable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/// Builds containers for tests.
final class SpecBuilder {

    private List<String> arguments;
    private final Path logs;
    private final List<Mount> mounts = new ArrayList<>();
    private final List<String> devices = new ArrayList<>();
    private Limits limits = Limits.NONE;
    private Security security = Security.DEFAULT;
    private String image = "busybox";
    private List<EnvVariable> env = List.of(RuntimeRig.path());
    private boolean hasTerminal;

    SpecBuilder(String script, Path logs) {
        this.arguments = List.of("sh", "-c", script);
        this.logs = logs;
    }

    SpecBuilder arguments(String... given) {
        arguments = List.of(given);
        return this;
    }

    SpecBuilder withoutEnvironment() {
        env = List.of();
        return this;
    }

    SpecBuilder mount(Path host, String container, boolean isReadOnly) {
        mounts.add(new Mount(host, container, isReadOnly));
        return this;
    }

    SpecBuilder device(String id) {
        devices.add(id);
        return this;
    }

    SpecBuilder memory(long bytes) {
        limits =
                new Limits(
                        OptionalLong.empty(), OptionalLong.empty(), OptionalLong.of(bytes), "", 0);
        return this;
    }

    SpecBuilder cpus(String cpus) {
        limits =
                new Limits(
                        OptionalLong.of(512),
                        OptionalLong.of(50_000),
                        OptionalLong.empty(),
                        cpus,
                        -900);
        return this;
    }

    SpecBuilder user(String user) {
        return security(
                new Security(
                        Optional.of(user),
                        OptionalLong.empty(),
                        List.of(),
                        false,
                        false,
                        true,
                        List.of(),
                        List.of()));
    }

    SpecBuilder security(Security given) {
        security = given;
        return this;
    }

    SpecBuilder image(String reference) {
        image = reference;
        return this;
    }

    SpecBuilder terminal() {
        hasTerminal = true;
        return this;
    }

    ContainerSpec build() {
        return new ContainerSpec(
                "main",
                0,
                image,
                arguments,
                env,
                "",
                mounts,
                devices,
                limits,
                security,
                hasTerminal,
                false,
                logs.resolve(UUID.randomUUID() + ".log"));
    }
}

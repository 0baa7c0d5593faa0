package dev.berth.node.agent;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.file.PrivateDirectory;
import dev.berth.model.text.FailureText;
import dev.berth.node.pod.PodAction;
import dev.berth.node.pod.PodDefinition;
import dev.berth.node.probe.HandlerRunner;
import dev.berth.node.runtime.EnvVariable;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxSpec;
import dev.berth.node.runtime.SandboxState;
import dev.berth.node.safepath.SafeDirectory;
import dev.berth.node.volume.VolumeException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalLong;

/// Executes single pod actions: mounts, claims, sandboxes, containers, hooks, deletion.
final class PodActions {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final Duration HOOK_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration MIN_GRACE = Duration.ofSeconds(2);

    private final PodServices services;
    private final ContainerStarter starter;
    private final HandlerRunner handlers;
    private final Codec codec = new Codec();

    PodActions(PodServices services) {
        this.services = services;
        this.starter = new ContainerStarter(services);
        this.handlers = new HandlerRunner(services.runtime());
    }

    ContainerStarter starter() {
        return starter;
    }

    HandlerRunner handlers() {
        return handlers;
    }

    Pod record(PodDefinition definition) {
        return codec.readTree(Kinds.POD, definition.tree(), UnknownFieldPolicy.LENIENT).orThrow();
    }

    void mount(PodDefinition definition) throws ActionFailure {
        try {
            PrivateDirectory.make(services.volumes().directory(definition.uid()).path());
            PrivateDirectory.make(services.logs(definition));
            var _ = services.volumes().mount(definition);
        } catch (VolumeException e) {
            throw failure(definition, "FailedMount", String.valueOf(e.getMessage()));
        } catch (InvalidPathException e) {
            throw failure(definition, "FailedMount", "invalid path of a volume: " + e.getReason());
        } catch (IOException e) {
            throw failure(
                    definition,
                    "FailedMount",
                    "cannot create the pod's directory: " + FailureText.of(e));
        }
    }

    void prepare(PodDefinition definition) throws ActionFailure {
        Optional<String> problem;
        try {
            problem = services.claims().prepare(record(definition));
        } catch (IOException e) {
            problem = Optional.of("cannot write the claim state file: " + FailureText.of(e));
        }
        if (problem.isPresent()) {
            throw failure(
                    definition,
                    "FailedPrepareDynamicResources",
                    "Failed to prepare dynamic resources: prepare dynamic resources: "
                            + problem.get());
        }
    }

    void createSandbox(PodDefinition definition, int attempt) throws ActionFailure {
        var spec = definition.spec();
        var sysctls = new ArrayList<EnvVariable>();
        for (var one : spec.objectOrEmpty("securityContext").objects("sysctls")) {
            sysctls.add(new EnvVariable(one.text("name"), one.text("value")));
        }
        var sharing =
                new SandboxSpec.Sharing(
                        definition.isOnHostNetwork(),
                        spec.flag("hostPID").orElse(false),
                        spec.flag("hostIPC").orElse(false),
                        spec.flag("shareProcessNamespace").orElse(false));
        var hostname =
                definition.isOnHostNetwork()
                        ? ""
                        : spec.string("hostname").orElse(definition.ref().name());
        try {
            var _ =
                    services.runtime()
                            .createSandbox(
                                    new SandboxSpec(
                                            definition.ref(),
                                            definition.uid(),
                                            attempt,
                                            hostname,
                                            sharing,
                                            services.logs(definition),
                                            sysctls,
                                            isPrivileged(definition)));
        } catch (RuntimeFailure e) {
            throw failure(
                    definition,
                    "FailedCreatePodSandBox",
                    "Failed to create pod sandbox: " + e.getMessage());
        }
    }

    private static boolean isPrivileged(PodDefinition definition) {
        return definition
                .all()
                .anyMatch(one ->
                        one.tree()
                                .objectOrEmpty("securityContext")
                                .flag("privileged")
                                .orElse(false));
    }

    void removeSandbox(PodDefinition definition, String sandbox) throws ActionFailure {
        try {
            services.runtime().removeSandbox(sandbox);
        } catch (RuntimeFailure e) {
            throw failure(definition, "FailedKillPod", "error killing pod: " + e.getMessage());
        }
    }

    void removeContainer(String id) throws ActionFailure {
        try {
            services.runtime().removeContainer(id);
        } catch (RuntimeFailure e) {
            throw new ActionFailure("Failed", "cannot remove an old container: " + e.getMessage());
        }
    }

    void unprepare(PodDefinition definition) throws ActionFailure {
        Optional<String> problem;
        try {
            problem = services.claims().unprepare(definition.uid());
        } catch (IOException e) {
            problem = Optional.of("cannot write the claim state file: " + FailureText.of(e));
        }
        if (problem.isPresent()) {
            throw failure(
                    definition,
                    "FailedUnprepareDynamicResources",
                    "Failed to unprepare dynamic resources: unprepare dynamic resources: "
                            + problem.get());
        }
    }

    void unmount(PodDefinition definition) throws ActionFailure {
        try {
            services.volumes().remove(definition.uid());
        } catch (IOException e) {
            throw failure(
                    definition,
                    "FailedUnmount",
                    "cannot remove the pod's directory: " + FailureText.of(e));
        }
    }

    /// Deletes the pod from the cluster, with its UID as a precondition.
    void delete(PodDefinition definition) throws ActionFailure {
        var outcome =
                services.cluster()
                        .send(
                                new Request.Delete(
                                        PODS,
                                        definition.ref().namespace(),
                                        definition.ref().name(),
                                        Optional.of(definition.uid().value()),
                                        OptionalLong.of(0)));
        switch (outcome) {
            case RequestResult.Done _, RequestResult.Missing _, RequestResult.Conflict _ -> {}
            case RequestResult other ->
                    throw new ActionFailure(
                            "FailedDelete", "cannot delete the pod: " + other.message());
        }
    }

    void deleteLogs(PodDefinition definition) {
        try {
            SafeDirectory.deleteTree(services.logs(definition));
        } catch (IOException _) {
            // There may be no logs.
        }
    }

    /// Stops a container and waits for it: preStop hook, then SIGTERM, then SIGKILL after the grace
    /// period.
    void stop(PodDefinition definition, PodAction.Stop stop)
            throws InterruptedException, RuntimeFailure {
        services.events()
                .record(definition.tree(), stop.container(), false, "Killing", stop.message());
        var container = definition.find(stop.container());
        if (stop.preStop().isPresent() && container.isPresent()) {
            var result =
                    handlers.perform(
                            stop.preStop().get(),
                            new HandlerRunner.Target(
                                    container.get(), stop.id(), address(definition)),
                            left(stop));
            if (!result.isSuccess()) {
                services.events()
                        .record(
                                definition.tree(),
                                stop.container(),
                                true,
                                "FailedPreStopHook",
                                result.message());
            }
        }
        services.runtime().stopContainer(stop.id(), left(stop));
    }

    private Duration left(PodAction.Stop stop) {
        var left = Duration.between(services.clock().instant(), stop.by());
        return left.compareTo(MIN_GRACE) < 0 ? MIN_GRACE : left;
    }

    /// Runs the postStart hook. Returns the error, if it failed.
    Optional<String> postStart(PodDefinition definition, String name, String id)
            throws InterruptedException {
        var container = definition.find(name).orElseThrow();
        if (container.postStart().isEmpty()) {
            return Optional.empty();
        }
        var result =
                handlers.perform(
                        container.postStart().get(),
                        new HandlerRunner.Target(container, id, address(definition)),
                        HOOK_TIMEOUT);
        if (result.isSuccess()) {
            return Optional.empty();
        }
        services.events()
                .record(definition.tree(), name, true, "FailedPostStartHook", result.message());
        return Optional.of(result.message());
    }

    /// The pod's address, as seen from its node.
    Optional<String> address(PodDefinition definition) {
        if (definition.isOnHostNetwork()) {
            return services.facts().addresses().stream().findFirst();
        }
        return services.statusCache()
                .last()
                .flatMap(all ->
                        all.of(definition.uid()).sandboxes().stream()
                                .filter(SandboxState::isReady)
                                .flatMap(one -> one.addresses().stream())
                                .findFirst());
    }

    private ActionFailure failure(PodDefinition definition, String reason, String message) {
        services.events().record(definition.tree(), true, reason, message);
        return new ActionFailure(reason, message);
    }
}

package dev.berth.node.agent;

import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.Pod;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.text.FailureText;
import dev.berth.node.file.PrivateDirectory;
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

/// Carries out what was decided for pods, one action at a time.
final class PodActions {

    private static final ResourcePath PODS = ResourcePath.of(Kinds.POD);
    private static final Duration HOOK_PATIENCE = Duration.ofMinutes(10);
    private static final Duration LEAST_GRACE = Duration.ofSeconds(2);

    private final PodServices shop;
    private final ContainerStarter starter;
    private final HandlerRunner check;
    private final Codec codec = new Codec();

    PodActions(PodServices shop) {
        this.shop = shop;
        this.starter = new ContainerStarter(shop);
        this.check = new HandlerRunner(shop.runtime());
    }

    ContainerStarter starter() {
        return starter;
    }

    HandlerRunner check() {
        return check;
    }

    Pod record(PodDefinition task) {
        return codec.readTree(Kinds.POD, task.tree(), UnknownFieldPolicy.LENIENT).orThrow();
    }

    void mount(PodDefinition task) throws ActionFailure {
        try {
            PrivateDirectory.make(shop.volumes().directory(task.uid()).path());
            PrivateDirectory.make(shop.logs(task));
            var _ = shop.volumes().mount(task);
        } catch (VolumeException e) {
            throw stumble(task, "FailedMount", String.valueOf(e.getMessage()));
        } catch (InvalidPathException e) {
            throw stumble(
                    task, "FailedMount", "a volume has a path that is none: " + e.getReason());
        } catch (IOException e) {
            throw stumble(
                    task,
                    "FailedMount",
                    "the pod's directory cannot be made: " + FailureText.of(e));
        }
    }

    void prepare(PodDefinition task) throws ActionFailure {
        Optional<String> problem;
        try {
            problem = shop.claims().prepare(record(task));
        } catch (IOException e) {
            problem = Optional.of("cannot write down which claims are held: " + FailureText.of(e));
        }
        if (problem.isPresent()) {
            throw stumble(
                    task,
                    "FailedPrepareDynamicResources",
                    "Failed to prepare dynamic resources: prepare dynamic resources: "
                            + problem.get());
        }
    }

    void createSandbox(PodDefinition task, int attempt) throws ActionFailure {
        var spec = task.spec();
        var sysctls = new ArrayList<EnvVariable>();
        for (var one : spec.objectOrEmpty("securityContext").objects("sysctls")) {
            sysctls.add(new EnvVariable(one.text("name"), one.text("value")));
        }
        var sharing =
                new SandboxSpec.Sharing(
                        task.isOnHostNetwork(),
                        spec.flag("hostPID").orElse(false),
                        spec.flag("hostIPC").orElse(false),
                        spec.flag("shareProcessNamespace").orElse(false));
        var hostname =
                task.isOnHostNetwork() ? "" : spec.string("hostname").orElse(task.ref().name());
        try {
            var _ =
                    shop.runtime()
                            .createSandbox(
                                    new SandboxSpec(
                                            task.ref(),
                                            task.uid(),
                                            attempt,
                                            hostname,
                                            sharing,
                                            shop.logs(task),
                                            sysctls,
                                            isPrivileged(task)));
        } catch (RuntimeFailure e) {
            throw stumble(
                    task,
                    "FailedCreatePodSandBox",
                    "Failed to create pod sandbox: " + e.getMessage());
        }
    }

    private static boolean isPrivileged(PodDefinition task) {
        return task.all()
                .anyMatch(one ->
                        one.tree()
                                .objectOrEmpty("securityContext")
                                .flag("privileged")
                                .orElse(false));
    }

    void removeSandbox(PodDefinition task, String sandbox) throws ActionFailure {
        try {
            shop.runtime().removeSandbox(sandbox);
        } catch (RuntimeFailure e) {
            throw stumble(task, "FailedKillPod", "error killing pod: " + e.getMessage());
        }
    }

    void removeContainer(String id) throws ActionFailure {
        try {
            shop.runtime().removeContainer(id);
        } catch (RuntimeFailure e) {
            throw new ActionFailure(
                    "Failed", "an old container cannot be removed: " + e.getMessage());
        }
    }

    void unprepare(PodDefinition task) throws ActionFailure {
        Optional<String> problem;
        try {
            problem = shop.claims().unprepare(task.uid());
        } catch (IOException e) {
            problem = Optional.of("cannot write down which claims are held: " + FailureText.of(e));
        }
        if (problem.isPresent()) {
            throw stumble(
                    task,
                    "FailedUnprepareDynamicResources",
                    "Failed to unprepare dynamic resources: unprepare dynamic resources: "
                            + problem.get());
        }
    }

    void takeDown(PodDefinition task) throws ActionFailure {
        try {
            shop.volumes().remove(task.uid());
        } catch (IOException e) {
            throw stumble(
                    task,
                    "FailedUnmount",
                    "the pod's directory cannot be removed: " + FailureText.of(e));
        }
    }

    /// Deletes the pod from the cluster, unless it has become another.
    void delete(PodDefinition task) throws ActionFailure {
        var outcome =
                shop.cluster()
                        .send(
                                new Request.Delete(
                                        PODS,
                                        task.ref().namespace(),
                                        task.ref().name(),
                                        Optional.of(task.uid().value()),
                                        OptionalLong.of(0)));
        switch (outcome) {
            case RequestResult.Done _, RequestResult.Missing _, RequestResult.Conflict _ -> {}
            case RequestResult other ->
                    throw new ActionFailure(
                            "FailedDelete", "cannot be deleted: " + other.message());
        }
    }

    void deleteLogs(PodDefinition task) {
        try {
            SafeDirectory.deleteTree(shop.logs(task));
        } catch (IOException _) {
            // There may be none.
        }
    }

    /// Ends a container: what it wants to do first, then the request, then by force. Waits for it.
    void stop(PodDefinition task, PodAction.Stop stop) throws InterruptedException, RuntimeFailure {
        shop.events().tell(task.tree(), false, "Killing", stop.because());
        var container = task.find(stop.container());
        if (stop.preStop().isPresent() && container.isPresent()) {
            var finding =
                    check.perform(
                            stop.preStop().get(),
                            new HandlerRunner.Target(container.get(), stop.id(), address(task)),
                            left(stop));
            if (!finding.isGood()) {
                shop.events().tell(task.tree(), true, "FailedPreStopHook", finding.message());
            }
        }
        shop.runtime().stopContainer(stop.id(), left(stop));
    }

    private Duration left(PodAction.Stop stop) {
        var left = Duration.between(shop.clock().instant(), stop.by());
        return left.compareTo(LEAST_GRACE) < 0 ? LEAST_GRACE : left;
    }

    /// Does what a container wants right after its start; why that failed, if it did.
    Optional<String> postStart(PodDefinition task, String container, String id)
            throws InterruptedException {
        var about = task.find(container).orElseThrow();
        if (about.postStart().isEmpty()) {
            return Optional.empty();
        }
        var finding =
                check.perform(
                        about.postStart().get(),
                        new HandlerRunner.Target(about, id, address(task)),
                        HOOK_PATIENCE);
        if (finding.isGood()) {
            return Optional.empty();
        }
        shop.events().tell(task.tree(), true, "FailedPostStartHook", finding.message());
        return Optional.of(finding.message());
    }

    /// Where the pod can be reached from its node.
    Optional<String> address(PodDefinition task) {
        if (task.isOnHostNetwork()) {
            return shop.facts().addresses().stream().findFirst();
        }
        return shop.view()
                .last()
                .flatMap(all ->
                        all.of(task.uid()).sandboxes().stream()
                                .filter(SandboxState::isReady)
                                .flatMap(one -> one.addresses().stream())
                                .findFirst());
    }

    private ActionFailure stumble(PodDefinition task, String reason, String message) {
        shop.events().tell(task.tree(), true, reason, message);
        return new ActionFailure(reason, message);
    }
}

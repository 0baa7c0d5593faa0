package dev.berth.node.endpoint;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.JsonObject;
import dev.berth.node.logs.LogFiles;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds containers of pods, and their log files.
final class ContainerLookup {

    private static final String LOG = ".log";
    private static final List<String> LISTS =
            List.of("containers", "initContainers", "ephemeralContainers");
    private static final List<String> STATUSES =
            List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

    /// A container by pod and name.
    record Name(ObjectRef pod, String container) {}

    private final ContainerRuntime runtime;
    private final PodLookup pods;

    ContainerLookup(ContainerRuntime runtime, PodLookup pods) {
        this.runtime = runtime;
        this.pods = pods;
    }

    /// The running container of a name.
    ContainerState running(Name name) throws EndpointError, RuntimeFailure {
        var pod = pod(name);
        return newest(pod, name)
                .filter(ContainerLookup::isRunning)
                .orElseThrow(() ->
                        EndpointError.badRequest(
                                "container not found (\"%s\"): it is %s"
                                        .formatted(name.container, stateText(pod, name))));
    }

    /// True while the container that writes the newest log of a name runs.
    boolean isWriting(Name name) {
        try {
            return pods.pod(name.pod).isPresent()
                    && newest(pod(name), name).filter(ContainerLookup::isRunning).isPresent();
        } catch (EndpointError | RuntimeFailure _) {
            return false;
        }
    }

    /// The log file of a container.
    ///
    /// @param isPrevious true for the one before the newest
    Path log(Name name, boolean isPrevious) throws EndpointError, RuntimeFailure {
        var pod = pod(name);
        var newest = newest(pod, name);
        var attempts = attempts(pod.logDirectory().resolve(name.container));
        if (newest.isPresent() && !isPrevious) {
            return existing(newest.get().log(), pod, name);
        }
        var last = newest.map(ContainerState::attempt).orElse(Integer.MAX_VALUE);
        var older = attempts.stream().filter(one -> one < last).toList();
        // Without a container the newest file is that of the last one.
        var index = newest.isEmpty() && isPrevious ? 1 : 0;
        if (older.size() > index) {
            return pod.logDirectory().resolve(name.container).resolve(older.get(index) + LOG);
        }
        throw isPrevious
                ? EndpointError.badRequest(
                        "previous terminated container \"%s\" in pod \"%s\" not found"
                                .formatted(name.container, name.pod.name()))
                : waiting(pod, name);
    }

    private static Path existing(Path log, PodLookup.Found pod, Name name) throws EndpointError {
        try {
            if (new LogFiles(log).exist()) {
                return log;
            }
        } catch (IOException _) {
            // The pod is being removed concurrently.
        }
        throw waiting(pod, name);
    }

    private static EndpointError waiting(PodLookup.Found pod, Name name) {
        return EndpointError.badRequest(
                "container \"%s\" in pod \"%s\" is %s"
                        .formatted(name.container, name.pod.name(), stateText(pod, name)));
    }

    private PodLookup.Found pod(Name name) throws EndpointError {
        var found =
                pods.pod(name.pod)
                        .orElseThrow(() ->
                                EndpointError.notFound(
                                        "pod \"%s\" is not on this node"
                                                .formatted(name.pod.name())));
        var spec = found.pod().objectOrEmpty("spec");
        var isKnown =
                LISTS.stream()
                        .flatMap(list -> spec.objects(list).stream())
                        .anyMatch(one -> one.text("name").equals(name.container));
        if (!isKnown) {
            throw EndpointError.notFound(
                    "container %s is not valid for pod %s"
                            .formatted(name.container, name.pod.name()));
        }
        return found;
    }

    private Optional<ContainerState> newest(PodLookup.Found pod, Name name) throws RuntimeFailure {
        var uid = new Uid(pod.pod().objectOrEmpty("metadata").text("uid"));
        return runtime.containers().stream()
                .filter(one -> one.pod().equals(uid) && one.name().equals(name.container))
                .filter(one -> !(one.phase() instanceof Phase.Created))
                .max(Comparator.comparingInt(ContainerState::attempt));
    }

    private static boolean isRunning(ContainerState container) {
        return container.phase() instanceof Phase.Running;
    }

    /// State of a container that does not run, from the pod's status.
    private static String stateText(PodLookup.Found pod, Name name) {
        var status = pod.pod().objectOrEmpty("status");
        var state =
                STATUSES.stream()
                        .flatMap(list -> status.objects(list).stream())
                        .filter(one -> one.text("name").equals(name.container))
                        .findFirst()
                        .map(one -> one.objectOrEmpty("state"))
                        .orElse(JsonObject.EMPTY);
        if (state.has("terminated")) {
            return "terminated";
        }
        var reason = state.objectOrEmpty("waiting").text("reason");
        return "waiting to start: " + (reason.isEmpty() ? "ContainerCreating" : reason);
    }

    /// The attempts that have a log, newest first.
    private static List<Integer> attempts(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.matches("[0-9]{1,9}\\.log"))
                    .map(file -> Integer.valueOf(file.substring(0, file.length() - LOG.length())))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (IOException _) {
            // The pod is being removed concurrently.
            return List.of();
        }
    }
}

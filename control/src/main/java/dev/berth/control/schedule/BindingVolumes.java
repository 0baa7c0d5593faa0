package dev.berth.control.schedule;

import dev.berth.core.place.VolumeBindingTask;
import dev.berth.model.api.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Volume binding of pods in the pipeline: starts the writes for their claims and waits until these
/// are bound. Belongs to the scheduler's thread.
///
/// As in Kubernetes, the writes stay if the pod is not bound: the volume controllers continue, and
/// the next attempt finds the result.
final class BindingVolumes {

    /// Timeout of provisioning and binding.
    static final Duration TIMEOUT = Duration.ofMinutes(10);

    /// State of the volumes of a pod.
    sealed interface State {

        record Ready() implements State {}

        record Waiting() implements State {}

        record Failed(String message) implements State {}
    }

    private static final class PendingVolumes {
        private final List<VolumeBindingTask> tasks;
        private final Instant since;
        private Optional<VolumeWriter.Result> result = Optional.empty();

        private PendingVolumes(List<VolumeBindingTask> tasks, Instant since) {
            this.tasks = tasks;
            this.since = since;
        }
    }

    private final BindingPipeline.Services services;
    private final ClusterView view;
    private final Map<PodBinding, PendingVolumes> pendingByBinding = new HashMap<>();

    BindingVolumes(BindingPipeline.Services services, ClusterView view) {
        this.services = services;
        this.view = view;
    }

    /// The number of pods that wait for volumes.
    int size() {
        return pendingByBinding.size();
    }

    /// The pods that wait for volumes.
    List<PodBinding> waiting() {
        return List.copyOf(pendingByBinding.keySet());
    }

    void forget(PodBinding binding) {
        pendingByBinding.remove(binding);
    }

    boolean isPending(PodBinding binding) {
        return pendingByBinding.containsKey(binding);
    }

    /// The state of the volumes; the first call starts the writes.
    ///
    /// @param onWritten called when the writes are done
    State state(PodBinding binding, Consumer<PodBinding> onWritten) {
        var pending = pendingByBinding.get(binding);
        if (pending == null) {
            return begin(binding, onWritten);
        }
        if (pending.result.isEmpty()) {
            return new State.Waiting();
        }
        return switch (pending.result.get()) {
            case VolumeWriter.Result.Failed(var message) -> new State.Failed(message);
            case VolumeWriter.Result.Written(var versions) -> state(binding, pending, versions);
        };
    }

    private State begin(PodBinding binding, Consumer<PodBinding> onWritten) {
        var storage = view.snapshot().context().storage();
        var tasks = VolumeBindingTask.of(binding.pod, binding.placed.fits(), storage);
        if (tasks.isEmpty()) {
            return new State.Ready();
        }
        var pending = new PendingVolumes(tasks, services.now().get());
        pendingByBinding.put(binding, pending);
        services.taskRunner()
                .start(() -> {
                    var result = services.writer().volumes().write(tasks);
                    services.inbox()
                            .accept(() -> {
                                pending.result = Optional.of(result);
                                onWritten.accept(binding);
                            });
                });
        return new State.Waiting();
    }

    private State state(PodBinding binding, PendingVolumes pending, Map<ObjectRef, Long> versions) {
        var isOpen = false;
        for (var task : pending.tasks) {
            if (!isSeen(task, versions.getOrDefault(task.claim().ref(), 0L))) {
                isOpen = true;
                continue;
            }
            var snapshot = view.snapshot();
            var there = snapshot.inventory().node(binding.node());
            switch (task.progress(snapshot.context().storage(), there)) {
                case VolumeBindingTask.Progress.Done _ -> {}
                case VolumeBindingTask.Progress.Pending _ -> isOpen = true;
                case VolumeBindingTask.Progress.Failed(var message) -> {
                    return new State.Failed(message);
                }
            }
        }
        if (!isOpen) {
            pendingByBinding.remove(binding);
            return new State.Ready();
        }
        return pending.since.plus(TIMEOUT).isAfter(services.now().get())
                ? new State.Waiting()
                : new State.Failed("binding volumes: timed out waiting for the condition");
    }

    /// True when the watch has shown the write.
    private boolean isSeen(VolumeBindingTask task, long version) {
        var storage = view.snapshot().context().storage();
        var seen =
                switch (task) {
                    case VolumeBindingTask.Bind(_, var volume) ->
                            storage.volume(volume).map(ClusterView::version);
                    case VolumeBindingTask.Provision(var claim, _) ->
                            storage.claim(claim.ref()).map(ClusterView::version);
                };
        return seen.isEmpty() || seen.get() >= version;
    }
}

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

/// The volumes of pods on their way: has written what their claims are to get, and waits until they
/// have it. Belongs to the scheduler's thread.
///
/// What was written stays when the pod is not bound after all, as with Kubernetes: whoever binds
/// and makes volumes goes on with it, and the next try finds it.
final class BindingVolumes {

    /// How long volumes may take to be made and bound.
    static final Duration PATIENCE = Duration.ofMinutes(10);

    /// How it stands with the volumes of a pod.
    sealed interface State {

        record Ready() implements State {}

        record Waiting() implements State {}

        record Failed(String message) implements State {}
    }

    private static final class Wait {
        private final List<VolumeBindingTask> errands;
        private final Instant since;
        private Optional<VolumeWriter.Result> result = Optional.empty();

        private Wait(List<VolumeBindingTask> errands, Instant since) {
            this.errands = errands;
            this.since = since;
        }
    }

    private final BindingPipeline.Tools tools;
    private final ClusterView view;
    private final Map<PodBinding, Wait> waits = new HashMap<>();

    BindingVolumes(BindingPipeline.Tools tools, ClusterView view) {
        this.tools = tools;
        this.view = view;
    }

    /// How many pods wait for volumes, which may take long.
    int size() {
        return waits.size();
    }

    /// The pods that wait for volumes.
    List<PodBinding> waiting() {
        return List.copyOf(waits.keySet());
    }

    void forget(PodBinding attempt) {
        waits.remove(attempt);
    }

    boolean isAwaitedBy(PodBinding attempt) {
        return waits.containsKey(attempt);
    }

    /// How it stands; the first call has written what has to be.
    ///
    /// @param again is called when that is done
    State state(PodBinding attempt, Consumer<PodBinding> again) {
        var wait = waits.get(attempt);
        if (wait == null) {
            return begin(attempt, again);
        }
        if (wait.result.isEmpty()) {
            return new State.Waiting();
        }
        return switch (wait.result.get()) {
            case VolumeWriter.Result.Failed(var message) -> new State.Failed(message);
            case VolumeWriter.Result.Written(var versions) -> state(attempt, wait, versions);
        };
    }

    private State begin(PodBinding attempt, Consumer<PodBinding> again) {
        var storage = view.snapshot().surroundings().storage();
        var errands = VolumeBindingTask.of(attempt.pod, attempt.placed.fits(), storage);
        if (errands.isEmpty()) {
            return new State.Ready();
        }
        var wait = new Wait(errands, tools.now().get());
        waits.put(attempt, wait);
        tools.doing()
                .start(() -> {
                    var result = tools.writer().volumes().write(errands);
                    tools.inbox()
                            .accept(() -> {
                                wait.result = Optional.of(result);
                                again.accept(attempt);
                            });
                });
        return new State.Waiting();
    }

    private State state(PodBinding attempt, Wait wait, Map<ObjectRef, Long> versions) {
        var isOpen = false;
        for (var errand : wait.errands) {
            if (!isSeen(errand, versions.getOrDefault(errand.claim().ref(), 0L))) {
                isOpen = true;
                continue;
            }
            var snapshot = view.snapshot();
            var there = snapshot.fleet().node(attempt.node());
            switch (errand.progress(snapshot.surroundings().storage(), there)) {
                case VolumeBindingTask.Progress.Done _ -> {}
                case VolumeBindingTask.Progress.Open _ -> isOpen = true;
                case VolumeBindingTask.Progress.Failed(var message) -> {
                    return new State.Failed(message);
                }
            }
        }
        if (!isOpen) {
            waits.remove(attempt);
            return new State.Ready();
        }
        return wait.since.plus(PATIENCE).isAfter(tools.now().get())
                ? new State.Waiting()
                : new State.Failed("binding volumes: timed out waiting for the condition");
    }

    /// Whether the watch has shown what was written.
    private boolean isSeen(VolumeBindingTask errand, long version) {
        var storage = view.snapshot().surroundings().storage();
        var seen =
                switch (errand) {
                    case VolumeBindingTask.Bind(_, var volume) ->
                            storage.volume(volume).map(ClusterView::version);
                    case VolumeBindingTask.Make(var claim, _) ->
                            storage.claim(claim.ref()).map(ClusterView::version);
                };
        return seen.isEmpty() || seen.get() >= version;
    }
}

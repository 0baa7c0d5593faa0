package dev.berth.node.agent;

import dev.berth.model.api.meta.Uid;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.runtime.SandboxState;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Cache of the runtime's sandboxes and containers, like the kubelet's PLEG: refreshed on runtime
/// events and by periodic relisting.
final class RuntimeStatusCache implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeStatusCache.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /// All sandboxes and containers at one moment.
    record Snapshot(List<SandboxState> sandboxes, List<ContainerState> containers) {

        Snapshot {
            sandboxes = List.copyOf(sandboxes);
            containers = List.copyOf(containers);
        }

        /// The sandboxes and containers of one pod.
        Snapshot of(Uid pod) {
            return new Snapshot(
                    sandboxes.stream().filter(one -> one.uid().equals(pod)).toList(),
                    containers.stream().filter(one -> one.pod().equals(pod)).toList());
        }

        Set<Uid> pods() {
            var pods = new HashSet<Uid>();
            sandboxes.forEach(one -> pods.add(one.uid()));
            containers.forEach(one -> pods.add(one.pod()));
            return pods;
        }
    }

    private final ContainerRuntime runtime;
    private volatile Consumer<Uid> onChange = _ -> {};
    private final BlockingQueue<Boolean> wakeups = new ArrayBlockingQueue<>(1);

    // Held during a relist, so that an older result never replaces a newer one.
    private final Object lock = new Object();
    private volatile Optional<Snapshot> last = Optional.empty();
    private volatile String problem = "its containers have not been listed yet";
    private final Thread thread;

    RuntimeStatusCache(ContainerRuntime runtime) {
        this.runtime = runtime;
        runtime.onChange(() -> wakeups.offer(true));
        this.thread = Thread.ofVirtual().name("runtime-status").start(this::run);
    }

    /// Sets the callback for pods whose sandboxes or containers changed.
    void onChange(Consumer<Uid> listener) {
        onChange = listener;
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                refresh();
                var _ = wakeups.poll(INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Relists now.
    void refresh() {
        var changed = new HashSet<Uid>();
        synchronized (lock) {
            try {
                var now = new Snapshot(runtime.sandboxes(), runtime.containers());
                var before = last.orElse(new Snapshot(List.of(), List.of()));
                if (last.isEmpty() || !now.equals(before)) {
                    changed.addAll(now.pods());
                    changed.addAll(before.pods());
                    changed.removeIf(pod -> now.of(pod).equals(before.of(pod)));
                }
                last = Optional.of(now);
                problem = "";
            } catch (RuntimeFailure | RuntimeException e) {
                var text = String.valueOf(e.getMessage());
                if (!text.equals(problem)) {
                    LOG.warn("cannot list the containers of the runtime: {}", text);
                }
                problem = text;
            }
        }
        changed.forEach(onChange);
    }

    /// The last snapshot; empty before the first successful relist.
    Optional<Snapshot> last() {
        return last;
    }

    /// The containers of the last snapshot.
    List<ContainerState> containers() {
        return last.map(Snapshot::containers).orElse(List.of());
    }

    /// Why the last relist failed; empty if it succeeded.
    String problem() {
        return problem;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

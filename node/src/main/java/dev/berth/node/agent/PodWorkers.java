package dev.berth.node.agent;

import dev.berth.client.Cluster;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.node.endpoint.PodLookup;
import dev.berth.node.pod.PodDefinition;
import dev.berth.node.runtime.ContainerState;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a pod worker for every pod of this node, and for orphaned pods, which exist in the runtime
/// or on disk but no longer in the cluster.
final class PodWorkers implements Cluster.EventHandler<JsonObject>, PodLookup, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PodWorkers.class);
    private static final Duration INTERVAL = Duration.ofSeconds(60);
    private static final long ORPHAN_GRACE = 1;

    private final PodServices services;
    private final Thread reconciler;

    // Guards the workers and the flags.
    private final Object lock = new Object();
    private final Map<Uid, PodWorker> workers = new HashMap<>();
    private boolean hasSynced;
    private boolean isClosed;

    PodWorkers(PodServices services) {
        this.services = services;
        this.reconciler = Thread.ofVirtual().name("orphaned-pods").start(this::run);
    }

    @Override
    public void replaceAll(Iterable<JsonObject> objects) {
        var present = new HashSet<Uid>();
        for (var pod : objects) {
            put(pod);
            present.add(uid(pod));
        }
        synchronized (lock) {
            workers.forEach((uid, worker) -> {
                if (!present.contains(uid)) {
                    worker.gone();
                }
            });
            hasSynced = true;
            lock.notifyAll();
        }
    }

    @Override
    public void put(JsonObject pod) {
        synchronized (lock) {
            if (isClosed) {
                return;
            }
            var worker = workers.get(uid(pod));
            if (worker == null) {
                workers.put(uid(pod), new PodWorker(services, pod, false, this::forget));
            } else {
                worker.update(pod);
            }
        }
    }

    @Override
    public void remove(JsonObject pod) {
        find(uid(pod)).ifPresent(PodWorker::gone);
    }

    private static Uid uid(JsonObject pod) {
        return new Uid(pod.objectOrEmpty("metadata").text("uid"));
    }

    private void forget(Uid pod) {
        synchronized (lock) {
            workers.remove(pod);
        }
    }

    private Optional<PodWorker> find(Uid pod) {
        synchronized (lock) {
            return Optional.ofNullable(workers.get(pod));
        }
    }

    /// Wakes the worker of a pod that may have changed.
    void wake(Uid pod) {
        find(pod).ifPresent(PodWorker::wake);
    }

    void wakeAll() {
        synchronized (lock) {
            workers.values().forEach(PodWorker::wake);
        }
    }

    @Override
    public Optional<Found> pod(ObjectRef pod) {
        return pods().stream()
                .map(PodDefinition::of)
                .filter(one -> one.ref().equals(pod))
                .findFirst()
                .map(one -> new Found(one.tree(), services.logs(one)));
    }

    /// All pods that have a worker, as last received.
    @Override
    public List<JsonObject> pods() {
        synchronized (lock) {
            return workers.values().stream().map(PodWorker::tree).toList();
        }
    }

    private void run() {
        try {
            synchronized (lock) {
                while (!hasSynced) {
                    lock.wait();
                }
            }
            while (true) {
                adoptOrphans();
                Thread.sleep(hasRuntimeStatus() ? INTERVAL : Duration.ofMillis(100));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasRuntimeStatus() {
        return services.statusCache().last().isPresent();
    }

    /// Starts workers that terminate orphaned pods.
    private void adoptOrphans() {
        var snapshot = services.statusCache().last();
        if (snapshot.isEmpty()) {
            return;
        }
        var orphans = new HashMap<Uid, JsonObject>();
        for (var uid : snapshot.get().pods()) {
            orphans.put(uid, orphan(uid, snapshot.get().of(uid)));
        }
        for (var uid : podsWithClaims()) {
            orphans.putIfAbsent(uid, tree(uid, new ObjectRef("", uid.value()), Set.of()));
        }
        for (var uid : directories()) {
            orphans.putIfAbsent(uid, tree(uid, new ObjectRef("", uid.value()), Set.of()));
        }
        synchronized (lock) {
            orphans.forEach((uid, tree) -> {
                if (!isClosed && !workers.containsKey(uid)) {
                    LOG.info(
                            "pod {} no longer exists in the cluster; removing its containers,"
                                    + " claims and volumes",
                            uid);
                    workers.put(uid, new PodWorker(services, tree, true, this::forget));
                }
            });
        }
    }

    private Set<Uid> podsWithClaims() {
        var uids = new HashSet<Uid>();
        services.claims()
                .claimStates()
                .claims()
                .values()
                .forEach(claim -> uids.addAll(claim.pods()));
        return uids;
    }

    private Set<Uid> directories() {
        try {
            return services.volumes().pods();
        } catch (IOException e) {
            LOG.warn("cannot list the directories of pods: {}", e.getMessage());
            return Set.of();
        }
    }

    private static JsonObject orphan(Uid uid, RuntimeStatusCache.Snapshot snapshot) {
        var names = new TreeSet<String>();
        snapshot.containers().stream().map(ContainerState::name).forEach(names::add);
        var ref =
                snapshot.sandboxes().stream()
                        .map(one -> one.pod())
                        .findFirst()
                        .orElse(new ObjectRef("", uid.value()));
        return tree(uid, ref, names);
    }

    private static JsonObject tree(Uid uid, ObjectRef ref, Set<String> containers) {
        var metadata = new LinkedHashMap<String, Json>();
        metadata.put("name", Json.of(ref.name()));
        if (!ref.namespace().isEmpty()) {
            metadata.put("namespace", Json.of(ref.namespace()));
        }
        metadata.put("uid", Json.of(uid.value()));
        var list = containers.stream().map(name -> JsonObject.of("name", Json.of(name))).toList();
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Pod"))
                .with("metadata", new JsonObject(metadata))
                .with(
                        "spec",
                        JsonObject.of("containers", Json.array(list))
                                .with("terminationGracePeriodSeconds", Json.of(ORPHAN_GRACE)));
    }

    /// Stops all workers; containers keep running.
    @Override
    public void close() {
        reconciler.interrupt();
        List<PodWorker> all;
        synchronized (lock) {
            isClosed = true;
            all = List.copyOf(workers.values());
        }
        all.forEach(PodWorker::close);
    }
}

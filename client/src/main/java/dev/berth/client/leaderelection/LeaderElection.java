package dev.berth.client.leaderelection;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Leader election with a Lease: acquires the lease, renews it while leading, and releases it when
/// closed, so that the next leader need not wait.
///
/// After a loss it is a candidate again.
public final class LeaderElection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    /// Attempts are delayed by up to this fraction of the retry period.
    private static final double JITTER = 0.2;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final ObjectRef lease;
    private final String me;
    private final LeaderElectionTiming timing;
    private final Clock clock;
    private final RandomGenerator random;
    private final Callbacks callbacks;
    private final Thread thread;

    private volatile boolean closed;
    private volatile Instant leadsUntil = Instant.MIN;

    // Written under the lock of this, which attempts hold: an attempt can outlive its deadline and
    // overlap with the next. Read without the lock, because losing the lease must not wait for a
    // server that hangs.
    private volatile Optional<LeaseAction.Observed> observed = Optional.empty();

    /// Callbacks of the election. They run on the candidate's thread and must return quickly.
    public interface Callbacks {

        /// The candidate has become the leader.
        void onStartedLeading();

        /// The candidate is no longer the leader.
        void onStoppedLeading();
    }

    private LeaderElection(
            Cluster cluster,
            ObjectRef lease,
            String me,
            LeaderElectionTiming timing,
            Clock clock,
            RandomGenerator random,
            Callbacks callbacks) {
        this.cluster = cluster;
        this.lease = lease;
        this.me = me;
        this.timing = timing;
        this.clock = clock;
        this.random = random;
        this.callbacks = callbacks;
        this.thread = Thread.ofVirtual().name("candidate-" + me).unstarted(this::run);
    }

    /// Starts a candidate.
    ///
    /// @param me identity of the candidate; unique among all candidates
    public static LeaderElection join(
            Cluster cluster,
            ObjectRef lease,
            String me,
            LeaderElectionTiming timing,
            Clock clock,
            RandomGenerator random,
            Callbacks callbacks) {
        var election = new LeaderElection(cluster, lease, me, timing, clock, random, callbacks);
        election.thread.start();
        return election;
    }

    /// True while the candidate leads. Becomes false at the renew deadline by the clock, even if a
    /// request hangs.
    public boolean isLeader() {
        return clock.instant().isBefore(leadsUntil);
    }

    private void run() {
        try {
            while (!closed) {
                if (attempt(timing.renewDeadline())) {
                    lead();
                }
                if (!closed) {
                    sleepRetryPeriod();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Renews the lease until the renew deadline passes or another candidate takes it.
    private void lead() throws InterruptedException {
        LOG.info("{} is the leader by lease {}", me, lease);
        try {
            callbacks.onStartedLeading();
            while (!closed) {
                sleepRetryPeriod();
                var left = Duration.between(clock.instant(), leadsUntil);
                if (left.isNegative() || left.isZero()) {
                    LOG.warn(
                            "{} could not renew lease {} within {}",
                            me,
                            lease,
                            timing.renewDeadline());
                    return;
                }
                if (!attempt(left) && isHeldByAnother()) {
                    LOG.warn("{} lost lease {} to another candidate", me, lease);
                    return;
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("{}: leading by lease {} failed", me, lease, e);
        } finally {
            leadsUntil = Instant.MIN;
            callbacks.onStoppedLeading();
        }
    }

    private void sleepRetryPeriod() throws InterruptedException {
        var extra = (long) (timing.retryPeriod().toMillis() * JITTER * random.nextDouble());
        Thread.sleep(timing.retryPeriod().plusMillis(extra));
    }

    /// Tries to acquire or renew the lease; the server's response is awaited for a limited time.
    private boolean attempt(Duration timeout) throws InterruptedException {
        var began = clock.instant();
        var response = CompletableFuture.supplyAsync(this::tryOnce, Thread::startVirtualThread);
        try {
            var acquired = response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (acquired) {
                leadsUntil = began.plus(timing.renewDeadline());
            }
            return acquired;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException e) {
            LOG.error("{}: an attempt to acquire or renew lease {} failed", me, lease, e);
            return false;
        }
    }

    private synchronized boolean tryOnce() {
        return switch (cluster.send(
                new Request.Get(ResourcePath.LEASES, lease.namespace(), lease.name()))) {
            case RequestResult.Done(var object) -> {
                observe(LeaderLease.read(object));
                yield write(object);
            }
            case RequestResult.Missing _ -> {
                observed = Optional.empty();
                yield write(newLease());
            }
            case RequestResult other -> {
                LOG.info("{}: cannot read lease {}: {}", me, lease, other.message());
                yield false;
            }
        };
    }

    private void observe(LeaderLease leaderLease) {
        if (observed.isEmpty() || !observed.get().lease().equals(leaderLease)) {
            observed = Optional.of(new LeaseAction.Observed(leaderLease, clock.instant()));
        }
    }

    private JsonObject newLease() {
        return JsonObject.of("apiVersion", Json.of("coordination.k8s.io/v1"))
                .with("kind", Json.of("Lease"))
                .with(
                        "metadata",
                        JsonObject.of("namespace", Json.of(lease.namespace()))
                                .with("name", Json.of(lease.name())));
    }

    private boolean write(JsonObject object) {
        return switch (LeaseAction.decide(me, timing.leaseDuration(), observed, clock.instant())) {
            case LeaseAction.Wait _ -> false;
            case LeaseAction.Create(var leaderLease) ->
                    written(
                            leaderLease,
                            Request.Create.of(
                                    ResourcePath.LEASES,
                                    lease.namespace(),
                                    leaderLease.writeInto(object)));
            case LeaseAction.Write(var leaderLease) ->
                    written(leaderLease, update(leaderLease.writeInto(object)));
        };
    }

    private Request update(JsonObject object) {
        return new Request.Update(ResourcePath.LEASES, lease.namespace(), lease.name(), "", object);
    }

    private boolean written(LeaderLease leaderLease, Request request) {
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> {
                observe(LeaderLease.read(object));
                yield true;
            }
            // Another candidate was faster; the next attempt reads its identity.
            case RequestResult.Conflict _, RequestResult.Exists _ -> false;
            case RequestResult other -> {
                LOG.info(
                        "{}: cannot write lease {} for {}: {}",
                        me,
                        lease,
                        leaderLease,
                        other.message());
                yield false;
            }
        };
    }

    private boolean isHeldByAnother() {
        var seen = observed;
        return seen.isPresent()
                && !seen.get().lease().isReleased()
                && !seen.get().lease().holder().equals(me);
    }

    /// Stops the candidate, and releases the lease if it holds it.
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            if (!thread.equals(Thread.currentThread())) {
                thread.join(CLOSE_TIMEOUT);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        release();
    }

    private synchronized void release() {
        if (observed.isEmpty() || !observed.get().lease().holder().equals(me)) {
            return;
        }
        var read =
                cluster.send(new Request.Get(ResourcePath.LEASES, lease.namespace(), lease.name()));
        if (read instanceof RequestResult.Done(var object)
                && LeaderLease.read(object).holder().equals(me)) {
            var now = Optional.of(clock.instant());
            var released =
                    new LeaderLease(
                            "",
                            Duration.ofSeconds(1),
                            now,
                            now,
                            LeaderLease.read(object).transitions());
            var _ = cluster.send(update(released.writeInto(object)));
        }
    }
}

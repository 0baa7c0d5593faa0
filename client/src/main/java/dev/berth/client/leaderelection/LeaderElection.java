package dev.berth.client.leaderelection;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.ObjectRef;
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

/// A candidate for leading: tries until it leads, renews until it loses, and gives up its term when
/// it is closed, so that the next one need not wait.
///
/// After a loss it is a candidate again.
public final class LeaderElection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    /// By chance an attempt comes up to this part later.
    private static final double JITTER = 0.2;

    private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final ObjectRef lease;
    private final String me;
    private final LeaderElectionTiming timing;
    private final Clock clock;
    private final RandomGenerator random;
    private final Office office;
    private final Thread thread;

    private volatile boolean closed;
    private volatile Instant leadsUntil = Instant.MIN;

    // Written under the lock of this, which attempts hold: one can outlive its deadline and run
    // into
    // the next. Read without it, because losing must not wait for a server that hangs.
    private volatile Optional<LeaseAction.Observed> observed = Optional.empty();

    /// What comes with leading. Both are called on the candidate's thread and must not take long.
    public interface Office {

        /// We lead from now on.
        void taken();

        /// We lead no longer.
        void lost();
    }

    private LeaderElection(
            Cluster cluster,
            ObjectRef lease,
            String me,
            LeaderElectionTiming timing,
            Clock clock,
            RandomGenerator random,
            Office office) {
        this.cluster = cluster;
        this.lease = lease;
        this.me = me;
        this.timing = timing;
        this.clock = clock;
        this.random = random;
        this.office = office;
        this.thread = Thread.ofVirtual().name("candidate-" + me).unstarted(this::run);
    }

    /// Becomes a candidate.
    ///
    /// @param me no other candidate may have the same name
    public static LeaderElection join(
            Cluster cluster,
            ObjectRef lease,
            String me,
            LeaderElectionTiming timing,
            Clock clock,
            RandomGenerator random,
            Office office) {
        var election = new LeaderElection(cluster, lease, me, timing, clock, random, office);
        election.thread.start();
        return election;
    }

    /// True while we lead. It turns false in time by itself, whatever hangs.
    public boolean isLeader() {
        return clock.instant().isBefore(leadsUntil);
    }

    private void run() {
        try {
            while (!closed) {
                if (attempt(timing.renewal())) {
                    lead();
                }
                if (!closed) {
                    pause();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Leads until the term could not be renewed in time.
    private void lead() throws InterruptedException {
        LOG.info("{} leads by {}", me, lease);
        try {
            office.taken();
            while (!closed) {
                pause();
                var left = Duration.between(clock.instant(), leadsUntil);
                if (left.isNegative() || left.isZero()) {
                    LOG.warn("{} could not renew {} within {}", me, lease, timing.renewal());
                    return;
                }
                if (!attempt(left) && isTakenByAnother()) {
                    LOG.warn("{} lost {} to another", me, lease);
                    return;
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("{}: taking office by {} failed", me, lease, e);
        } finally {
            leadsUntil = Instant.MIN;
            office.lost();
        }
    }

    private void pause() throws InterruptedException {
        var extra = (long) (timing.attempt().toMillis() * JITTER * random.nextDouble());
        Thread.sleep(timing.attempt().plusMillis(extra));
    }

    /// Tries to take or renew the term; gives up waiting for the server after a time.
    private boolean attempt(Duration patience) throws InterruptedException {
        var began = clock.instant();
        var answer = CompletableFuture.supplyAsync(this::tryOnce, Thread::startVirtualThread);
        try {
            var won = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (won) {
                leadsUntil = began.plus(timing.renewal());
            }
            return won;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException e) {
            LOG.error("{}: an attempt at {} failed", me, lease, e);
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
                yield write(fresh());
            }
            case RequestResult other -> {
                LOG.info("{}: cannot read {}: {}", me, lease, other.message());
                yield false;
            }
        };
    }

    private void observe(LeaderLease term) {
        if (observed.isEmpty() || !observed.get().term().equals(term)) {
            observed = Optional.of(new LeaseAction.Observed(term, clock.instant()));
        }
    }

    private JsonObject fresh() {
        return JsonObject.of("apiVersion", Json.of("coordination.k8s.io/v1"))
                .with("kind", Json.of("Lease"))
                .with(
                        "metadata",
                        JsonObject.of("namespace", Json.of(lease.namespace()))
                                .with("name", Json.of(lease.name())));
    }

    private boolean write(JsonObject object) {
        return switch (LeaseAction.decide(me, timing.term(), observed, clock.instant())) {
            case LeaseAction.Wait _ -> false;
            case LeaseAction.Create(var term) ->
                    written(
                            term,
                            Request.Create.of(
                                    ResourcePath.LEASES,
                                    lease.namespace(),
                                    term.writeInto(object)));
            case LeaseAction.Write(var term) -> written(term, update(term.writeInto(object)));
        };
    }

    private Request update(JsonObject object) {
        return new Request.Update(ResourcePath.LEASES, lease.namespace(), lease.name(), "", object);
    }

    private boolean written(LeaderLease term, Request request) {
        return switch (cluster.send(request)) {
            case RequestResult.Done(var object) -> {
                observe(LeaderLease.read(object));
                yield true;
            }
            // Another was faster; the next attempt sees who.
            case RequestResult.Conflict _, RequestResult.Exists _ -> false;
            case RequestResult other -> {
                LOG.info("{}: cannot write {} for {}: {}", me, lease, term, other.message());
                yield false;
            }
        };
    }

    private boolean isTakenByAnother() {
        var seen = observed;
        return seen.isPresent()
                && !seen.get().term().isVacant()
                && !seen.get().term().holder().equals(me);
    }

    /// Stops being a candidate, and gives up the term if we have one.
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            if (!thread.equals(Thread.currentThread())) {
                thread.join(CLOSING_PATIENCE);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        release();
    }

    private synchronized void release() {
        if (observed.isEmpty() || !observed.get().term().holder().equals(me)) {
            return;
        }
        var read =
                cluster.send(new Request.Get(ResourcePath.LEASES, lease.namespace(), lease.name()));
        if (read instanceof RequestResult.Done(var object)
                && LeaderLease.read(object).holder().equals(me)) {
            var now = Optional.of(clock.instant());
            var vacant =
                    new LeaderLease(
                            "",
                            Duration.ofSeconds(1),
                            now,
                            now,
                            LeaderLease.read(object).transitions());
            var _ = cluster.send(update(vacant.writeInto(object)));
        }
    }
}

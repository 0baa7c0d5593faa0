package dev.berth.client.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Cluster;
import dev.berth.client.ForwardingCluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.client.leaderelection.LeaderElection;
import dev.berth.client.leaderelection.LeaderElectionTiming;
import dev.berth.harness.Eventually;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.ApiServer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Candidates for one Lease over HTTPS.
class LeaderElectionTest {

    private static final ObjectRef LEASE = new ObjectRef("default", "berth");
    private static final LeaderElectionTiming QUICK =
            new LeaderElectionTiming(
                    Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(100));

    @TempDir private Path directory;

    private final List<String> transitions = new CopyOnWriteArrayList<>();

    @Test
    void theSecondCandidateLeadsAtOnceWhenTheLeaseIsReleased() throws Exception {
        try (var server = ApiServer.start(Servers.memory(directory));
                var cluster = Servers.cluster(server, directory)) {
            var one = join(cluster, "one");
            Eventually.holds("one leads", one::isLeader);
            var reads = new LeaseReads(cluster);
            try (var two = join(reads, "two")) {
                Eventually.holds("two has found the lease taken twice", () -> reads.count() > 2);
                assertThat(two.isLeader()).isFalse();
                assertThat(one.isLeader()).isTrue();
                one.close();
                Eventually.holds("two leads", two::isLeader);
            }
            assertThat(transitions).containsExactly("one +", "one -", "two +", "two -");
            assertThat(spec(cluster).text("holderIdentity")).isEmpty();
            assertThat(spec(cluster).number("leaseTransitions")).hasValue(1);
        }
    }

    @Test
    void aLeaderWhoseLeaseIsTakenStopsLeadingAndWaits() throws Exception {
        try (var server = ApiServer.start(Servers.memory(directory));
                var cluster = Servers.cluster(server, directory);
                var one = join(cluster, "one")) {
            Eventually.holds("one leads", one::isLeader);
            var spec =
                    JsonObject.of("holderIdentity", Json.of("usurper"))
                            .with("leaseDurationSeconds", Json.of(2));
            var patch =
                    new Request.Patch(
                            ResourcePath.LEASES,
                            LEASE.namespace(),
                            LEASE.name(),
                            "",
                            Request.PatchType.MERGE,
                            JsonObject.of("spec", spec));
            assertThat(cluster.send(patch)).isInstanceOf(RequestResult.Done.class);
            Eventually.holds(
                    "one has stopped leading", () -> transitions.equals(List.of("one +", "one -")));
            assertThat(one.isLeader()).isFalse();
            Eventually.holds("the other lease has expired", one::isLeader);
        }
    }

    @Test
    void aLeaderWithoutAServerStopsLeadingAtTheRenewDeadline() throws Exception {
        var server = ApiServer.start(Servers.memory(directory));
        try (var cluster = Servers.cluster(server, directory);
                var one = join(cluster, "one")) {
            Eventually.holds("one leads", one::isLeader);
            server.close();
            Eventually.holds(
                    "one has stopped leading", () -> transitions.equals(List.of("one +", "one -")));
            assertThat(one.isLeader()).isFalse();
        }
    }

    /// Counts reads of the Lease.
    private static final class LeaseReads extends ForwardingCluster {

        private final AtomicInteger reads = new AtomicInteger();

        private LeaseReads(Cluster cluster) {
            super(cluster);
        }

        private int count() {
            return reads.get();
        }

        @Override
        public RequestResult send(Request request) {
            if (request instanceof Request.Get) {
                reads.incrementAndGet();
            }
            return super.send(request);
        }
    }

    private LeaderElection join(Cluster cluster, String name) {
        var callbacks =
                new LeaderElection.Callbacks() {
                    @Override
                    public void onStartedLeading() {
                        transitions.add(name + " +");
                    }

                    @Override
                    public void onStoppedLeading() {
                        transitions.add(name + " -");
                    }
                };
        return LeaderElection.join(
                cluster, LEASE, name, QUICK, Clock.systemUTC(), new Random(1), callbacks);
    }

    private static JsonObject spec(Cluster cluster) {
        var read =
                cluster.send(new Request.Get(ResourcePath.LEASES, LEASE.namespace(), LEASE.name()));
        return ((RequestResult.Done) read).object().objectOrEmpty("spec");
    }
}

package dev.berth.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Malformed and malicious requests of one seed. `scripts/soak` sends more of them.
class HostileRequestsTest {

    private static final int REQUESTS = 20_000;
    private static final long SEED = 4;

    @TempDir private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void hostileRequestsAreRejectedAndTheServerKeepsRunning() throws Exception {
        var totals = new HostileRun(SEED).run(directory, REQUESTS);
        assertThat(totals.violations()).as("seed " + SEED).isEmpty();
        assertThat(totals.responses()).containsKeys(2, 4);
    }

    @Test
    void requestsAreDeterministicForASeed() {
        var requests = new HostileRequests(SEED);
        var again = new HostileRequests(SEED);
        for (var number : List.of(1, 5, 7, 10, 12, 14, 16, 17, 18, 19)) {
            assertThat(again.request(number).bytes()).isEqualTo(requests.request(number).bytes());
        }
    }

    @Test
    void requestsCoverAllKindsInAllVersions() {
        var paths = new HashSet<>(new HostileRequests(SEED).paths());
        for (var kind : BuiltInKinds.all(KindOptions.of(FeatureGates.defaults()))) {
            for (var version : kind.versions()) {
                assertThat(paths).contains(HostileRequests.path(kind, version));
            }
        }
    }
}

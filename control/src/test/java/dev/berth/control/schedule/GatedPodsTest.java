package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.meta.ObjectRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatedPodsTest {

    private static final ObjectRef POD = new ObjectRef("default", "p");
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final GatedPods gated = new GatedPods();
    private final List<String> reported = new ArrayList<>();

    private void reportAt(long second) {
        gated.report(
                START.plusSeconds(second),
                (pod, reason) -> reported.add(pod.name() + ": " + reason));
    }

    @Test
    void aReasonIsReportedOnceAfterADelay() {
        gated.put(POD, "no claim", START);
        reportAt(4);
        assertThat(reported).isEmpty();
        reportAt(5);
        gated.put(POD, "no claim", START.plusSeconds(6));
        reportAt(60);
        assertThat(reported).containsExactly("p: no claim");
    }

    @Test
    void aChangedReasonIsReportedAgain() {
        gated.put(POD, "no claim", START);
        reportAt(5);
        gated.put(POD, "not its claim", START.plusSeconds(6));
        reportAt(60);
        assertThat(reported).containsExactly("p: no claim", "p: not its claim");
    }

    @Test
    void aFailedReportIsRetried() {
        gated.put(POD, "no claim", START);
        gated.report(START.plusSeconds(5), (_, _) -> false);
        reportAt(6);
        assertThat(reported).containsExactly("p: no claim");
    }

    @Test
    void removedPodsAreNotReported() {
        gated.put(POD, "no claim", START);
        gated.remove(POD);
        reportAt(60);
        assertThat(reported).isEmpty();
        assertThat(gated.all()).isEmpty();
    }
}

package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.ObjectRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatedPodsTest {

    private static final ObjectRef POD = new ObjectRef("default", "p");
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final GatedPods gated = new GatedPods();
    private final List<String> told = new ArrayList<>();

    private void tellAt(long second) {
        gated.report(
                START.plusSeconds(second), (pod, reason) -> told.add(pod.name() + ": " + reason));
    }

    @Test
    void aReasonIsToldOnceAndNotAtOnce() {
        gated.put(POD, "no claim", START);
        tellAt(4);
        assertThat(told).isEmpty();
        tellAt(5);
        gated.put(POD, "no claim", START.plusSeconds(6));
        tellAt(60);
        assertThat(told).containsExactly("p: no claim");
    }

    @Test
    void anotherReasonIsToldToo() {
        gated.put(POD, "no claim", START);
        tellAt(5);
        gated.put(POD, "not its claim", START.plusSeconds(6));
        tellAt(60);
        assertThat(told).containsExactly("p: no claim", "p: not its claim");
    }

    @Test
    void whoCouldNotBeToldIsToldLater() {
        gated.put(POD, "no claim", START);
        gated.report(START.plusSeconds(5), (_, _) -> false);
        tellAt(6);
        assertThat(told).containsExactly("p: no claim");
    }

    @Test
    void whoeverLeftIsToldNothing() {
        gated.put(POD, "no claim", START);
        gated.remove(POD);
        tellAt(60);
        assertThat(told).isEmpty();
        assertThat(gated.all()).isEmpty();
    }
}

package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.store.ObjectKey;
import java.time.Clock;
import java.util.ArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QuotaRecounterTest {

    private static final ObjectKey A = new ObjectKey("resourcequotas", "ns", "a");
    private static final ObjectKey B = new ObjectKey("resourcequotas", "ns", "b");

    @Test
    void quotasAreRecountedAtOnceBeforeTheStart() {
        var counted = new ArrayList<ObjectKey>();
        try (var recounter = new QuotaRecounter(counted::add)) {
            recounter.recount(A);
            recounter.recount(A);
        }
        assertThat(counted).containsExactly(A, A);
    }

    @Test
    void theFirstChangeIsRecountedAtOnceAndLaterOnesInBatches() throws InterruptedException {
        var counted = new LinkedBlockingQueue<ObjectKey>();
        try (var recounter = new QuotaRecounter(counted::add)) {
            recounter.start(Clock.systemUTC());
            recounter.recount(A);
            assertThat(counted.poll(30, TimeUnit.SECONDS)).isEqualTo(A);
            for (var i = 0; i < 1000; i++) {
                recounter.recount(A);
                recounter.recount(B);
            }
            assertThat(counted.poll(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(counted.poll(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(counted).hasSizeLessThan(100);
        }
    }

    @Test
    void aRecountThatFailsIsRetried() throws InterruptedException {
        var counted = new LinkedBlockingQueue<ObjectKey>();
        var attempts = new AtomicInteger();
        try (var recounter =
                new QuotaRecounter(quota -> {
                    counted.add(quota);
                    if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("first attempt");
                    }
                })) {
            recounter.start(Clock.systemUTC());
            recounter.recount(A);
            assertThat(counted.poll(30, TimeUnit.SECONDS)).isEqualTo(A);
            assertThat(counted.poll(30, TimeUnit.SECONDS)).isEqualTo(A);
        }
    }
}

package dev.berth.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BindingConditionStateTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @Test
    void aClaimWithoutAllocationTimestampTimesOutFromTheStartOfTheWait() {
        var claim = attaching("");
        var since = Optional.of(START);
        assertThat(BindingConditionState.of(claim, since, TIMEOUT, START.plusSeconds(600)))
                .isEqualTo(new BindingConditionState.Pending());
        assertThat(BindingConditionState.of(claim, since, TIMEOUT, START.plusSeconds(601)))
                .isInstanceOf(BindingConditionState.Failed.class);
    }

    @Test
    void theAllocationTimestampStartsTheTimeout() {
        var claim = attaching("\"allocationTimestamp\": \"2030-01-01T00:00:00Z\",");
        var since = Optional.of(START.plusSeconds(500));
        assertThat(BindingConditionState.of(claim, since, TIMEOUT, START.plusSeconds(601)))
                .isInstanceOf(BindingConditionState.Failed.class);
    }

    @Test
    void withoutAllocationTimestampAndWaitThereIsNoTimeout() {
        assertThat(BindingConditionState.of(attaching(""), TIMEOUT, START.plusSeconds(5_000)))
                .isEqualTo(new BindingConditionState.Pending());
    }

    private static ResourceClaim attaching(String time) {
        var text =
                """
                {"metadata": {"namespace": "default", "name": "c", "uid": "2"}, "spec": {},
                 "status": {"allocation": {%s "devices": {"results": [
                   {"request": "r", "driver": "d", "pool": "p", "device": "x",
                    "bindingConditions": ["Up"], "bindingFailureConditions": ["Down"]}]}}}}
                """
                        .formatted(time);
        return new Codec()
                .readJson(
                        Kinds.RESOURCE_CLAIM,
                        "v1",
                        text.getBytes(StandardCharsets.UTF_8),
                        UnknownFieldPolicy.LENIENT)
                .orThrow();
    }
}

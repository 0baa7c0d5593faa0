package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.allocate.AllocationOutcome;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.DeviceOrder;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HardAllocationsTest {

    private final Allocator allocator = new Allocator(Allocator.DEFAULT_BUDGET);

    static Stream<HardAllocations.Hard> requests() {
        return HardAllocations.all();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void isDecidedAndRight(HardAllocations.Hard hard) {
        var outcome =
                allocator
                        .allocate(hard.request().toNodeRequest(DeviceOrder.FIRST), () -> "share")
                        .outcome();
        assertThat(outcome)
                .isInstanceOf(
                        hard.fits()
                                ? AllocationOutcome.Allocated.class
                                : AllocationOutcome.DoesNotFit.class);
    }
}

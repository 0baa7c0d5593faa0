package dev.berth.dashboard.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.utilisation.ClassUtilisation;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.Fit;
import dev.berth.core.utilisation.FitSize;
import dev.berth.core.utilisation.Utilisation;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimSpec;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageHistoryTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectRef CLAIM = new ObjectRef("ml", "c");
    private static final DeviceId DEVICE = new DeviceId("gpu.example.com", "node-1", "gpu-0");

    @TempDir private Path directory;

    private static Clock at(Duration later) {
        return Clock.fixed(NOON.plus(later), ZoneOffset.UTC);
    }

    private static ClusterUtilisation utilisation(double inUse) {
        var gpu =
                new ClassUtilisation(
                        "gpu",
                        new Utilisation(8, inUse),
                        2,
                        1,
                        0,
                        2,
                        0,
                        new TreeMap<>(),
                        new TreeMap<>(Map.of("ml", inUse)),
                        List.of(new Fit(new FitSize.OnOneNode(1), 2, 2, true)));
        return new ClusterUtilisation(new TreeMap<>(Map.of("gpu", gpu)));
    }

    private static Optional<ResourceClaim> claim(boolean isAllocated) {
        var device =
                new AllocatedDevice(
                        "gpu",
                        DEVICE,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Map.of(),
                        List.of());
        var allocation =
                new AllocationResult(
                        List.of(device), List.of(), Optional.empty(), Optional.of(NOON));
        return Optional.of(
                new ResourceClaim(
                        ObjectMeta.of("ml", "c"),
                        new ResourceClaimSpec(List.of(), List.of(), List.of()),
                        isAllocated
                                ? new ResourceClaimStatus(
                                        Optional.of(allocation), List.of(), List.of())
                                : ResourceClaimStatus.EMPTY));
    }

    private Optional<Path> file() {
        return Optional.of(directory.resolve("state").resolve("history.jsonl"));
    }

    @Test
    void samplesSurviveARestart() {
        var first = UsageHistory.open(at(Duration.ZERO), file());
        first.scheduled(Duration.ofMillis(1500));
        first.sample(utilisation(5.5), 3);
        first.sample(utilisation(5.5), 3);

        var second = UsageHistory.open(at(Duration.ofMinutes(1)), file());

        assertThat(second.samples()).isEqualTo(first.samples()).hasSize(2);
        assertThat(second.samples().getFirst().latency().median()).isEqualTo(1.5);
        assertThat(second.samples().getFirst().counts().pending()).isEqualTo(3);
    }

    @Test
    void samplesOfADayAreKept() {
        UsageHistory.open(at(Duration.ZERO), file()).sample(utilisation(1), 0);

        assertThat(UsageHistory.open(at(Duration.ofHours(23)), file()).samples()).hasSize(1);
        assertThat(UsageHistory.open(at(Duration.ofHours(25)), file()).samples()).isEmpty();
    }

    @Test
    void halfALineIsSkipped() throws IOException {
        UsageHistory.open(at(Duration.ZERO), file()).sample(utilisation(1), 0);
        Files.writeString(
                file().orElseThrow(),
                Files.readString(file().orElseThrow()) + "{\"t\":17672",
                StandardCharsets.UTF_8);

        assertThat(UsageHistory.open(at(Duration.ofMinutes(1)), file()).samples()).hasSize(1);
    }

    @Test
    void anIntervalEndsWithItsAllocation() {
        var history = UsageHistory.open(at(Duration.ofMinutes(5)), Optional.empty());
        history.update(Set.of(CLAIM), _ -> claim(true));
        history.update(Set.of(CLAIM), _ -> claim(false));

        var interval = history.intervals().getFirst();
        assertThat(interval.device()).isEqualTo(DEVICE);
        assertThat(interval.from()).isEqualTo(NOON.getEpochSecond());
        assertThat(interval.to()).isEqualTo(NOON.plusSeconds(300).getEpochSecond());
    }

    @Test
    void anIntervalContinuesAfterARestart() {
        var first = UsageHistory.open(at(Duration.ofMinutes(1)), file());
        first.update(Set.of(CLAIM), _ -> claim(true));
        first.close();

        var second = UsageHistory.open(at(Duration.ofMinutes(2)), file());
        second.update(Set.of(CLAIM), _ -> claim(true));

        assertThat(second.intervals()).hasSize(1);
        assertThat(second.intervals().getFirst().isOpen()).isTrue();
    }

    @Test
    void aPointHasTheLastSampleBeforeItAndGapsAreEmpty() {
        var sample = new Sample(1000, Sample.counts(utilisation(5.5), 1), Sample.Latency.NONE);
        var series = new HistorySeries("gpu", List.of(sample), List.of(990L, 1010L, 1100L), 10);

        assertThat(series.byState().getFirst().items("values").toString())
                .isEqualTo("[JsonNull[], JsonNumber[literal=5.5], JsonNull[]]");
    }
}

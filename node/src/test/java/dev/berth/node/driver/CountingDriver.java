package dev.berth.node.driver;

import dev.berth.node.cdi.ContainerEdits;
import java.util.ArrayList;
import java.util.List;

/// A driver that records its calls, and fails with a given message.
public final class CountingDriver implements Driver<CountingDriver.Sharing> {

    /// Parameters of claims.
    public record Sharing(long parts) {}

    public final List<ClaimAssignment<Sharing>> prepared = new ArrayList<>();
    public final List<PreparedClaim> unprepared = new ArrayList<>();
    public volatile String failure = "";

    @Override
    public Parameters<Sharing> parameters() {
        return Parameters.of(
                "gpu.example.com/v1",
                "Sharing",
                fields -> new Sharing(fields.number("parts", 1, 8).orElse(1)),
                new Sharing(1));
    }

    @Override
    public synchronized PrepareResult prepare(ClaimAssignment<Sharing> claim) {
        prepared.add(claim);
        failOnDemand();
        return PrepareResult.of(
                claim,
                device ->
                        ContainerEdits.NONE
                                .withEnv("GPU_" + device.name().replace('-', '_'), "yes")
                                .withEnv("PARTS", Long.toString(device.parameters().parts())));
    }

    @Override
    public synchronized void unprepare(PreparedClaim claim) {
        unprepared.add(claim);
        failOnDemand();
    }

    private void failOnDemand() {
        if (!failure.isEmpty()) {
            throw new IllegalStateException(failure);
        }
    }
}

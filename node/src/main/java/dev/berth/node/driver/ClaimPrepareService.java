package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.text.FailureText;
import dev.berth.node.driver.ClaimRecord.RecordedDevice;
import dev.berth.node.driver.ClaimRecord.State;
import dev.berth.node.driver.ClaimRecords.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Prepares and unprepares claims, one at a time.
///
/// A claim's record is written before the driver is called and again when the call is complete.
/// After a crash at any point the driver is therefore called to finish or undo what it began, and
/// is not called for what is complete.
final class ClaimPrepareService<P> {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    private final DriverOptions options;
    private final Cluster cluster;
    private final Driver<P> driver;
    private final ClaimRecords records;
    private final ClaimCdiSpecs specs;
    private final ClaimStatus status;
    private final ProcessMutex mutex;
    private final String boot;
    private final Codec codec = new Codec();

    ClaimPrepareService(
            DriverOptions options,
            Cluster cluster,
            Driver<P> driver,
            ClaimRecords records,
            ClaimCdiSpecs specs) {
        this.options = options;
        this.cluster = cluster;
        this.driver = driver;
        this.records = records;
        this.specs = specs;
        this.status = new ClaimStatus(cluster, options.clock());
        this.mutex = new ProcessMutex(options.data().resolve("serialize.lock"));
        this.boot = BootId.id();
    }

    /// Outcome of NodePrepareResources for one claim.
    sealed interface Outcome {

        record Ready(List<RecordedDevice> devices) implements Outcome {}

        record Failed(String reason) implements Outcome {}
    }

    Outcome prepare(ClaimRef claim) {
        if (!ClaimRecords.isSafe(claim.uid())) {
            return new Outcome.Failed("\"%s\" is not a UID".formatted(claim.uid()));
        }
        try {
            return mutex.run(() -> prepareLocked(claim));
        } catch (IOException e) {
            return new Outcome.Failed(FailureText.of(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed("the driver is stopping");
        }
    }

    private Outcome prepareLocked(ClaimRef ref) throws IOException, InterruptedException {
        switch (records.find(ref.uid())) {
            case Found.Present(var record)
                    when record.state() == State.PREPARED
                            && record.boot().equals(boot)
                            && specs.isComplete(record) -> {
                return new Outcome.Ready(record.devices());
            }
            case Found.Unreadable(var file, var reason) -> {
                return new Outcome.Failed(
                        "claim record %s cannot be read: %s; delete the pod to clean up"
                                .formatted(file, reason));
            }
            case Found.Present _, Found.Absent _ -> {}
        }
        return switch (fetch(ref)) {
            case Fetched.Failed<P>(var reason) -> new Outcome.Failed(reason);
            case Fetched.Claim<P>(var assignment) -> prepare(assignment);
        };
    }

    /// Result of reading a claim from the API server, bypassing every cache.
    private sealed interface Fetched<P> {

        record Claim<P>(ClaimAssignment<P> assignment) implements Fetched<P> {}

        record Failed<P>(String reason) implements Fetched<P> {}
    }

    private Fetched<P> fetch(ClaimRef ref) {
        var outcome = cluster.send(new Request.Get(CLAIMS, ref.namespace(), ref.name()));
        if (!(outcome instanceof RequestResult.Done(var tree))) {
            return new Fetched.Failed<>("claim %s: %s".formatted(ref, outcome.message()));
        }
        return switch (codec.readTree(Kinds.RESOURCE_CLAIM, tree, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Refused<ResourceClaim> refused ->
                    new Fetched.Failed<>("claim %s: %s".formatted(ref, refused.message()));
            case Decoded.Read<ResourceClaim>(var claim, _)
                    when !claim.metadata().uid().equals(ref.uid()) ->
                    new Fetched.Failed<>(
                            "claim %s was replaced: its UID is %s, not %s"
                                    .formatted(ref, claim.metadata().uid(), ref.uid()));
            case Decoded.Read<ResourceClaim>(var claim, _) ->
                    claim.status()
                            .allocation()
                            .map(allocation -> assigned(ref, allocation))
                            .orElseGet(() ->
                                    new Fetched.Failed<>(
                                            "claim %s is not allocated".formatted(ref)));
        };
    }

    private Fetched<P> assigned(ClaimRef ref, AllocationResult allocation) {
        var parameters = new ClaimParameters<>(driver.parameters(), options.driver(), allocation);
        if (!parameters.problems().isEmpty()) {
            return new Fetched.Failed<>(
                    "claim %s: %s".formatted(ref, String.join("; ", parameters.problems())));
        }
        var devices = new ArrayList<AssignedDevice<P>>();
        for (var device : allocation.devices()) {
            if (device.id().driver().equals(options.driver())) {
                devices.add(assigned(device, parameters.of(device.request())));
            }
        }
        return devices.isEmpty()
                ? new Fetched.Failed<>(
                        "claim %s has no device of driver %s".formatted(ref, options.driver()))
                : new Fetched.Claim<>(new ClaimAssignment<>(ref, devices));
    }

    private AssignedDevice<P> assigned(AllocatedDevice device, P parameters) {
        return new AssignedDevice<>(
                device.request(),
                device.id(),
                device.shareId(),
                device.consumedCapacity(),
                device.isAdmin(),
                parameters);
    }

    private Outcome prepare(ClaimAssignment<P> assignment)
            throws IOException, InterruptedException {
        var claim = assignment.claim();
        var recorded =
                assignment.devices().stream()
                        .map(device ->
                                new RecordedDevice(
                                        device.baseRequest(),
                                        device.id(),
                                        device.share(),
                                        List.of()))
                        .toList();
        records.put(new ClaimRecord(claim, State.PREPARING, boot, recorded));
        PrepareResult preparation;
        try {
            preparation = driver.prepare(assignment);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return new Outcome.Failed(reason(e));
        }
        var unexpected = difference(assignment, preparation);
        if (unexpected.isPresent()) {
            return new Outcome.Failed(unexpected.get());
        }
        switch (specs.write(claim, preparation)) {
            case ClaimCdiSpecs.Written.Refused(var reason) -> {
                return new Outcome.Failed("the driver's CDI spec is invalid: " + reason);
            }
            case ClaimCdiSpecs.Written.Done(var devices) -> {
                records.put(new ClaimRecord(claim, State.PREPARED, boot, devices));
                status.write(claim, preparation.devices())
                        .ifPresent(reason ->
                                options.problems()
                                        .accept(
                                                new DriverProblem.StatusWriteFailed(
                                                        claim, reason)));
                return new Outcome.Ready(devices);
            }
        }
    }

    private static Optional<String> difference(
            ClaimAssignment<?> assignment, PrepareResult preparation) {
        var missing = new HashSet<Object>(assignment.devices());
        for (var one : preparation.devices()) {
            if (!missing.remove(one.device())) {
                return Optional.of(
                        "the driver prepared %s twice, or it is not allocated to the claim"
                                .formatted(one.device().id()));
            }
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("the driver prepared only some of the claim's devices");
    }

    /// Unprepares a claim. Returns the error, if it failed.
    Optional<String> unprepare(ClaimRef claim) {
        if (!ClaimRecords.isSafe(claim.uid())) {
            return Optional.of("\"%s\" is not a UID".formatted(claim.uid()));
        }
        try {
            return mutex.run(() -> unprepareLocked(claim));
        } catch (IOException e) {
            return Optional.of(FailureText.of(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of("the driver is stopping");
        }
    }

    private Optional<String> unprepareLocked(ClaimRef claim)
            throws IOException, InterruptedException {
        var prepared =
                switch (records.find(claim.uid())) {
                    // The driver was never called for this claim.
                    case Found.Absent _ -> Optional.<PreparedClaim>empty();
                    case Found.Present(var record) -> Optional.of(record.toPrepared());
                    case Found.Unreadable _ -> Optional.of(new PreparedClaim(claim, List.of()));
                };
        if (prepared.isPresent()) {
            try {
                driver.unprepare(prepared.get());
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                return Optional.of(reason(e));
            }
        }
        specs.delete(claim.uid());
        records.delete(claim.uid());
        return Optional.empty();
    }

    private static String reason(Exception e) {
        return FailureText.of(e);
    }
}

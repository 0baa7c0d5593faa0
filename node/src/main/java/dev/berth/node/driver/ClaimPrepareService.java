package dev.berth.node.driver;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.RequestResult;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.ResourceClaim;
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

/// Where claims are prepared and unprepared, one at a time.
///
/// A claim's record is written before the driver is called and again when it is done, so whatever
/// is killed in between, the driver is asked to finish or to undo what it began, and is not asked
/// for what is done.
final class ClaimPrepareService<P> {

    private static final ResourcePath CLAIMS = ResourcePath.of(Kinds.RESOURCE_CLAIM);

    private final DriverOptions options;
    private final Cluster cluster;
    private final Driver<P> driver;
    private final ClaimRecords records;
    private final ClaimDocuments documents;
    private final ClaimStatus status;
    private final ClaimLocks exclusive;
    private final String boot;
    private final Codec codec = new Codec();

    ClaimPrepareService(
            DriverOptions options,
            Cluster cluster,
            Driver<P> driver,
            ClaimRecords records,
            ClaimDocuments documents) {
        this.options = options;
        this.cluster = cluster;
        this.driver = driver;
        this.records = records;
        this.documents = documents;
        this.status = new ClaimStatus(cluster, options.clock());
        this.exclusive = new ClaimLocks(options.data().resolve("serialize.lock"));
        this.boot = BootId.id();
    }

    /// What a kubelet is told.
    sealed interface Answer {

        record Ready(List<RecordedDevice> devices) implements Answer {}

        record Failed(String reason) implements Answer {}
    }

    Answer prepare(ClaimRef claim) {
        if (!ClaimRecords.isSafe(claim.uid())) {
            return new Answer.Failed("\"%s\" is not a UID".formatted(claim.uid()));
        }
        try {
            return exclusive.run(() -> prepareAlone(claim));
        } catch (IOException e) {
            return new Answer.Failed(FailureText.of(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Answer.Failed("the driver is stopping");
        }
    }

    private Answer prepareAlone(ClaimRef ref) throws IOException, InterruptedException {
        switch (records.find(ref.uid())) {
            case Found.Known(var record)
                    when record.state() == State.PREPARED
                            && record.boot().equals(boot)
                            && documents.isComplete(record) -> {
                return new Answer.Ready(record.devices());
            }
            case Found.Broken(var file, var reason) -> {
                return new Answer.Failed(
                        "record %s cannot be read: %s; delete the pod, which cleans up"
                                .formatted(file, reason));
            }
            case Found.Known _, Found.Nothing _ -> {}
        }
        return switch (fetch(ref)) {
            case Fetched.Failed<P>(var reason) -> new Answer.Failed(reason);
            case Fetched.Claim<P>(var assignment) -> prepare(assignment);
        };
    }

    /// A claim as the cluster has it, past every cache.
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
                            "claim %s got replaced: its UID is %s, not %s"
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

    private Answer prepare(ClaimAssignment<P> assignment) throws IOException, InterruptedException {
        var claim = assignment.claim();
        var begun =
                assignment.devices().stream()
                        .map(device ->
                                new RecordedDevice(
                                        device.baseRequest(),
                                        device.id(),
                                        device.share(),
                                        List.of()))
                        .toList();
        records.put(new ClaimRecord(claim, State.PREPARING, boot, begun));
        PrepareResult preparation;
        try {
            preparation = driver.prepare(assignment);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return new Answer.Failed(reason(e));
        }
        var unexpected = difference(assignment, preparation);
        if (unexpected.isPresent()) {
            return new Answer.Failed(unexpected.get());
        }
        switch (documents.write(claim, preparation)) {
            case ClaimDocuments.Written.Refused(var reason) -> {
                return new Answer.Failed("the driver's CDI document is invalid: " + reason);
            }
            case ClaimDocuments.Written.Done(var devices) -> {
                records.put(new ClaimRecord(claim, State.PREPARED, boot, devices));
                status.write(claim, preparation.devices())
                        .ifPresent(reason ->
                                options.problems()
                                        .accept(new DriverProblem.ReportFailed(claim, reason)));
                return new Answer.Ready(devices);
            }
        }
    }

    private static Optional<String> difference(
            ClaimAssignment<?> assignment, PrepareResult preparation) {
        var wanted = new HashSet<Object>(assignment.devices());
        for (var one : preparation.devices()) {
            if (!wanted.remove(one.device())) {
                return Optional.of(
                        "the driver prepared %s, which the claim has not got, or twice"
                                .formatted(one.device().id()));
            }
        }
        return wanted.isEmpty()
                ? Optional.empty()
                : Optional.of("the driver prepared only some of the claim's devices");
    }

    /// Takes back what was prepared; why it could not be, if so.
    Optional<String> unprepare(ClaimRef claim) {
        if (!ClaimRecords.isSafe(claim.uid())) {
            return Optional.of("\"%s\" is not a UID".formatted(claim.uid()));
        }
        try {
            return exclusive.run(() -> unprepareAlone(claim));
        } catch (IOException e) {
            return Optional.of(FailureText.of(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.of("the driver is stopping");
        }
    }

    private Optional<String> unprepareAlone(ClaimRef claim)
            throws IOException, InterruptedException {
        var prepared =
                switch (records.find(claim.uid())) {
                    // The driver was never asked to do anything.
                    case Found.Nothing _ -> Optional.<PreparedClaim>empty();
                    case Found.Known(var record) -> Optional.of(record.toPrepared());
                    case Found.Broken _ -> Optional.of(new PreparedClaim(claim, List.of()));
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
        documents.delete(claim.uid());
        records.delete(claim.uid());
        return Optional.empty();
    }

    private static String reason(Exception e) {
        return FailureText.of(e);
    }
}

package dev.berth.core.place;

import dev.berth.core.taint.Taints;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// DynamicResources: an allocated claim cannot be used by the pod on any node.
public record ClaimUnusable(ObjectRef claim, UnusableClaim cause) implements Rejection {

    private static final int MAX_LISTED = 4;

    @Override
    public String text() {
        return cause instanceof UnusableClaim.ReservationsFull(var users)
                ? "resourceclaim %s is in use by %d pods, which is the maximum"
                        .formatted(claim, users)
                : "resourceclaim not available on the node";
    }

    @Override
    public String description() {
        return switch (cause) {
            case UnusableClaim.Tainted(var device, var taint) ->
                    "claim %s has device %s, which is tainted %s"
                            .formatted(claim, device, Taints.format(taint));
            case UnusableClaim.BindingFailed(var device, var condition) ->
                    "claim %s has device %s, whose binding failed: %s"
                            .formatted(claim, device, format(condition));
            case UnusableClaim.BindingTimedOut(var device, var missing, var timeout) ->
                    ("claim %s has device %s, whose binding timed out after %d s:"
                                    + " missing condition %s")
                            .formatted(claim, device, timeout.toSeconds(), listed(missing));
            case UnusableClaim.AllocatedTwice(var device, var others) ->
                    others.isEmpty()
                            ? "claim %s has device %s, whose pool is overallocated"
                                    .formatted(claim, device)
                            : "claim %s has device %s, which is also allocated to %s"
                                    .formatted(claim, device, claims(others));
            case UnusableClaim.ReservationsFull(var users) ->
                    "claim %s is reserved for %d pods, which is the maximum"
                            .formatted(claim, users);
        };
    }

    /// `condition AttachFailed, reason NoCable: "port 3 is dark"`.
    private static String format(Condition condition) {
        var reason = condition.reason().isEmpty() ? "" : ", reason " + condition.reason();
        var message = condition.message().isEmpty() ? "" : ": \"" + condition.message() + "\"";
        return "condition " + condition.type() + reason + message;
    }

    @Override
    public Optional<String> remedy() {
        return Optional.of(
                switch (cause) {
                    case UnusableClaim.Tainted(var device, var taint) ->
                            "remove taint %s from device %s"
                                    .formatted(Taints.format(taint), device);
                    case UnusableClaim.BindingFailed(var device, _) -> completeBinding(device);
                    case UnusableClaim.BindingTimedOut(var device, _, _) -> completeBinding(device);
                    case UnusableClaim.AllocatedTwice(var device, var others) ->
                            others.isEmpty()
                                    ? "deallocate other claims that draw on the counters of device "
                                            + device
                                    : "release device %s from %s".formatted(device, claims(others));
                    case UnusableClaim.ReservationsFull _ ->
                            "delete a pod that uses claim %s".formatted(claim);
                });
    }

    private static String completeBinding(DeviceId device) {
        return "complete the binding of device %s".formatted(device);
    }

    @Override
    public Optional<String> resolvingEvent() {
        return Optional.of(
                switch (cause) {
                    case UnusableClaim.Tainted(var device, var taint) ->
                            "taint %s is removed from device %s"
                                    .formatted(Taints.format(taint), device);
                    case UnusableClaim.BindingFailed(var device, _) -> bound(device);
                    case UnusableClaim.BindingTimedOut(var device, _, _) -> bound(device);
                    case UnusableClaim.AllocatedTwice(var device, var others) ->
                            others.isEmpty()
                                    ? "other claims release the counters of device %s"
                                            .formatted(device)
                                    : "no other claim has device %s".formatted(device);
                    case UnusableClaim.ReservationsFull _ ->
                            "a pod that uses claim %s ends".formatted(claim);
                });
    }

    private static String bound(DeviceId device) {
        return "device %s is bound".formatted(device);
    }

    private static String claims(List<ObjectRef> claims) {
        var names = claims.stream().map(ObjectRef::toString).toList();
        return (names.size() == 1 ? "claim " : "claims ") + listed(names);
    }

    private static String listed(List<String> items) {
        var shown = String.join(", ", items.stream().limit(MAX_LISTED).toList());
        var more = items.size() - MAX_LISTED;
        return more > 0 ? shown + " and " + more + " more" : shown;
    }

    @Override
    public Set<ClusterEvent> requeueOn() {
        return ClusterEvent.DEVICE_EVENTS;
    }
}

package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import dev.berth.core.place.UnusableClaim;
import dev.berth.model.api.Condition;
import dev.berth.model.api.DeviceId;

/// Words for the reasons why a pod cannot use an allocated claim.
final class UnusableClaimText {

    private UnusableClaimText() {}

    /// The reason, with claim and device.
    static String describe(Rejection.ClaimUnusable reason) {
        var claim = reason.claim();
        return switch (reason.cause()) {
            case UnusableClaim.Tainted(var device, var taint) ->
                    "claim %s has device %s, which is tainted %s"
                            .formatted(claim, device, ExplanationWording.taint(taint));
            case UnusableClaim.BindingFailed(var device, var condition) ->
                    "claim %s has device %s, whose binding failed: %s"
                            .formatted(claim, device, format(condition));
            case UnusableClaim.BindingTimedOut(var device, var missing, var patience) ->
                    ("claim %s has device %s, whose binding timed out after %d s:"
                                    + " missing condition %s")
                            .formatted(
                                    claim,
                                    device,
                                    patience.toSeconds(),
                                    ExplanationWording.listed(missing, ", "));
            case UnusableClaim.AllocatedTwice(var device, var others) ->
                    others.isEmpty()
                            ? "claim %s has device %s, whose pool is overallocated"
                                    .formatted(claim, device)
                            : "claim %s has device %s, which is also allocated to %s"
                                    .formatted(claim, device, ExplanationWording.claims(others));
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

    /// The change that removes the reason.
    static String remedy(Rejection.ClaimUnusable reason) {
        return switch (reason.cause()) {
            case UnusableClaim.Tainted(var device, var taint) ->
                    "remove taint %s from device %s"
                            .formatted(ExplanationWording.taint(taint), device);
            case UnusableClaim.BindingFailed(var device, _) ->
                    "complete the binding of device %s".formatted(device);
            case UnusableClaim.BindingTimedOut(var device, _, _) ->
                    "complete the binding of device %s".formatted(device);
            case UnusableClaim.AllocatedTwice(var device, var others) ->
                    others.isEmpty()
                            ? "deallocate other claims that draw on the counters of device %s"
                                    .formatted(device)
                            : "release device %s from %s"
                                    .formatted(device, ExplanationWording.claims(others));
            case UnusableClaim.ReservationsFull _ ->
                    "delete a pod that uses claim %s".formatted(reason.claim());
        };
    }

    /// The event that removes the reason.
    static String resolvingEvent(Rejection.ClaimUnusable reason) {
        return switch (reason.cause()) {
            case UnusableClaim.Tainted(var device, var taint) ->
                    "taint %s is removed from device %s"
                            .formatted(ExplanationWording.taint(taint), device);
            case UnusableClaim.BindingFailed(var device, _) -> bound(device);
            case UnusableClaim.BindingTimedOut(var device, _, _) -> bound(device);
            case UnusableClaim.AllocatedTwice(var device, var others) ->
                    others.isEmpty()
                            ? "other claims release the counters of device %s".formatted(device)
                            : "no other claim has device %s".formatted(device);
            case UnusableClaim.ReservationsFull _ ->
                    "a pod that uses claim %s ends".formatted(reason.claim());
        };
    }

    private static String bound(DeviceId device) {
        return "device %s is bound".formatted(device);
    }
}

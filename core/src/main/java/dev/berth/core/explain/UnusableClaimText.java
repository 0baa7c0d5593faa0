package dev.berth.core.explain;

import dev.berth.core.place.Rejection;
import dev.berth.core.place.UnusableClaim;
import dev.berth.model.api.Condition;
import dev.berth.model.api.DeviceId;

/// How it is put into words that a pod may not use what a claim of it has.
final class UnusableClaimText {

    private UnusableClaimText() {}

    /// What is wrong, with claim and device.
    static String words(Rejection.ClaimUnusable reason) {
        var claim = reason.claim();
        return switch (reason.trouble()) {
            case UnusableClaim.Tainted(var device, var taint) ->
                    "claim %s has device %s, which is tainted %s"
                            .formatted(claim, device, ExplanationWording.taint(taint));
            case UnusableClaim.Unattached(var device, var condition) ->
                    "claim %s has device %s, which could not be attached: %s"
                            .formatted(claim, device, shown(condition));
            case UnusableClaim.Late(var device, var missing, var patience) ->
                    "claim %s has device %s, which is not attached after %d s: no condition %s"
                            .formatted(
                                    claim,
                                    device,
                                    patience.toSeconds(),
                                    ExplanationWording.listed(missing, ", "));
            case UnusableClaim.GivenTwice(var device, var others) ->
                    others.isEmpty()
                            ? "claim %s has device %s, and more is given of its pool than there is"
                                    .formatted(claim, device)
                            : "claim %s has device %s, which %s %s as well"
                                    .formatted(
                                            claim,
                                            device,
                                            ExplanationWording.claims(others),
                                            others.size() == 1 ? "has" : "have");
            case UnusableClaim.Full(var users) ->
                    "claim %s is in use by %d pods, which is the most".formatted(claim, users);
        };
    }

    /// `condition Broken, reason NoCable: "nobody is plugged in"`.
    private static String shown(Condition condition) {
        var reason = condition.reason().isEmpty() ? "" : ", reason " + condition.reason();
        var message = condition.message().isEmpty() ? "" : ": \"" + condition.message() + "\"";
        return "condition " + condition.type() + reason + message;
    }

    /// What somebody would have to do about it.
    static String remedy(Rejection.ClaimUnusable reason) {
        return switch (reason.trouble()) {
            case UnusableClaim.Tainted(var device, var taint) ->
                    "take taint %s off device %s"
                            .formatted(ExplanationWording.taint(taint), device);
            case UnusableClaim.Unattached(var device, _) ->
                    "have device %s attached".formatted(device);
            case UnusableClaim.Late(var device, _, _) ->
                    "have device %s attached".formatted(device);
            case UnusableClaim.GivenTwice(var device, var others) ->
                    others.isEmpty()
                            ? "have others give back what device %s needs".formatted(device)
                            : "have %s give back device %s"
                                    .formatted(ExplanationWording.claims(others), device);
            case UnusableClaim.Full _ -> "end a pod that uses claim %s".formatted(reason.claim());
        };
    }

    /// What would have to happen so that it is gone.
    static String event(Rejection.ClaimUnusable reason) {
        return switch (reason.trouble()) {
            case UnusableClaim.Tainted(var device, var taint) ->
                    "taint %s is off device %s".formatted(ExplanationWording.taint(taint), device);
            case UnusableClaim.Unattached(var device, _) -> attached(device);
            case UnusableClaim.Late(var device, _, _) -> attached(device);
            case UnusableClaim.GivenTwice(var device, var others) ->
                    others.isEmpty()
                            ? "others have given back what device %s needs".formatted(device)
                            : "no other claim has device %s".formatted(device);
            case UnusableClaim.Full _ ->
                    "a pod that uses claim %s has ended".formatted(reason.claim());
        };
    }

    private static String attached(DeviceId device) {
        return "device %s is attached".formatted(device);
    }
}

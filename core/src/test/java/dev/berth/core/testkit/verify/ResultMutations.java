package dev.berth.core.testkit.verify;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConfigSource;
import dev.berth.model.api.claim.DeviceAllocationConfiguration;
import dev.berth.model.api.claim.DeviceConfiguration;
import dev.berth.model.api.claim.DeviceRequest;
import dev.berth.model.api.selector.NodeSelector;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.model.api.taint.DeviceToleration;
import dev.berth.model.api.taint.TolerationOperator;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Mutations of allocation results that make them invalid.
final class ResultMutations {

    private ResultMutations() {}

    static List<AllocationMutation> all() {
        return Stream.of(devices(), copies(), claims()).flatMap(List::stream).toList();
    }

    private static List<AllocationMutation> devices() {
        return List.of(
                AllocationMutation.always(
                        "a result is missing",
                        "results for",
                        one -> one.withResults(one.results().subList(1, one.results().size()))),
                AllocationMutation.always(
                        "a device is missing", "claim", ResultMutations::dropLast),
                AllocationMutation.always(
                        "a device is there twice", "twice", ResultMutations::repeatLast),
                AllocationMutation.always(
                        "there are 33 devices",
                        "more than 32",
                        one -> one.withDevices(Collections.nCopies(33, one.device()))),
                AllocationMutation.always(
                        "the device does not exist",
                        "no device",
                        one -> one.withDevice(withId(one.device()))),
                AllocationMutation.always(
                        "the request does not exist",
                        "no request",
                        one -> one.withDevice(withRequest(one.device(), "nothing"))),
                new AllocationMutation(
                        "devices are out of order",
                        "order",
                        one -> requests(one).size() > 1,
                        ResultMutations::reverse),
                new AllocationMutation(
                        "two alternatives at once",
                        "must use one alternative",
                        ResultMutations::hasOtherAlternative,
                        one -> one.withDevice(withRequest(one.device(), otherAlternative(one)))));
    }

    private static List<AllocationMutation> copies() {
        return List.of(
                copies("adminAccess", ResultMutations::flipAdmin),
                copies("tolerations", ResultMutations::addToleration),
                copies("bindingConditions", ResultMutations::addCondition),
                copies("bindingFailureConditions", ResultMutations::addFailureCondition),
                copies("skipNodeOperations", ResultMutations::addSkip),
                copies("shareID", ResultMutations::flipShare),
                AllocationMutation.always(
                        "more is consumed",
                        "consumes",
                        one -> one.withDevice(consumeMore(one.device()))));
    }

    private static List<AllocationMutation> claims() {
        return List.of(
                AllocationMutation.always(
                        "config is made up", "config is", ResultMutations::addConfig),
                AllocationMutation.always(
                        "the node selector is wrong",
                        "node selector",
                        one ->
                                one.withResult(
                                        new AllocationResult(
                                                one.result().devices(),
                                                one.result().config(),
                                                Optional.of(NodeSelector.ofNode("node-7")),
                                                Optional.empty()))),
                new AllocationMutation(
                        "the node selector is missing",
                        "node selector",
                        one -> one.result().nodeSelector().isPresent(),
                        one ->
                                one.withResult(
                                        new AllocationResult(
                                                one.result().devices(),
                                                one.result().config(),
                                                Optional.empty(),
                                                Optional.empty()))),
                AllocationMutation.always(
                        "the time is set",
                        "time",
                        one ->
                                one.withResult(
                                        new AllocationResult(
                                                one.result().devices(),
                                                one.result().config(),
                                                one.result().nodeSelector(),
                                                Optional.of(Instant.EPOCH)))));
    }

    private static AllocationMutation copies(String field, UnaryOperator<AllocatedDevice> change) {
        return AllocationMutation.always(
                "wrong " + field,
                "wrong " + field,
                one -> one.withDevice(change.apply(one.device())));
    }

    private static VerifiedAllocation dropLast(VerifiedAllocation one) {
        var devices = one.result().devices();
        return one.withDevices(devices.subList(0, devices.size() - 1));
    }

    private static VerifiedAllocation repeatLast(VerifiedAllocation one) {
        var devices = new ArrayList<>(one.result().devices());
        devices.add(devices.getLast());
        return one.withDevices(devices);
    }

    private static VerifiedAllocation reverse(VerifiedAllocation one) {
        return one.withDevices(one.result().devices().reversed());
    }

    private static List<String> requests(VerifiedAllocation one) {
        return one.result().devices().stream().map(AllocatedDevice::request).distinct().toList();
    }

    private static boolean hasOtherAlternative(VerifiedAllocation one) {
        var own = one.device().request();
        return one.result().devices().stream().filter(d -> d.request().equals(own)).count() > 1
                && one.resourceClaim().spec().requests().stream()
                        .anyMatch(request ->
                                request instanceof DeviceRequest.FirstAvailable choice
                                        && own.startsWith(choice.name() + "/")
                                        && choice.alternatives().size() > 1);
    }

    private static String otherAlternative(VerifiedAllocation one) {
        var own = one.device().request();
        var other = own.endsWith("0") ? "1" : "0";
        return own.substring(0, own.length() - 1) + other;
    }

    private static AllocatedDevice withId(AllocatedDevice d) {
        var id = new DeviceId(d.id().driver(), d.id().pool(), "nowhere");
        return new AllocatedDevice(
                d.request(),
                id,
                d.adminAccess(),
                d.tolerations(),
                d.bindingConditions(),
                d.bindingFailureConditions(),
                d.shareId(),
                d.consumedCapacity(),
                d.skipNodeOperations());
    }

    private static AllocatedDevice withRequest(AllocatedDevice d, String request) {
        return new AllocatedDevice(
                request,
                d.id(),
                d.adminAccess(),
                d.tolerations(),
                d.bindingConditions(),
                d.bindingFailureConditions(),
                d.shareId(),
                d.consumedCapacity(),
                d.skipNodeOperations());
    }

    private static AllocatedDevice flipAdmin(AllocatedDevice d) {
        return new AllocatedDevice(
                d.request(),
                d.id(),
                d.isAdmin() ? Optional.empty() : Optional.of(true),
                d.tolerations(),
                d.bindingConditions(),
                d.bindingFailureConditions(),
                d.shareId(),
                d.consumedCapacity(),
                d.skipNodeOperations());
    }

    private static AllocatedDevice addToleration(AllocatedDevice d) {
        var more = new ArrayList<>(d.tolerations());
        more.add(
                new DeviceToleration(
                        "made.up",
                        TolerationOperator.Known.EXISTS,
                        "",
                        Optional.empty(),
                        OptionalLong.empty()));
        return new AllocatedDevice(
                d.request(),
                d.id(),
                d.adminAccess(),
                more,
                d.bindingConditions(),
                d.bindingFailureConditions(),
                d.shareId(),
                d.consumedCapacity(),
                d.skipNodeOperations());
    }

    private static AllocatedDevice addCondition(AllocatedDevice d) {
        return new AllocatedDevice(
                d.request(),
                d.id(),
                d.adminAccess(),
                d.tolerations(),
                List.of("made.up"),
                d.bindingFailureConditions(),
                d.shareId(),
                d.consumedCapacity(),
                d.skipNodeOperations());
    }

    private static AllocatedDevice addFailureCondition(AllocatedDevice d) {
        return new AllocatedDevice(
                d.request(),
                d.id(),
                d.adminAccess(),
                d.tolerations(),
                d.bindingConditions(),
                List.of("made.up"),
                d.shareId(),
                d.consumedCapacity(),
                d.skipNodeOperations());
    }

    private static AllocatedDevice addSkip(AllocatedDevice d) {
        return new AllocatedDevice(
                d.request(),
                d.id(),
                d.adminAccess(),
                d.tolerations(),
                d.bindingConditions(),
                d.bindingFailureConditions(),
                d.shareId(),
                d.consumedCapacity(),
                List.of(SkipNodeOperation.Known.PREPARE));
    }

    private static AllocatedDevice flipShare(AllocatedDevice d) {
        return new AllocatedDevice(
                d.request(),
                d.id(),
                d.adminAccess(),
                d.tolerations(),
                d.bindingConditions(),
                d.bindingFailureConditions(),
                d.shareId().isPresent() ? Optional.empty() : Optional.of("made-up"),
                d.consumedCapacity(),
                d.skipNodeOperations());
    }

    private static AllocatedDevice consumeMore(AllocatedDevice d) {
        var consumed = new HashMap<>(d.consumedCapacity());
        consumed.merge("memory", Quantity.of(1), Quantity::plus);
        return new AllocatedDevice(
                d.request(),
                d.id(),
                d.adminAccess(),
                d.tolerations(),
                d.bindingConditions(),
                d.bindingFailureConditions(),
                d.shareId(),
                consumed,
                d.skipNodeOperations());
    }

    private static VerifiedAllocation addConfig(VerifiedAllocation one) {
        var config = new ArrayList<>(one.result().config());
        config.add(
                new DeviceAllocationConfiguration(
                        ConfigSource.Known.FROM_CLASS,
                        List.of(),
                        new DeviceConfiguration.Opaque("made.up", JsonObject.EMPTY)));
        return one.withResult(
                new AllocationResult(
                        one.result().devices(),
                        config,
                        one.result().nodeSelector(),
                        Optional.empty()));
    }
}

package dev.berth.core.admission;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.NameFormats;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.validation.ClaimStatusValidation;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Authorizes changes of a claim's status: the allocation belongs to the scheduler, the device
/// statuses to the drivers.
///
/// Permissions are checked on synthetic subresources: `resourceclaims/binding` and
/// `resourceclaims/driver`.
public final class StatusAuthorization {

    private static final FieldPath STATUS = FieldPath.of("status");
    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
    private static final String NODE_NAME = "authentication.kubernetes.io/node-name";
    private static final String ON_ITS_NODE = "associated-node:";
    private static final String ON_ANY_NODE = "arbitrary-node:";

    /// The user of the request.
    public record Caller(String name, Map<String, List<String>> extra) {
        public Caller {
            extra = Map.copyOf(extra);
        }
    }

    /// An access to resourceclaims to authorize.
    public record Access(String verb, String subresource, String namespace, String name) {}

    /// Returns why an access is denied; empty when it is allowed.
    @FunctionalInterface
    public interface Authorizer {
        Optional<String> refusal(Access access);
    }

    private final Caller caller;
    private final String verb;
    private final Authorizer authorizer;

    /// @param verb verb of the request: `update` or `patch`
    public StatusAuthorization(Caller caller, String verb, Authorizer authorizer) {
        this.caller = caller;
        this.verb = verb;
        this.authorizer = authorizer;
    }

    /// Checks a status update after preparation.
    public List<FieldError> check(JsonObject old, JsonObject claim) {
        var before = old.objectOrEmpty("status");
        var after = claim.objectOrEmpty("status");
        var problems = new ArrayList<FieldError>();
        if (!SemanticEquality.sameMember("allocation", before, after)
                || !SemanticEquality.sameMember("reservedFor", before, after)) {
            binding(problems);
        }
        if (after.has("allocation")) {
            devices(before, after, claim.objectOrEmpty("metadata").text("namespace"), problems);
        }
        return List.copyOf(problems);
    }

    private void binding(List<FieldError> problems) {
        authorizer
                .refusal(new Access(verb, "binding", "", ""))
                .ifPresent(reason ->
                        problems.add(
                                FieldError.forbidden(
                                        STATUS.child("allocation"),
                                        ("changing status.allocation or status.reservedFor "
                                                        + "requires resource="
                                                        + "\"resourceclaims/binding\", "
                                                        + "verb=\"%s\" permission: %s")
                                                .formatted(verb, reason))));
    }

    private void devices(
            JsonObject before, JsonObject after, String namespace, List<FieldError> problems) {
        var verbs = new ArrayList<String>();
        if (isOnNodeOf(after.objectOrEmpty("allocation"))) {
            verbs.add(ON_ITS_NODE + verb);
        }
        verbs.add(ON_ANY_NODE + verb);
        for (var driver : changedDrivers(before, after)) {
            driverRefusal(verbs, namespace, driver)
                    .ifPresent(reason ->
                            problems.add(
                                    FieldError.forbidden(
                                            STATUS.child("devices"),
                                            ("changing status.devices requires resource="
                                                            + "\"resourceclaims/driver\", "
                                                            + "verb=\"[%s]\" permission: "
                                                            + "%s")
                                                    .formatted(String.join(" ", verbs), reason))));
        }
    }

    /// One allowed verb is enough. The first denial is the one reported.
    private Optional<String> driverRefusal(List<String> verbs, String namespace, String driver) {
        var first = Optional.<String>empty();
        for (var one : verbs) {
            var refusal = authorizer.refusal(new Access(one, "driver", namespace, driver));
            if (refusal.isEmpty()) {
                return Optional.empty();
            }
            first = first.isPresent() ? first : refusal;
        }
        return first;
    }

    private static SortedSet<String> changedDrivers(JsonObject before, JsonObject after) {
        var oldDevices = new TreeMap<Json, JsonObject>(JsonOrder.INSTANCE);
        before.objects("devices")
                .forEach(d -> oldDevices.put(ClaimStatusValidation.deviceId(d), d));
        var drivers = new TreeSet<String>();
        for (var device : after.objects("devices")) {
            var old = oldDevices.remove(ClaimStatusValidation.deviceId(device));
            if (old == null || !SemanticEquality.same(old, device)) {
                drivers.add(device.text("driver"));
            }
        }
        oldDevices.values().forEach(device -> drivers.add(device.text("driver")));
        return drivers;
    }

    /// Whether the user is a service account of a pod on the only node of the allocation.
    private boolean isOnNodeOf(JsonObject allocation) {
        var nodes = caller.extra.getOrDefault(NODE_NAME, List.of());
        return isServiceAccount(caller.name)
                && nodes.size() == 1
                && NameFormats.subdomain(nodes.getFirst()).isEmpty()
                && nodeOf(allocation).equals(Optional.of(nodes.getFirst()));
    }

    private static boolean isServiceAccount(String name) {
        if (!name.startsWith(SERVICE_ACCOUNT)) {
            return false;
        }
        var parts = name.substring(SERVICE_ACCOUNT.length()).split(":", -1);
        return parts.length == 2
                && NameFormats.label(parts[0]).isEmpty()
                && NameFormats.subdomain(parts[1]).isEmpty();
    }

    /// The node of a selector that selects exactly one node by name.
    private static Optional<String> nodeOf(JsonObject allocation) {
        var terms = allocation.objectOrEmpty("nodeSelector").objects("nodeSelectorTerms");
        if (terms.size() != 1 || !terms.getFirst().items("matchExpressions").isEmpty()) {
            return Optional.empty();
        }
        var fields = terms.getFirst().objects("matchFields");
        if (fields.size() != 1) {
            return Optional.empty();
        }
        var field = fields.getFirst();
        var values = field.strings("values");
        return field.text("key").equals("metadata.name")
                        && field.text("operator").equals("In")
                        && values.size() == 1
                ? Optional.of(values.getFirst())
                : Optional.empty();
    }
}

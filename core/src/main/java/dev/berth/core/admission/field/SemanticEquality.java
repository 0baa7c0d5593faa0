package dev.berth.core.admission.field;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;

/// Semantic equality of JSON values, like `apiequality.Semantic.DeepEqual` in Kubernetes: `1Gi`
/// equals `1024Mi`, an empty list equals an absent one, an explicit zero equals an omitted one.
///
/// The type of a value follows from its path, because the tree has no types: the value of a
/// capacity is a quantity, the value of a taint is a string.
public final class SemanticEquality {

    /// Pointer fields, for which Kubernetes distinguishes absent from zero.
    private static final Set<String> DISTINGUISHES_ABSENT_FROM_ZERO =
            Set.of(
                    "adminAccess",
                    "allNodes",
                    "allocation",
                    "allowMultipleAllocations",
                    "bindsToNode",
                    "bool",
                    "cel",
                    "data",
                    "defaultPartitionTypeAttribute",
                    "deletionGracePeriodSeconds",
                    "deviceSelector",
                    "distinctAttribute",
                    "exactly",
                    "extendedResourceClaimStatus",
                    "extendedResourceName",
                    "int",
                    "limit",
                    "mapping",
                    "matchAttribute",
                    "networkData",
                    "nodeName",
                    "nodeSelector",
                    "opaque",
                    "overhead",
                    "partitionTypeAttribute",
                    "perDeviceNodeSelection",
                    "poolCount",
                    "poolName",
                    "requestPolicy",
                    "resourceClaimName",
                    "resourceClaimTemplateName",
                    "shareID",
                    "string",
                    "tolerationSeconds",
                    "validRange",
                    "version");

    private static final Set<String> ALWAYS_QUANTITIES =
            Set.of("capacityMultiplier", "deviceMultiplier", "perPod", "perContainer");
    private static final Set<String> POLICY_QUANTITIES = Set.of("default", "min", "max", "step");
    private static final Set<String> TIMES =
            Set.of(
                    "allocationTimestamp",
                    "creationTimestamp",
                    "deletionTimestamp",
                    "lastTransitionTime",
                    "timeAdded");

    /// Maps with user-defined keys: a key is present or absent, even with an empty value.
    private static final Set<String> MAPS =
            Set.of(
                    "annotations",
                    "attributes",
                    "capacity",
                    "consumedCapacity",
                    "counters",
                    "labels",
                    "limits",
                    "nodeAllocatableResources",
                    "requests");

    private static final Set<String> VERBATIM = Set.of("parameters", "data");

    private SemanticEquality() {}

    /// The path of a value: the names above it, nearest first, without list indexes.
    private record Location(String name, String parent, String grandparent) {

        static final Location TOP = new Location("", "", "");

        static Location at(FieldPath path) {
            return path.parent().map(Location::below).orElse(TOP).child(path);
        }

        private static Location below(FieldPath path) {
            return path.parent().isEmpty() ? TOP : at(path);
        }

        private Location child(FieldPath path) {
            var position = path.subscript() && path.step().chars().allMatch(Character::isDigit);
            return position || path.step().isEmpty() ? this : child(path.step());
        }

        Location child(String child) {
            return new Location(child, name, parent);
        }

        boolean isQuantity() {
            return ALWAYS_QUANTITIES.contains(name)
                    || name.equals("validValues")
                    || (name.equals("value")
                            && Set.of("capacity", "counters").contains(grandparent))
                    || (POLICY_QUANTITIES.contains(name)
                            && Set.of("requestPolicy", "validRange").contains(parent))
                    || parent.equals("consumedCapacity")
                    || (parent.equals("requests") && grandparent.equals("capacity"));
        }
    }

    public static boolean same(Json a, Json b) {
        return same(a, b, Location.TOP);
    }

    /// Whether two values at the same path are equal; either may be absent.
    public static boolean same(FieldPath path, Optional<Json> a, Optional<Json> b) {
        return a.equals(b)
                || sameOrAbsent(
                        a.orElse(JsonNull.INSTANCE),
                        b.orElse(JsonNull.INSTANCE),
                        Location.at(path));
    }

    public static boolean sameMember(String name, JsonObject a, JsonObject b) {
        return sameMember(name, a, b, Location.TOP);
    }

    /// Fast path: most members are identical, and then their path does not matter.
    private static boolean sameMember(String name, JsonObject a, JsonObject b, Location above) {
        var left = a.memberOrNull(name);
        var right = b.memberOrNull(name);
        return left.equals(right) || sameOrAbsent(left, right, above.child(name));
    }

    /// Whether two non-identical values are semantically equal; `null` counts as absent.
    private static boolean sameOrAbsent(Json left, Json right, Location location) {
        if (!oneIsNull(left, right)) {
            return semanticallyEqual(left, right, location);
        }
        var only = left instanceof JsonNull ? right : left;
        if (only instanceof JsonNull) {
            return true;
        }
        if (MAPS.contains(location.name) && only instanceof JsonObject map) {
            return map.isEmpty();
        }
        return !DISTINGUISHES_ABSENT_FROM_ZERO.contains(location.name) && isZero(only);
    }

    private static boolean same(Json a, Json b, Location location) {
        return a.equals(b) || semanticallyEqual(a, b, location);
    }

    /// Compares values that are not identical.
    private static boolean semanticallyEqual(Json a, Json b, Location location) {
        if (VERBATIM.contains(location.name)) {
            return false;
        }
        if (a instanceof JsonObject left && b instanceof JsonObject right) {
            return sameObjects(left, right, location);
        }
        if (a instanceof JsonArray left && b instanceof JsonArray right) {
            return sameArrays(left, right, location);
        }
        if (location.isQuantity()) {
            var left = quantity(a);
            return left.isPresent() && left.equals(quantity(b));
        }
        if (TIMES.contains(location.name)) {
            var left = time(a);
            return left.isPresent() && left.equals(time(b));
        }
        return isZero(a) && isZero(b) && oneIsNull(a, b);
    }

    private static boolean oneIsNull(Json a, Json b) {
        return a instanceof JsonNull || b instanceof JsonNull;
    }

    private static boolean sameObjects(JsonObject a, JsonObject b, Location location) {
        for (var at = 0; at < a.size(); at++) {
            if (!sameMember(a.nameAt(at), a, b, location)) {
                return false;
            }
        }
        for (var at = 0; at < b.size(); at++) {
            var name = b.nameAt(at);
            if (!a.members().containsKey(name) && !sameMember(name, a, b, location)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameArrays(JsonArray a, JsonArray b, Location location) {
        if (a.size() != b.size()) {
            return false;
        }
        for (var i = 0; i < a.size(); i++) {
            if (!same(a.items().get(i), b.items().get(i), location)) {
                return false;
            }
        }
        return true;
    }

    /// Whether the value is the zero value of an unset field.
    public static boolean isZero(Json value) {
        return switch (value) {
            case JsonNull _ -> true;
            case JsonBool(var flag) -> !flag;
            case JsonString(var text) -> text.isEmpty();
            case JsonNumber number -> number.asLong().orElse(1) == 0;
            case JsonArray array -> array.items().isEmpty();
            case JsonObject object -> hasOnlyZeros(object);
        };
    }

    private static boolean hasOnlyZeros(JsonObject object) {
        for (var at = 0; at < object.size(); at++) {
            if (!isZero(object.valueAt(at))) {
                return false;
            }
        }
        return true;
    }

    /// A quantity, written as a string or as a number.
    public static Optional<Quantity> quantity(Json value) {
        return switch (value) {
            case JsonString(var text) -> Quantity.tryParse(text);
            case JsonNumber(var literal) -> Quantity.tryParse(literal);
            default -> Optional.empty();
        };
    }

    private static Optional<Instant> time(Json value) {
        if (!(value instanceof JsonString(var text))) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}

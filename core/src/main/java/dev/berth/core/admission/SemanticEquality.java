package dev.berth.core.admission;

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

/// When two values mean the same, however they are spelled: `1Gi` and `1024Mi`, an empty list and
/// none, a zero that was written and one that was left out.
///
/// What a value is follows from where it stands, because the tree has no types: the amount of a
/// capacity is a quantity, the value of a taint is text.
public final class SemanticEquality {

    /// Members of which Kubernetes tells apart that they are absent and that they are zero.
    private static final Set<String> TELLS_ABSENT_FROM_ZERO =
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

    /// Members whose own members have names of the user's: such a name is there, or it is not.
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

    /// Where a value stands: the names above it, nearest first, list positions left out.
    private record Place(String name, String parent, String grandparent) {

        static final Place TOP = new Place("", "", "");

        static Place at(FieldPath path) {
            return path.parent().map(Place::below).orElse(TOP).child(path);
        }

        private static Place below(FieldPath path) {
            return path.parent().isEmpty() ? TOP : at(path);
        }

        private Place child(FieldPath path) {
            var position = path.subscript() && path.step().chars().allMatch(Character::isDigit);
            return position || path.step().isEmpty() ? this : child(path.step());
        }

        Place child(String child) {
            return new Place(child, name, parent);
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
        return same(a, b, Place.TOP);
    }

    /// True when two values at the same place mean the same; either may be absent.
    static boolean same(FieldPath path, Optional<Json> a, Optional<Json> b) {
        return a.equals(b)
                || sameOrAbsent(
                        a.orElse(JsonNull.INSTANCE), b.orElse(JsonNull.INSTANCE), Place.at(path));
    }

    public static boolean sameMember(String name, JsonObject a, JsonObject b) {
        return sameMember(name, a, b, Place.TOP);
    }

    /// Most members are equal, and then it does not matter where they stand.
    private static boolean sameMember(String name, JsonObject a, JsonObject b, Place above) {
        var left = a.memberOrNull(name);
        var right = b.memberOrNull(name);
        return left.equals(right) || sameOrAbsent(left, right, above.child(name));
    }

    /// Whether two values mean the same that are not equal; a `null` is absent.
    private static boolean sameOrAbsent(Json left, Json right, Place place) {
        if (!oneIsNull(left, right)) {
            return meansTheSame(left, right, place);
        }
        var only = left instanceof JsonNull ? right : left;
        if (only instanceof JsonNull) {
            return true;
        }
        if (MAPS.contains(place.name) && only instanceof JsonObject map) {
            return map.isEmpty();
        }
        return !TELLS_ABSENT_FROM_ZERO.contains(place.name) && isZero(only);
    }

    private static boolean same(Json a, Json b, Place place) {
        return a.equals(b) || meansTheSame(a, b, place);
    }

    /// The same for values that are not equal.
    private static boolean meansTheSame(Json a, Json b, Place place) {
        if (VERBATIM.contains(place.name)) {
            return false;
        }
        if (a instanceof JsonObject left && b instanceof JsonObject right) {
            return sameObjects(left, right, place);
        }
        if (a instanceof JsonArray left && b instanceof JsonArray right) {
            return sameArrays(left, right, place);
        }
        if (place.isQuantity()) {
            var left = quantity(a);
            return left.isPresent() && left.equals(quantity(b));
        }
        if (TIMES.contains(place.name)) {
            var left = time(a);
            return left.isPresent() && left.equals(time(b));
        }
        return isZero(a) && isZero(b) && oneIsNull(a, b);
    }

    private static boolean oneIsNull(Json a, Json b) {
        return a instanceof JsonNull || b instanceof JsonNull;
    }

    private static boolean sameObjects(JsonObject a, JsonObject b, Place place) {
        for (var at = 0; at < a.size(); at++) {
            if (!sameMember(a.nameAt(at), a, b, place)) {
                return false;
            }
        }
        for (var at = 0; at < b.size(); at++) {
            var name = b.nameAt(at);
            if (!a.members().containsKey(name) && !sameMember(name, a, b, place)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameArrays(JsonArray a, JsonArray b, Place place) {
        if (a.size() != b.size()) {
            return false;
        }
        for (var i = 0; i < a.size(); i++) {
            if (!same(a.items().get(i), b.items().get(i), place)) {
                return false;
            }
        }
        return true;
    }

    /// True for what a field holds that nobody has set.
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

    /// A quantity, which may be written as text or as a number.
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

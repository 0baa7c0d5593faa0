package dev.berth.app.lint;

import dev.berth.model.json.FieldPath;
import java.util.Optional;
import java.util.Set;

/// Fields that are in another place in other versions of `resource.k8s.io`.
final class FormerFields {

    private static final String FIRST = "v1beta1";

    /// Fields of a request in v1beta1 that are below `exactly` since v1beta2.
    private static final Set<String> BELOW_EXACTLY =
            Set.of(
                    "adminAccess",
                    "allocationMode",
                    "capacity",
                    "count",
                    "deviceClassName",
                    "selectors",
                    "tolerations");

    private FormerFields() {}

    /// Where an unknown field belongs in this version; empty for fields of no version.
    static String hint(String version, FieldPath unknown) {
        var isItem = unknown.parent().filter(FieldPath::subscript);
        var list = isItem.flatMap(FieldPath::parent).map(FieldPath::step).orElse("");
        return switch (list) {
            case "requests" -> inRequest(version, unknown.step()).orElse("");
            case "devices" -> inDevice(version, unknown.step()).orElse("");
            default -> "";
        };
    }

    private static Optional<String> inRequest(String version, String field) {
        if (version.equals(FIRST)) {
            return field.equals("exactly")
                    ? Optional.of("; in v1beta1 the fields of exactly are directly in the request")
                    : Optional.empty();
        }
        return BELOW_EXACTLY.contains(field)
                ? Optional.of("; in %s this is under exactly".formatted(version))
                : Optional.empty();
    }

    private static Optional<String> inDevice(String version, String field) {
        return field.equals("basic") && !version.equals(FIRST)
                ? Optional.of(
                        "; in %s the fields of basic are directly in the device".formatted(version))
                : Optional.empty();
    }
}

package dev.berth.server.http;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.FieldManager;
import java.util.ArrayList;
import java.util.List;

/// The query parameters that all writes have in common, validated before the body is read.
///
/// @param kind kind of the options in Kubernetes: `CreateOptions`, …
record WriteOptions(String kind) {

    private static final String ALL = "All";
    private static final FieldPath FIELD_MANAGER = FieldPath.of("fieldManager");
    private static final List<String> STRICTNESS = List.of("", "Ignore", "Strict", "Warn");

    static final WriteOptions OF_DELETION = new WriteOptions("DeleteOptions");
    private static final WriteOptions OF_CREATION = new WriteOptions("CreateOptions");
    private static final WriteOptions OF_UPDATE = new WriteOptions("UpdateOptions");
    private static final WriteOptions OF_PATCH = new WriteOptions("PatchOptions");

    static WriteOptions of(Verb verb) {
        return switch (verb) {
            case CREATE -> OF_CREATION;
            case UPDATE -> OF_UPDATE;
            case PATCH -> OF_PATCH;
            case DELETE, DELETECOLLECTION, GET, LIST, WATCH -> OF_DELETION;
        };
    }

    /// Rejects invalid parameters.
    void check(ApiRequest request) {
        var query = request.query();
        var problems = new ArrayList<FieldError>();
        checkDryRun(query.all("dryRun"), problems);
        if (!equals(OF_DELETION)) {
            var strictness = query.text("fieldValidation");
            if (!STRICTNESS.contains(strictness)) {
                problems.add(
                        FieldError.notSupported(
                                FieldPath.of("fieldValidation"), strictness, STRICTNESS));
            }
            checkManager(query.text("fieldManager"), problems);
        }
        if (request.method().equals("PATCH")
                && query.values().containsKey("force")
                && !request.contentType().startsWith("application/apply-patch")) {
            problems.add(
                    FieldError.forbidden(
                            FieldPath.of("force"), "may not be specified for non-apply patch"));
        }
        rejectIfInvalid(problems);
    }

    private static void checkManager(String manager, List<FieldError> problems) {
        if (GoText.bytes(manager) > FieldManager.MAX_MANAGER) {
            problems.add(FieldError.tooLong(FIELD_MANAGER, FieldManager.MAX_MANAGER));
        }
        if (hasControlCharacter(manager)) {
            problems.add(
                    FieldError.invalid(
                            FIELD_MANAGER, manager, "should only contain printable characters"));
        }
    }

    private static boolean hasControlCharacter(String text) {
        for (var i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /// True for a dry run, which stores nothing.
    boolean isDryRun(List<String> values) {
        var problems = new ArrayList<FieldError>();
        checkDryRun(values, problems);
        rejectIfInvalid(problems);
        return values.contains(ALL);
    }

    private static void checkDryRun(List<String> values, List<FieldError> problems) {
        for (var value : values) {
            if (!value.equals(ALL) && !value.isEmpty()) {
                problems.add(FieldError.notSupported(FieldPath.of("dryRun"), value, List.of(ALL)));
            }
        }
    }

    private void rejectIfInvalid(List<FieldError> problems) {
        if (!problems.isEmpty()) {
            throw ApiError.invalid(new ApiError.About("meta.k8s.io", "options", kind, ""), problems)
                    .exception();
        }
    }
}

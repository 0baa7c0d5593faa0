package dev.berth.server.http;

import dev.berth.core.admission.FieldError;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.FieldManager;
import java.util.ArrayList;
import java.util.List;

/// The parameters that all writes have in common, checked before anything else is read.
///
/// @param kind what Kubernetes calls them: `CreateOptions`, …
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

    /// Refuses what cannot be meant.
    void check(ApiRequest asked) {
        var query = asked.query();
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
        if (asked.method().equals("PATCH")
                && query.values().containsKey("force")
                && !asked.contentType().startsWith("application/apply-patch")) {
            problems.add(
                    FieldError.forbidden(
                            FieldPath.of("force"), "may not be specified for non-apply patch"));
        }
        refuse(problems);
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

    /// True when nothing is to be stored.
    boolean isDryRun(List<String> asked) {
        var problems = new ArrayList<FieldError>();
        checkDryRun(asked, problems);
        refuse(problems);
        return asked.contains(ALL);
    }

    private static void checkDryRun(List<String> asked, List<FieldError> problems) {
        for (var word : asked) {
            if (!word.equals(ALL) && !word.isEmpty()) {
                problems.add(FieldError.notSupported(FieldPath.of("dryRun"), word, List.of(ALL)));
            }
        }
    }

    private void refuse(List<FieldError> problems) {
        if (!problems.isEmpty()) {
            throw ApiError.invalid(new ApiError.About("meta.k8s.io", "options", kind, ""), problems)
                    .exception();
        }
    }
}

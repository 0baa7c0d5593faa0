package dev.berth.server.http.request;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.text.GoText;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.server.operation.ObjectOperation;
import dev.berth.server.operation.ObjectPath;
import dev.berth.server.operation.Verb;
import dev.berth.server.operation.WriteOptions;
import dev.berth.server.operation.WriteOptions.FieldValidation;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.FieldManager;
import java.util.ArrayList;
import java.util.List;

/// The query parameters that requests for objects have in common, validated before the body is
/// read.
///
/// @param kind kind of the options in Kubernetes: `CreateOptions`, …
public record RequestOptions(String kind) {

    private static final String ALL = "All";
    private static final String DRY_RUN = "dryRun";
    private static final String FIELD_MANAGER = "fieldManager";
    private static final String FIELD_VALIDATION = "fieldValidation";
    private static final FieldPath MANAGER_PATH = FieldPath.of(FIELD_MANAGER);
    private static final List<String> STRICTNESS = List.of("", "Ignore", "Strict", "Warn");

    private static final RequestOptions OF_DELETION = new RequestOptions("DeleteOptions");
    private static final RequestOptions OF_CREATION = new RequestOptions("CreateOptions");
    private static final RequestOptions OF_UPDATE = new RequestOptions("UpdateOptions");
    private static final RequestOptions OF_PATCH = new RequestOptions("PatchOptions");

    public static RequestOptions of(Verb verb) {
        return switch (verb) {
            case CREATE -> OF_CREATION;
            case UPDATE -> OF_UPDATE;
            case PATCH -> OF_PATCH;
            case DELETE, DELETECOLLECTION, GET, LIST, WATCH -> OF_DELETION;
        };
    }

    /// Rejects invalid parameters.
    public void check(ApiRequest request) {
        var query = request.query();
        if (query.values().isEmpty()) {
            return;
        }
        var problems = new ArrayList<FieldError>();
        checkDryRun(query.all(DRY_RUN), problems);
        if (!equals(OF_DELETION)) {
            var strictness = query.text(FIELD_VALIDATION);
            if (!STRICTNESS.contains(strictness)) {
                problems.add(
                        FieldError.notSupported(
                                FieldPath.of(FIELD_VALIDATION), strictness, STRICTNESS));
            }
            checkManager(query.text(FIELD_MANAGER), problems);
        }
        if (equals(OF_PATCH)
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
            problems.add(FieldError.tooLong(MANAGER_PATH, FieldManager.MAX_MANAGER));
        }
        if (hasControlCharacter(manager)) {
            problems.add(
                    FieldError.invalid(
                            MANAGER_PATH, manager, "should only contain printable characters"));
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

    /// The options of a write.
    public WriteOptions write(ApiRequest request) {
        var query = request.query();
        return new WriteOptions(
                fieldManager(request),
                switch (query.text(FIELD_VALIDATION)) {
                    case "Ignore" -> FieldValidation.IGNORE;
                    case "Strict" -> FieldValidation.STRICT;
                    default -> FieldValidation.WARN;
                },
                isDryRun(query.all(DRY_RUN)));
    }

    /// The `fieldManager` parameter, or else the name of the client program.
    private static String fieldManager(ApiRequest request) {
        var manager = request.query().text(FIELD_MANAGER);
        if (manager.isEmpty()) {
            var agent = request.header("User-Agent");
            var slash = agent.indexOf('/');
            manager = slash < 0 ? agent : agent.substring(0, slash);
        }
        manager = manager.substring(0, Math.min(manager.length(), FieldManager.MAX_MANAGER));
        return manager.isEmpty() ? "unknown" : manager;
    }

    /// The options of server-side apply, for which the field manager is required.
    public WriteOptions apply(ApiRequest request) {
        if (request.query().text(FIELD_MANAGER).isEmpty()) {
            throw ApiError.invalid(
                            new ApiError.About("meta.k8s.io", "patchoptions", kind, ""),
                            List.of(
                                    FieldError.required(
                                            MANAGER_PATH, "is required for apply patch")))
                    .exception();
        }
        return write(request);
    }

    /// True for a dry run, which stores nothing.
    private boolean isDryRun(List<String> values) {
        if (values.isEmpty()) {
            return false;
        }
        var problems = new ArrayList<FieldError>();
        checkDryRun(values, problems);
        rejectIfInvalid(problems);
        return values.contains(ALL);
    }

    /// A deletion with the options of the body; query parameters override some of them.
    public ObjectOperation.Delete delete(ApiRequest request, ObjectPath path) {
        var query = request.query();
        var body = RequestBodies.optional(request);
        var options = body;
        var grace = query.number("gracePeriodSeconds");
        if (grace.isPresent()) {
            options = options.with("gracePeriodSeconds", Json.of(grace.getAsLong()));
        }
        if (!query.text("propagationPolicy").isEmpty()) {
            options = options.with("propagationPolicy", Json.of(query.text("propagationPolicy")));
        }
        if (!query.text("orphanDependents").isEmpty()) {
            options = options.with("orphanDependents", Json.of(query.flag("orphanDependents")));
        }
        var read = DeleteOptions.read(options);
        var isDryRun = isDryRun(body.strings(DRY_RUN)) || isDryRun(query.all(DRY_RUN));
        return new ObjectOperation.Delete(path, read, isDryRun);
    }

    private static void checkDryRun(List<String> values, List<FieldError> problems) {
        for (var value : values) {
            if (!value.equals(ALL) && !value.isEmpty()) {
                problems.add(FieldError.notSupported(FieldPath.of(DRY_RUN), value, List.of(ALL)));
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

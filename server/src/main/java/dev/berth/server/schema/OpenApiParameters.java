package dev.berth.server.schema;

import java.util.List;

/// Parameters of the operations in an OpenAPI document.
final class OpenApiParameters {

    /// A path or query parameter.
    ///
    /// @param type as in OpenAPI
    record Parameter(String name, String type, String description) {}

    static final Parameter NAME = new Parameter("name", "string", "Name of the object.");
    static final Parameter NAMESPACE =
            new Parameter("namespace", "string", "Namespace of the object.");
    static final Parameter PRETTY =
            new Parameter("pretty", "string", "Whether the response is indented.");
    static final Parameter DRY_RUN =
            new Parameter("dryRun", "string", "All to validate the request without persisting it.");
    static final Parameter FIELD_MANAGER =
            new Parameter("fieldManager", "string", "Name of the field manager.");
    static final Parameter FIELD_VALIDATION =
            new Parameter(
                    "fieldValidation",
                    "string",
                    "Handling of unknown and duplicate fields: Ignore, Warn or Strict.");
    static final Parameter FORCE =
            new Parameter(
                    "force", "boolean", "Whether apply takes ownership of conflicting fields.");

    static final List<Parameter> WRITING =
            List.of(PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION);
    static final List<Parameter> PATCHING =
            List.of(PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION, FORCE);
    static final List<Parameter> DELETING =
            List.of(
                    PRETTY,
                    DRY_RUN,
                    new Parameter(
                            "gracePeriodSeconds",
                            "integer",
                            "Grace period before the object is deleted."),
                    new Parameter("orphanDependents", "boolean", "See propagationPolicy."),
                    new Parameter(
                            "propagationPolicy",
                            "string",
                            "Handling of dependents: Orphan, Background or Foreground."));
    static final List<Parameter> LISTING =
            List.of(
                    PRETTY,
                    new Parameter(
                            "allowWatchBookmarks",
                            "boolean",
                            "Whether the watch may send bookmarks."),
                    new Parameter("continue", "string", "Continue token of the previous page."),
                    new Parameter("fieldSelector", "string", "Selects objects by fields."),
                    new Parameter("labelSelector", "string", "Selects objects by labels."),
                    new Parameter("limit", "integer", "Maximum number of objects in a page."),
                    new Parameter(
                            "resourceVersion",
                            "string",
                            "Constraint on the resource version of the response."),
                    new Parameter(
                            "resourceVersionMatch",
                            "string",
                            "How resourceVersion is applied to a list."),
                    new Parameter(
                            "sendInitialEvents",
                            "boolean",
                            "Whether the watch begins with all existing objects."),
                    new Parameter("timeoutSeconds", "integer", "Timeout of the call or watch."),
                    new Parameter("watch", "boolean", "Whether to watch for changes."));

    private OpenApiParameters() {}
}

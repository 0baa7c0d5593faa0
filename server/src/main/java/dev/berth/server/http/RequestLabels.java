package dev.berth.server.http;

import dev.berth.server.http.request.RequestTarget;
import java.util.Set;

/// The labels of a request in metrics, as in kube-apiserver. The values are bounded: resources and
/// subresources that the server does not have are left out.
///
/// @param scope `resource` for one object, `namespace` or `cluster` for a collection, empty for
///   other paths
record RequestLabels(
        String verb,
        String dryRun,
        String group,
        String version,
        String resource,
        String subresource,
        String scope) {

    private static final String APPLY = "application/apply-patch";

    private static final Set<String> SUBRESOURCES =
            Set.of(
                    "approval",
                    "attach",
                    "binding",
                    "ephemeralcontainers",
                    "eviction",
                    "exec",
                    "finalize",
                    "log",
                    "portforward",
                    "proxy",
                    "resize",
                    "scale",
                    "status",
                    "token");

    /// The labels of a request whose path is not a resource of the server.
    static RequestLabels of(String method) {
        return new RequestLabels(verb(method), "", "", "", "", "", "");
    }

    private static String verb(String method) {
        return switch (method) {
            case "GET", "HEAD" -> "GET";
            case "POST", "PUT", "PATCH", "DELETE" -> method;
            // Unknown methods share one label, so that clients cannot make the number of series
            // grow.
            default -> "OTHER";
        };
    }

    /// @param target a resource that the server has
    /// @param query the query as it was sent; may be empty
    /// @param contentType media type of the body; may be empty
    static RequestLabels of(
            String method, RequestTarget.ResourcePath target, String query, String contentType) {
        var path = target.path();
        return new RequestLabels(
                verb(method, target, query, contentType),
                query.contains("dryRun=All") ? "All" : "",
                path.group(),
                path.version(),
                path.plural(),
                SUBRESOURCES.contains(path.subresource()) ? path.subresource() : "",
                scope(method, target));
    }

    private static String verb(
            String method, RequestTarget.ResourcePath target, String query, String contentType) {
        var verb = verb(method);
        var isCollection = target.path().name().isEmpty();
        return switch (verb) {
            case "GET" -> {
                if (target.watch() || query.contains("watch=true") || query.contains("watch=1")) {
                    yield "WATCH";
                }
                yield isCollection ? "LIST" : verb;
            }
            case "DELETE" -> isCollection ? "DELETECOLLECTION" : verb;
            case "PATCH" -> contentType.startsWith(APPLY) ? "APPLY" : verb;
            default -> verb;
        };
    }

    private static String scope(String method, RequestTarget.ResourcePath target) {
        if (!target.path().name().isEmpty() || method.equals("POST")) {
            return "resource";
        }
        return target.path().namespace().isEmpty() ? "cluster" : "namespace";
    }
}

package dev.berth.server.auth;

import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.registry.ApiError;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// User impersonation: `kubectl --as`.
public final class Impersonation {

    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String USER = "impersonate-user";
    private static final String GROUP = "impersonate-group";
    private static final String UID = "impersonate-uid";
    private static final String EXTRA = "impersonate-extra-";

    /// Result of evaluating the headers.
    public sealed interface Outcome {

        /// The effective user: the impersonated one, or the caller if there are no such headers.
        record Effective(User user) implements Outcome {}

        record Rejected(ApiError error) implements Outcome {}
    }

    private final User caller;
    private final Authorizer authorizer;
    private final Map<String, List<String>> headers;

    private Impersonation(User caller, Authorizer authorizer, Map<String, List<String>> headers) {
        this.caller = caller;
        this.authorizer = authorizer;
        this.headers = headers;
    }

    /// Evaluates the headers of a request.
    ///
    /// @param headers all values by header name, in any case
    /// @param caller the authenticated user
    public static Outcome of(
            Map<String, List<String>> headers, User caller, Authorizer authorizer) {
        var requested = new LinkedHashMap<String, List<String>>();
        for (var header : headers.entrySet()) {
            var name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith("impersonate-") && !header.getValue().isEmpty()) {
                requested.merge(name, header.getValue(), Impersonation::joined);
            }
        }
        return requested.isEmpty()
                ? new Outcome.Effective(caller)
                : new Impersonation(caller, authorizer, requested).outcome();
    }

    private static List<String> joined(List<String> some, List<String> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private Outcome outcome() {
        var name = first(USER);
        if (name.isEmpty()) {
            return new Outcome.Rejected(
                    ApiError.badRequest(
                            "requested %s without impersonating a user"
                                    .formatted(List.copyOf(headers.keySet()))));
        }
        var extra = extra();
        return unauthorized(name, extra)
                .<Outcome>map(Outcome.Rejected::new)
                .orElseGet(() ->
                        new Outcome.Effective(new User(name, first(UID), groups(name), extra)));
    }

    private String first(String header) {
        return headers.getOrDefault(header, List.of("")).getFirst();
    }

    private Map<String, List<String>> extra() {
        var extra = new LinkedHashMap<String, List<String>>();
        for (var header : headers.entrySet()) {
            if (header.getKey().startsWith(EXTRA)) {
                var key = decoded(header.getKey().substring(EXTRA.length()));
                extra.put(key.toLowerCase(Locale.ROOT), header.getValue());
            }
        }
        return extra;
    }

    /// Keys may be percent-encoded; a malformed one is used as it is.
    private static String decoded(String key) {
        try {
            return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return key;
        }
    }

    private List<String> groups(String name) {
        if (name.equals(User.ANONYMOUS_NAME)) {
            return User.anonymous().groups();
        }
        var groups = new ArrayList<>(headers.getOrDefault(GROUP, List.of()));
        if (groups.isEmpty()) {
            ServiceAccountName.ofUser(name).ifPresent(one -> groups.addAll(one.groups()));
        }
        if (!groups.contains(Authenticator.AUTHENTICATED)) {
            groups.add(Authenticator.AUTHENTICATED);
        }
        return groups;
    }

    /// Every impersonated attribute must be authorized separately.
    private Optional<ApiError> unauthorized(String name, Map<String, List<String>> extra) {
        var requested = new ArrayList<AuthorizationRequest.ResourceAttributes>();
        requested.add(
                ServiceAccountName.ofUser(name)
                        .map(one ->
                                request("", "serviceaccounts", one.namespace()).named(one.name()))
                        .orElseGet(() -> request("", "users", "").named(name)));
        for (var group : headers.getOrDefault(GROUP, List.of())) {
            requested.add(request("", "groups", "").named(group));
        }
        if (!first(UID).isEmpty()) {
            requested.add(request(AUTHENTICATION, "uids", "").named(first(UID)));
        }
        extra.forEach((key, values) -> {
            for (var value : values) {
                requested.add(request(AUTHENTICATION, "userextras", "").sub(key).named(value));
            }
        });
        for (var request : requested) {
            var decision = authorizer.decide(request);
            if (!decision.isAllowed()) {
                return Optional.of(ForbiddenMessages.error(request, decision));
            }
        }
        return Optional.empty();
    }

    private AuthorizationRequest.ResourceAttributes request(
            String group, String resource, String namespace) {
        return AuthorizationRequest.ResourceAttributes.of(
                caller, "impersonate", group, resource, namespace);
    }
}

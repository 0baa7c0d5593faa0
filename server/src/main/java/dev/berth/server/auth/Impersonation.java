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

/// Lets somebody act as somebody else, if they may: `kubectl --as`.
public final class Impersonation {

    private static final String AUTHENTICATION = "authentication.k8s.io";
    private static final String USER = "impersonate-user";
    private static final String GROUP = "impersonate-group";
    private static final String UID = "impersonate-uid";
    private static final String EXTRA = "impersonate-extra-";

    /// What came of it.
    public sealed interface Outcome {

        /// The request goes on as this user: another one, or the caller if nobody else was named.
        record As(User user) implements Outcome {}

        record Refused(ApiError failure) implements Outcome {}
    }

    private final User caller;
    private final Authorizer authorizer;
    private final Map<String, List<String>> headers;

    private Impersonation(User caller, Authorizer authorizer, Map<String, List<String>> headers) {
        this.caller = caller;
        this.authorizer = authorizer;
        this.headers = headers;
    }

    /// Reads the headers of a request.
    ///
    /// @param headers all values of each; their names in whatever case
    /// @param caller who sends it
    public static Outcome of(
            Map<String, List<String>> headers, User caller, Authorizer authorizer) {
        var wanted = new LinkedHashMap<String, List<String>>();
        for (var header : headers.entrySet()) {
            var name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith("impersonate-") && !header.getValue().isEmpty()) {
                wanted.merge(name, header.getValue(), Impersonation::joined);
            }
        }
        return wanted.isEmpty()
                ? new Outcome.As(caller)
                : new Impersonation(caller, authorizer, wanted).outcome();
    }

    private static List<String> joined(List<String> some, List<String> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private Outcome outcome() {
        var name = first(USER);
        if (name.isEmpty()) {
            return new Outcome.Refused(
                    ApiError.badRequest(
                            "requested %s without impersonating a user"
                                    .formatted(List.copyOf(headers.keySet()))));
        }
        var extra = extra();
        return refusal(name, extra)
                .<Outcome>map(Outcome.Refused::new)
                .orElseGet(() -> new Outcome.As(new User(name, first(UID), groups(name), extra)));
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

    /// Keys may be escaped like parts of an address; one that is not well escaped stands for
    /// itself.
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

    /// Everything that is claimed must be allowed one by one.
    private Optional<ApiError> refusal(String name, Map<String, List<String>> extra) {
        var wanted = new ArrayList<AuthorizationRequest.ToResource>();
        wanted.add(
                ServiceAccountName.ofUser(name)
                        .map(one ->
                                access("", "serviceaccounts", one.namespace()).named(one.name()))
                        .orElseGet(() -> access("", "users", "").named(name)));
        for (var group : headers.getOrDefault(GROUP, List.of())) {
            wanted.add(access("", "groups", "").named(group));
        }
        if (!first(UID).isEmpty()) {
            wanted.add(access(AUTHENTICATION, "uids", "").named(first(UID)));
        }
        extra.forEach((key, values) -> {
            for (var value : values) {
                wanted.add(access(AUTHENTICATION, "userextras", "").sub(key).named(value));
            }
        });
        for (var access : wanted) {
            var decision = authorizer.decide(access);
            if (!decision.isAllowed()) {
                return Optional.of(ForbiddenMessages.failure(access, decision));
            }
        }
        return Optional.empty();
    }

    private AuthorizationRequest.ToResource access(
            String group, String resource, String namespace) {
        return AuthorizationRequest.ToResource.of(
                caller, "impersonate", group, resource, namespace);
    }
}

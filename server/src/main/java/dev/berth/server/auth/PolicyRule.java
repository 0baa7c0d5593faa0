package dev.berth.server.auth;

import dev.berth.core.text.GoText;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.AuthorizationRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A PolicyRule of a role: the verbs that are allowed on resources or URLs.
///
/// @param groups API groups; the empty string for the core group, `*` for all
/// @param resources `pods`, `pods/status`, `*/scale`, `*`
/// @param names names of objects; empty for all
/// @param urls non-resource URLs; a trailing `*` matches any suffix
public record PolicyRule(
        List<String> verbs,
        List<String> groups,
        List<String> resources,
        List<String> names,
        List<String> urls) {

    private static final String ALL = "*";

    public PolicyRule {
        verbs = List.copyOf(verbs);
        groups = List.copyOf(groups);
        resources = List.copyOf(resources);
        names = List.copyOf(names);
        urls = List.copyOf(urls);
    }

    public static PolicyRule of(JsonObject rule) {
        return new PolicyRule(
                rule.strings("verbs"),
                rule.strings("apiGroups"),
                rule.strings("resources"),
                rule.strings("resourceNames"),
                rule.strings("nonResourceURLs"));
    }

    /// The rules of a role, in its order.
    static List<PolicyRule> allOf(JsonObject role) {
        return role.objects("rules").stream().map(PolicyRule::of).toList();
    }

    boolean allows(AuthorizationRequest request) {
        return switch (request) {
            case AuthorizationRequest.ResourceAttributes attributes -> allowsResource(attributes);
            case AuthorizationRequest.NonResourceAttributes attributes ->
                    matches(verbs, attributes.verb()) && allowsPath(attributes.path());
        };
    }

    private boolean allowsResource(AuthorizationRequest.ResourceAttributes attributes) {
        return matches(verbs, attributes.verb())
                && matches(groups, attributes.group())
                && allowsKind(attributes.resource(), attributes.subresource())
                && (names.isEmpty() || names.contains(attributes.name()));
    }

    private boolean allowsKind(String resource, String subresource) {
        if (subresource.isEmpty()) {
            return matches(resources, resource);
        }
        for (var one : resources) {
            if (one.equals(ALL) || isSub(one, resource, subresource)) {
                return true;
            }
        }
        return false;
    }

    /// True for `resource/subresource` and for `*/subresource`.
    private static boolean isSub(String pattern, String resource, String subresource) {
        var slash = pattern.length() - subresource.length() - 1;
        return slash > 0
                && pattern.charAt(slash) == '/'
                && pattern.endsWith(subresource)
                && ((slash == 1 && pattern.charAt(0) == '*')
                        || (slash == resource.length() && pattern.startsWith(resource)));
    }

    private boolean allowsPath(String path) {
        for (var url : urls) {
            if (url.equals(path)
                    || (url.endsWith(ALL) && path.startsWith(withoutTrailingStars(url)))) {
                return true;
            }
        }
        return false;
    }

    private static String withoutTrailingStars(String url) {
        var end = url.length();
        while (end > 0 && url.charAt(end - 1) == '*') {
            end--;
        }
        return url.substring(0, end);
    }

    private static boolean matches(List<String> allowed, String requested) {
        return allowed.contains(ALL) || allowed.contains(requested);
    }

    /// This rule split into rules with one verb and one resource or URL each.
    List<PolicyRule> atoms() {
        var atoms = new ArrayList<PolicyRule>();
        for (var verb : verbs) {
            for (var url : urls) {
                atoms.add(
                        new PolicyRule(
                                List.of(verb), List.of(), List.of(), List.of(), List.of(url)));
            }
            for (var group : groups) {
                for (var resource : resources) {
                    atomsByName(verb, group, resource, atoms);
                }
            }
        }
        return atoms;
    }

    private void atomsByName(String verb, String group, String resource, List<PolicyRule> atoms) {
        var kind = List.of(resource);
        if (names.isEmpty()) {
            atoms.add(new PolicyRule(List.of(verb), List.of(group), kind, List.of(), List.of()));
        }
        for (var name : names) {
            atoms.add(
                    new PolicyRule(List.of(verb), List.of(group), kind, List.of(name), List.of()));
        }
    }

    /// True when this rule allows everything that the atom allows.
    boolean covers(PolicyRule atom) {
        if (!matches(verbs, atom.verbs.getFirst())) {
            return false;
        }
        if (!atom.urls.isEmpty()) {
            return coversUrl(atom.urls.getFirst());
        }
        return matches(groups, atom.groups.getFirst())
                && coversKind(atom.resources.getFirst())
                && (names.isEmpty() || (!atom.names.isEmpty() && names.containsAll(atom.names)));
    }

    private boolean coversKind(String resource) {
        var slash = resource.indexOf('/');
        return slash < 0
                ? matches(resources, resource)
                : allowsKind(resource.substring(0, slash), resource.substring(slash + 1));
    }

    private boolean coversUrl(String url) {
        return urls.contains(url) || allowsPath(url);
    }

    /// As Kubernetes prints it: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`.
    @Override
    public String toString() {
        var parts = new ArrayList<String>();
        part("APIGroups", groups, parts);
        part("Resources", resources, parts);
        part("NonResourceURLs", urls, parts);
        part("ResourceNames", names, parts);
        part("Verbs", verbs, parts);
        return "{" + String.join(", ", parts) + "}";
    }

    private static void part(String title, List<String> values, List<String> parts) {
        if (!values.isEmpty()) {
            parts.add(title + ":[" + quoted(values) + "]");
        }
    }

    static String quoted(List<String> values) {
        return String.join(" ", values.stream().map(GoText::quote).toList());
    }

    public JsonObject toJson() {
        var members = new LinkedHashMap<String, Json>();
        member("verbs", verbs, members);
        member("apiGroups", groups, members);
        member("resources", resources, members);
        member("resourceNames", names, members);
        member("nonResourceURLs", urls, members);
        return new JsonObject(members);
    }

    private static void member(String name, List<String> values, Map<String, Json> attributes) {
        if (!values.isEmpty()) {
            attributes.put(name, Json.array(values.stream().map(Json::of).toList()));
        }
    }
}

package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.ReviewKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// What is served, for clients that ask first: in one document, or group by group.
final class Discovery {

    private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");

    private final Resources resources;
    private final List<ReviewKind> reviews;

    Discovery(Resources resources, List<ReviewKind> reviews) {
        this.resources = resources;
        this.reviews = List.copyOf(reviews);
    }

    /// One served name: a resource, a subresource or a review.
    private record Line(
            String group,
            String version,
            String name,
            String kind,
            String kindGroup,
            String kindVersion,
            boolean namespaced,
            Collection<String> verbs,
            List<String> shortNames,
            List<String> categories) {

        boolean isSub() {
            return name.contains("/");
        }
    }

    /// Groups with their versions, preferred ones first; the core is the empty group.
    Map<String, List<String>> groups() {
        var groups = new LinkedHashMap<String, List<String>>();
        for (var line : lines()) {
            var versions = groups.computeIfAbsent(line.group, _ -> new ArrayList<>());
            if (!versions.contains(line.version)) {
                versions.add(line.version);
            }
        }
        groups.values().forEach(versions -> versions.sort(Discovery::preferredFirst));
        return groups;
    }

    /// `v1` before `v1beta2` before `v1beta1` before `v1alpha3`.
    static int preferredFirst(String one, String other) {
        return other.compareTo(one) == 0
                ? 0
                : stability(one) != stability(other)
                        ? stability(one) - stability(other)
                        : other.compareTo(one);
    }

    private static int stability(String version) {
        return version.contains("alpha") ? 2 : version.contains("beta") ? 1 : 0;
    }

    private List<Line> lines() {
        var lines = new ArrayList<Line>();
        for (var resource : resources.all()) {
            for (var version : resource.versions()) {
                add(resource, version, lines);
            }
        }
        for (var review : reviews) {
            lines.add(
                    new Line(
                            review.group(),
                            review.version(),
                            review.plural(),
                            review.kind(),
                            review.group(),
                            review.version(),
                            review.namespaced(),
                            List.of("create"),
                            List.of(),
                            List.of()));
        }
        return lines;
    }

    private static void add(Resource resource, String version, List<Line> lines) {
        lines.add(line(resource, version, "", resource.verbs()));
        if (resource.hasStatus()) {
            lines.add(line(resource, version, "/status", STATUS_VERBS));
        }
        for (var sub : resource.subresources()) {
            lines.add(
                    new Line(
                            resource.group(),
                            version,
                            resource.plural() + "/" + sub.name(),
                            sub.kind(),
                            sub.group(),
                            sub.version(),
                            resource.isNamespaced(),
                            new TreeSet<>(sub.verbs()),
                            List.of(),
                            List.of()));
        }
    }

    private static Line line(
            Resource resource, String version, String suffix, Collection<String> verbs) {
        return new Line(
                resource.group(),
                version,
                resource.plural() + suffix,
                resource.kind(),
                resource.group(),
                version,
                resource.isNamespaced(),
                verbs,
                suffix.isEmpty() ? resource.shortNames() : List.of(),
                suffix.isEmpty() ? resource.categories() : List.of());
    }

    /// The page at an address under `/api` or `/apis`.
    Optional<JsonObject> page(String path, boolean aggregated) {
        var parts = path.substring(1).split("/", -1);
        if (parts[0].equals("api")) {
            return switch (parts.length) {
                case 1 -> Optional.of(aggregated ? all(true) : coreVersions());
                case 2 -> resourceList("", parts[1]);
                default -> Optional.empty();
            };
        }
        return switch (parts.length) {
            case 1 -> Optional.of(aggregated ? all(false) : groupList());
            case 2 -> group(parts[1]);
            case 3 -> resourceList(parts[1], parts[2]);
            default -> Optional.empty();
        };
    }

    private static JsonObject coreVersions() {
        return JsonObject.of("kind", Json.of("APIVersions"))
                .with("versions", Json.array(Json.of("v1")))
                .with("serverAddressByClientCIDRs", JsonArray.EMPTY);
    }

    private JsonObject groupList() {
        var groups = new ArrayList<Json>();
        groups().forEach((group, versions) -> {
            if (!group.isEmpty()) {
                groups.add(groupObject(group, versions));
            }
        });
        return JsonObject.of("kind", Json.of("APIGroupList"))
                .with("apiVersion", Json.of("v1"))
                .with("groups", new JsonArray(groups));
    }

    private Optional<JsonObject> group(String name) {
        return Optional.ofNullable(groups().get(name))
                .filter(_ -> !name.isEmpty())
                .map(versions ->
                        JsonObject.of("kind", Json.of("APIGroup"))
                                .with("apiVersion", Json.of("v1"))
                                .with("name", Json.of(name))
                                .with("versions", versions(name, versions))
                                .with("preferredVersion", version(name, versions.getFirst())));
    }

    private static JsonObject groupObject(String name, List<String> versions) {
        return JsonObject.of("name", Json.of(name))
                .with("versions", versions(name, versions))
                .with("preferredVersion", version(name, versions.getFirst()));
    }

    private static JsonArray versions(String group, List<String> versions) {
        return new JsonArray(versions.stream().<Json>map(one -> version(group, one)).toList());
    }

    private static JsonObject version(String group, String version) {
        return JsonObject.of("groupVersion", Json.of(group + "/" + version))
                .with("version", Json.of(version));
    }

    private Optional<JsonObject> resourceList(String group, String version) {
        var list = new ArrayList<Json>();
        for (var line : lines()) {
            if (line.group.equals(group) && line.version.equals(version)) {
                list.add(resourceObject(line));
            }
        }
        return list.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        JsonObject.of("kind", Json.of("APIResourceList"))
                                .with("apiVersion", Json.of("v1"))
                                .with(
                                        "groupVersion",
                                        Json.of(group.isEmpty() ? version : group + "/" + version))
                                .with("resources", new JsonArray(list)));
    }

    private static JsonObject resourceObject(Line line) {
        var members = new LinkedHashMap<String, Json>();
        members.put("name", Json.of(line.name));
        members.put("singularName", Json.of(line.isSub() ? "" : singular(line)));
        members.put("namespaced", Json.of(line.namespaced));
        if (!line.kindGroup.equals(line.group) || !line.kindVersion.equals(line.version)) {
            members.put("group", Json.of(line.kindGroup));
            members.put("version", Json.of(line.kindVersion));
        }
        members.put("kind", Json.of(line.kind));
        members.put("verbs", words(line.verbs));
        if (!line.shortNames.isEmpty()) {
            members.put("shortNames", words(line.shortNames));
        }
        if (!line.categories.isEmpty()) {
            members.put("categories", words(line.categories));
        }
        return new JsonObject(members);
    }

    private static String singular(Line line) {
        return line.kind.toLowerCase(Locale.ROOT);
    }

    private static JsonArray words(Collection<String> words) {
        return new JsonArray(words.stream().<Json>map(Json::of).toList());
    }

    private JsonObject all(boolean core) {
        var items = new ArrayList<Json>();
        var lines = lines();
        groups().forEach((group, versions) -> {
            if (group.isEmpty() == core) {
                var list = new ArrayList<Json>();
                for (var version : versions) {
                    list.add(aggregated(group, version, lines));
                }
                items.add(
                        JsonObject.of("metadata", named(group)).with("versions", Json.array(list)));
            }
        });
        return JsonObject.of("kind", Json.of("APIGroupDiscoveryList"))
                .with("apiVersion", Json.of("apidiscovery.k8s.io/v2"))
                .with("metadata", JsonObject.EMPTY)
                .with("items", new JsonArray(items));
    }

    private static JsonObject named(String group) {
        var metadata = JsonObject.of("creationTimestamp", Json.JsonNull.INSTANCE);
        return group.isEmpty() ? metadata : metadata.with("name", Json.of(group));
    }

    private static JsonObject aggregated(String group, String version, List<Line> lines) {
        var list = new ArrayList<Json>();
        for (var line : lines) {
            if (line.group.equals(group) && line.version.equals(version) && !line.isSub()) {
                list.add(aggregated(line, lines));
            }
        }
        return JsonObject.of("version", Json.of(version))
                .with("resources", new JsonArray(list))
                .with("freshness", Json.of("Current"));
    }

    private static JsonObject aggregated(Line line, List<Line> lines) {
        var members = new LinkedHashMap<String, Json>();
        members.put("resource", Json.of(line.name));
        members.put("responseKind", kindOf(line));
        members.put("scope", Json.of(line.namespaced ? "Namespaced" : "Cluster"));
        members.put("singularResource", Json.of(singular(line)));
        members.put("verbs", words(line.verbs));
        if (!line.shortNames.isEmpty()) {
            members.put("shortNames", words(line.shortNames));
        }
        if (!line.categories.isEmpty()) {
            members.put("categories", words(line.categories));
        }
        var subs = new ArrayList<Json>();
        for (var sub : lines) {
            if (sub.group.equals(line.group)
                    && sub.version.equals(line.version)
                    && sub.name.startsWith(line.name + "/")) {
                subs.add(
                        JsonObject.of(
                                        "subresource",
                                        Json.of(sub.name.substring(line.name.length() + 1)))
                                .with("responseKind", kindOf(sub))
                                .with("verbs", words(sub.verbs)));
            }
        }
        if (!subs.isEmpty()) {
            members.put("subresources", new JsonArray(subs));
        }
        return new JsonObject(members);
    }

    private static JsonObject kindOf(Line line) {
        return JsonObject.of("group", Json.of(line.kindGroup))
                .with("version", Json.of(line.kindVersion))
                .with("kind", Json.of(line.kind));
    }
}

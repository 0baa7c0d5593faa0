package dev.berth.server.http.handler;

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

/// API discovery: aggregated, or by group and version.
final class Discovery {

    private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");

    private final Resources resources;
    private final List<ReviewKind> reviews;

    Discovery(Resources resources, List<ReviewKind> reviews) {
        this.resources = resources;
        this.reviews = List.copyOf(reviews);
    }

    /// One discovery entry: a resource, a subresource or a review kind.
    private record DiscoveryEntry(
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

    /// Never stored: a Binding is carried out by the subresource `binding` of pods.
    private static final DiscoveryEntry BINDINGS =
            new DiscoveryEntry(
                    "",
                    "v1",
                    "bindings",
                    "Binding",
                    "",
                    "v1",
                    true,
                    List.of("create"),
                    List.of(),
                    List.of());

    /// Groups with their versions, preferred ones first; the core group is the empty name.
    Map<String, List<String>> groups() {
        var groups = new LinkedHashMap<String, List<String>>();
        for (var entry : entries()) {
            var versions = groups.computeIfAbsent(entry.group, _ -> new ArrayList<>());
            if (!versions.contains(entry.version)) {
                versions.add(entry.version);
            }
        }
        groups.values().forEach(versions -> versions.sort(Discovery::preferredFirst));
        return groups;
    }

    /// Orders versions: `v1` before `v1beta2` before `v1beta1` before `v1alpha3`.
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

    private List<DiscoveryEntry> entries() {
        var entries = new ArrayList<DiscoveryEntry>();
        for (var resource : resources.all()) {
            for (var version : resource.versions()) {
                add(resource, version, entries);
            }
        }
        for (var review : reviews) {
            entries.add(
                    new DiscoveryEntry(
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
        entries.add(BINDINGS);
        return entries;
    }

    private static void add(Resource resource, String version, List<DiscoveryEntry> entries) {
        entries.add(entry(resource, version, "", resource.verbs()));
        if (resource.hasStatus()) {
            entries.add(entry(resource, version, "/status", STATUS_VERBS));
        }
        for (var sub : resource.subresources()) {
            entries.add(
                    new DiscoveryEntry(
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

    private static DiscoveryEntry entry(
            Resource resource, String version, String suffix, Collection<String> verbs) {
        return new DiscoveryEntry(
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

    /// The discovery document at a path under `/api` or `/apis`.
    Optional<JsonObject> document(String path, boolean aggregated) {
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
        for (var entry : entries()) {
            if (entry.group.equals(group) && entry.version.equals(version)) {
                list.add(resourceObject(entry));
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

    private static JsonObject resourceObject(DiscoveryEntry entry) {
        var members = new LinkedHashMap<String, Json>();
        members.put("name", Json.of(entry.name));
        members.put("singularName", Json.of(entry.isSub() ? "" : singular(entry)));
        members.put("namespaced", Json.of(entry.namespaced));
        if (!entry.kindGroup.equals(entry.group) || !entry.kindVersion.equals(entry.version)) {
            members.put("group", Json.of(entry.kindGroup));
            members.put("version", Json.of(entry.kindVersion));
        }
        members.put("kind", Json.of(entry.kind));
        members.put("verbs", strings(entry.verbs));
        if (!entry.shortNames.isEmpty()) {
            members.put("shortNames", strings(entry.shortNames));
        }
        if (!entry.categories.isEmpty()) {
            members.put("categories", strings(entry.categories));
        }
        return new JsonObject(members);
    }

    private static String singular(DiscoveryEntry entry) {
        return entry.kind.toLowerCase(Locale.ROOT);
    }

    private static JsonArray strings(Collection<String> strings) {
        return new JsonArray(strings.stream().<Json>map(Json::of).toList());
    }

    private JsonObject all(boolean core) {
        var items = new ArrayList<Json>();
        var entries = entries();
        groups().forEach((group, versions) -> {
            if (group.isEmpty() == core) {
                var list = new ArrayList<Json>();
                for (var version : versions) {
                    list.add(aggregated(group, version, entries));
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

    private static JsonObject aggregated(
            String group, String version, List<DiscoveryEntry> entries) {
        var list = new ArrayList<Json>();
        for (var entry : entries) {
            if (entry.group.equals(group) && entry.version.equals(version) && !entry.isSub()) {
                list.add(aggregated(entry, entries));
            }
        }
        return JsonObject.of("version", Json.of(version))
                .with("resources", new JsonArray(list))
                .with("freshness", Json.of("Current"));
    }

    private static JsonObject aggregated(DiscoveryEntry entry, List<DiscoveryEntry> entries) {
        var members = new LinkedHashMap<String, Json>();
        members.put("resource", Json.of(entry.name));
        members.put("responseKind", kindOf(entry));
        members.put("scope", Json.of(entry.namespaced ? "Namespaced" : "Cluster"));
        members.put("singularResource", Json.of(singular(entry)));
        members.put("verbs", strings(entry.verbs));
        if (!entry.shortNames.isEmpty()) {
            members.put("shortNames", strings(entry.shortNames));
        }
        if (!entry.categories.isEmpty()) {
            members.put("categories", strings(entry.categories));
        }
        var subs = new ArrayList<Json>();
        for (var sub : entries) {
            if (sub.group.equals(entry.group)
                    && sub.version.equals(entry.version)
                    && sub.name.startsWith(entry.name + "/")) {
                subs.add(
                        JsonObject.of(
                                        "subresource",
                                        Json.of(sub.name.substring(entry.name.length() + 1)))
                                .with("responseKind", kindOf(sub))
                                .with("verbs", strings(sub.verbs)));
            }
        }
        if (!subs.isEmpty()) {
            members.put("subresources", new JsonArray(subs));
        }
        return new JsonObject(members);
    }

    private static JsonObject kindOf(DiscoveryEntry entry) {
        return JsonObject.of("group", Json.of(entry.kindGroup))
                .with("version", Json.of(entry.kindVersion))
                .with("kind", Json.of(entry.kind));
    }
}

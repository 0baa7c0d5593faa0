package dev.berth.server.auth;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The default roles and bindings of every cluster, read from a compact text resource; its header
/// describes the format.
public final class DefaultRoles {

    private static final String FILE = "default-roles.txt";
    private static final String CONTROLLER = "system:controller:";
    private static final String AGGREGATE_TO = "rbac.authorization.k8s.io/aggregate-to-";
    private static final String API_VERSION = RbacIndex.GROUP + "/v1";
    static final String AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";

    private static final List<String> READ = List.of("get", "list", "watch");
    private static final List<String> WRITE =
            List.of("create", "delete", "deletecollection", "patch", "update");

    private final List<JsonObject> objects = new ArrayList<>();

    /// The role that rules are being added to.
    private JsonObject openRole = JsonObject.EMPTY;

    private final List<Json> openRules = new ArrayList<>();

    private DefaultRoles() {}

    /// All roles and bindings in the order of the text, with the rules of aggregated roles.
    public static List<JsonObject> all() {
        var parser = new DefaultRoles();
        for (var line : text().lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                parser.parse(line);
            }
        }
        parser.close();
        return aggregated(parser.objects);
    }

    /// The rules of a default cluster role.
    public static List<PolicyRule> rules(String clusterRole) {
        for (var object : all()) {
            if (object.text("kind").equals("ClusterRole")
                    && object.objectOrEmpty("metadata").text("name").equals(clusterRole)) {
                return PolicyRule.allOf(object);
            }
        }
        throw new IllegalArgumentException("unknown default role " + clusterRole);
    }

    private static String text() {
        try (var in = DefaultRoles.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException("resource " + FILE + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }

    private static List<JsonObject> aggregated(List<JsonObject> objects) {
        var roles = new TreeMap<String, JsonObject>();
        for (var object : objects) {
            if (object.text("kind").equals("ClusterRole")) {
                roles.put(object.objectOrEmpty("metadata").text("name"), object);
            }
        }
        var aggregation = new RoleAggregation(roles);
        return objects.stream()
                .map(object ->
                        RoleAggregation.isAggregated(object)
                                ? withRules(object, aggregation.rules(object))
                                : object)
                .toList();
    }

    static JsonObject withRules(JsonObject role, List<PolicyRule> rules) {
        return role.with("rules", Json.array(rules.stream().map(PolicyRule::toJson).toList()));
    }

    private void parse(String line) {
        var words = List.of(line.strip().split(" +"));
        if (line.startsWith(" ")) {
            openRules.add(rule(words).toJson());
            return;
        }
        close();
        switch (words.getFirst()) {
            case "clusterrole" -> openRole = clusterRole(words);
            case "controller" -> {
                var name = words.get(1);
                openRole = head("ClusterRole", "", CONTROLLER + name, Map.of());
                objects.add(
                        binding(
                                "",
                                CONTROLLER + name,
                                List.of("ServiceAccount:kube-system/" + name)));
            }
            case "role" -> openRole = head("Role", words.get(1), words.get(2), Map.of());
            case "bind" -> bind(words);
            default -> throw new IllegalStateException("unknown line in " + FILE + ": " + line);
        }
    }

    private void close() {
        if (!openRole.isEmpty()) {
            objects.add(openRole.with("rules", Json.array(List.copyOf(openRules))));
        }
        openRole = JsonObject.EMPTY;
        openRules.clear();
    }

    private static JsonObject clusterRole(List<String> words) {
        var labels = new LinkedHashMap<String, Json>();
        for (var word : words) {
            if (word.startsWith("+")) {
                labels.put(AGGREGATE_TO + word.substring(1), Json.of("true"));
            }
        }
        var role = head("ClusterRole", "", words.get(1), labels);
        if (words.size() < 5 || !words.get(2).equals("sum")) {
            return role;
        }
        var selector =
                JsonObject.of(
                        "matchLabels", JsonObject.of(AGGREGATE_TO + words.get(4), Json.of("true")));
        return role.with(
                "aggregationRule", JsonObject.of("clusterRoleSelectors", Json.array(selector)));
    }

    private void bind(List<String> words) {
        var to = words.indexOf("to");
        var namespace = to == 3 ? words.get(1) : "";
        objects.add(binding(namespace, words.get(to - 1), words.subList(to + 1, words.size())));
    }

    private static JsonObject binding(String namespace, String role, List<String> subjects) {
        var isCluster = namespace.isEmpty();
        var kind = isCluster ? "ClusterRoleBinding" : "RoleBinding";
        var ref = new LinkedHashMap<String, Json>();
        ref.put("apiGroup", Json.of(RbacIndex.GROUP));
        ref.put("kind", Json.of(isCluster ? "ClusterRole" : "Role"));
        ref.put("name", Json.of(role));
        var bound = head(kind, namespace, role, Map.of()).with("roleRef", new JsonObject(ref));
        return subjects.isEmpty()
                ? bound
                : bound.with(
                        "subjects",
                        Json.array(subjects.stream().map(DefaultRoles::subject).toList()));
    }

    private static JsonObject subject(String word) {
        var colon = word.indexOf(':');
        var kind = word.substring(0, colon);
        var name = word.substring(colon + 1);
        var members = new LinkedHashMap<String, Json>();
        members.put("kind", Json.of(kind));
        if (kind.equals("ServiceAccount")) {
            var slash = name.indexOf('/');
            members.put("name", Json.of(name.substring(slash + 1)));
            members.put("namespace", Json.of(name.substring(0, slash)));
        } else {
            members.put("apiGroup", Json.of(RbacIndex.GROUP));
            members.put("name", Json.of(name));
        }
        return new JsonObject(members);
    }

    private static JsonObject head(
            String kind, String namespace, String name, Map<String, Json> moreLabels) {
        var labels = new LinkedHashMap<String, Json>();
        labels.put("kubernetes.io/bootstrapping", Json.of("rbac-defaults"));
        labels.putAll(moreLabels);
        var metadata = new LinkedHashMap<String, Json>();
        metadata.put("name", Json.of(name));
        if (!namespace.isEmpty()) {
            metadata.put("namespace", Json.of(namespace));
        }
        metadata.put("labels", new JsonObject(labels));
        metadata.put("annotations", JsonObject.of(AUTOUPDATE, Json.of("true")));
        var members = new LinkedHashMap<String, Json>();
        members.put("apiVersion", Json.of(API_VERSION));
        members.put("kind", Json.of(kind));
        members.put("metadata", new JsonObject(metadata));
        return new JsonObject(members);
    }

    private static PolicyRule rule(List<String> words) {
        var verbs = new ArrayList<String>();
        for (var verb : words.getFirst().split(",", -1)) {
            switch (verb) {
                case "read" -> verbs.addAll(READ);
                case "write" -> verbs.addAll(WRITE);
                default -> verbs.add(verb);
            }
        }
        var resourcesOrUrls = List.of(words.get(2).split(",", -1));
        if (words.get(1).equals("url")) {
            return new PolicyRule(verbs, List.of(), List.of(), List.of(), resourcesOrUrls);
        }
        var groups = new ArrayList<String>();
        for (var group : words.get(1).split(",", -1)) {
            groups.add(group.equals("core") ? "" : group);
        }
        var names = words.size() > 3 ? List.of(words.get(3).split(",", -1)) : List.<String>of();
        return new PolicyRule(verbs, groups, resourcesOrUrls, names, List.of());
    }
}

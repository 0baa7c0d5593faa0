package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A node type: its labels, capacity, and the device pools that its drivers publish.
///
/// The text is a template (see [ProfileTemplate]) with the variables `${node}`, `${index}` (the
/// number of the node among those of the profile) and `${profile}`.
public final class HardwareProfile {

    private static final Set<String> FIELDS =
            Set.of("description", "labels", "capacity", "values", "pools");

    private final String name;
    private final JsonObject text;

    /// @throws InvalidProfileException with the reason
    public HardwareProfile(String name, JsonObject text) {
        this.name = name;
        this.text = text;
        for (var field : text.names()) {
            if (!FIELDS.contains(field)) {
                throw new InvalidProfileException(
                        "profile %s: unknown field \"%s\"".formatted(name, field));
            }
        }
    }

    public String name() {
        return name;
    }

    /// The template as a JSON tree.
    JsonObject text() {
        return text;
    }

    public String description() {
        return text.text("description");
    }

    /// The specification of a node of this profile.
    ///
    /// @param index its number among those of this profile, from 0
    public SimulatedNodeSpec node(String node, int index) {
        var template =
                new ProfileTemplate(
                                Map.of(
                                        "profile", Json.of(name),
                                        "node", Json.of(node),
                                        "index", Json.of(index)))
                        .withAll(text.objectOrEmpty("values"));
        try {
            return new SimulatedNodeSpec(
                    node,
                    name,
                    texts(template.object(text.objectOrEmpty("labels"))),
                    texts(template.object(text.objectOrEmpty("capacity"))),
                    pools(template, false));
        } catch (InvalidProfileException e) {
            throw located(e);
        }
    }

    /// Network-attached pools, which are accessible from several nodes.
    public List<DesiredPool> sharedPools() {
        var template =
                new ProfileTemplate(Map.of("profile", Json.of(name)))
                        .withAll(text.objectOrEmpty("values"));
        try {
            return pools(template, true);
        } catch (InvalidProfileException e) {
            throw located(e);
        }
    }

    private InvalidProfileException located(InvalidProfileException e) {
        var withProfile = new InvalidProfileException("profile " + name + ": " + e.getMessage());
        withProfile.initCause(e);
        return withProfile;
    }

    private List<DesiredPool> pools(ProfileTemplate template, boolean isShared) {
        var pools = new ArrayList<DesiredPool>();
        for (var pool : text.objects("pools")) {
            if (PoolTemplate.isShared(pool) == isShared) {
                pools.add(PoolTemplate.pool(pool, template));
            }
        }
        return pools;
    }

    private static Map<String, String> texts(JsonObject object) {
        var texts = new LinkedHashMap<String, String>();
        object.members().forEach((key, value) -> texts.put(key, TemplateExpression.text(value)));
        return texts;
    }
}

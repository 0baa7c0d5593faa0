package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A kind of machine: its labels, its size, and what the drivers on it publish.
///
/// The text is a template; how templates work is told in [ProfileTemplate], and `${node}`,
/// `${index}` (the number of the node among those of the profile) and `${profile}` are always
/// there.
public final class HardwareProfile {

    private static final Set<String> FIELDS =
            Set.of("description", "labels", "capacity", "values", "pools");

    private final String name;
    private final JsonObject text;

    /// @throws BrokenProfile with what is wrong
    public HardwareProfile(String name, JsonObject text) {
        this.name = name;
        this.text = text;
        for (var field : text.names()) {
            if (!FIELDS.contains(field)) {
                throw new InvalidProfileException(
                        "profile %s: there is no field \"%s\"".formatted(name, field));
            }
        }
    }

    public String name() {
        return name;
    }

    /// As it was written, in other words.
    JsonObject text() {
        return text;
    }

    public String description() {
        return text.text("description");
    }

    /// One node of this kind.
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
            throw broken(e);
        }
    }

    /// The pools that are not part of any node, but reached from several.
    public List<DesiredPool> sharedPools() {
        var template =
                new ProfileTemplate(Map.of("profile", Json.of(name)))
                        .withAll(text.objectOrEmpty("values"));
        try {
            return pools(template, true);
        } catch (InvalidProfileException e) {
            throw broken(e);
        }
    }

    private InvalidProfileException broken(InvalidProfileException e) {
        var located = new InvalidProfileException("profile " + name + ": " + e.getMessage());
        located.initCause(e);
        return located;
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

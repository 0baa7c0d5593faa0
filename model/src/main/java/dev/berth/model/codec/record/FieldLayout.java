package dev.berth.model.codec.record;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The fields of an object, without a Java type for it.
///
/// A partial layout describes only some fields; others are kept unchanged.
public final class FieldLayout implements Schema {

    public record Member(String name, Schema schema, FieldPresence presence) {}

    private final Map<String, Member> members;
    private final List<Member> mandatory;
    private final boolean partial;

    private FieldLayout(Map<String, Member> members, boolean partial) {
        this.members = members;
        this.mandatory =
                members.values().stream().filter(member -> member.presence.isMandatory()).toList();
        this.partial = partial;
    }

    public static FieldLayout of(List<Member> members, boolean partial) {
        var byName = new LinkedHashMap<String, Member>();
        for (var member : members) {
            if (byName.put(member.name, member) != null) {
                throw new IllegalArgumentException("field " + member.name + " is described twice");
            }
        }
        return new FieldLayout(byName, partial);
    }

    public Set<String> names() {
        return members.keySet();
    }

    public List<Member> members() {
        return new ArrayList<>(members.values());
    }

    /// This layout with another description of one field.
    public FieldLayout with(String name, Schema schema, FieldPresence presence) {
        var changed = new LinkedHashMap<>(members);
        changed.put(name, new Member(name, schema, presence));
        return new FieldLayout(changed, partial);
    }

    /// This layout with one field described by a change of its layout.
    public FieldLayout with(String name, FieldLayout layout) {
        var member = members.get(name);
        if (member == null) {
            throw new IllegalArgumentException("no field " + name);
        }
        return with(name, layout, member.presence);
    }

    public FieldLayout without(String name) {
        var changed = new LinkedHashMap<>(members);
        changed.remove(name);
        return new FieldLayout(changed, partial);
    }

    @Override
    public Json tidy(Json value, Tidying tidying) {
        if (!(value instanceof JsonObject object)) {
            tidying.wrongType("object", value);
            return value;
        }
        var tidy = new MemberEdits(object);
        for (var at = 0; at < object.size(); at++) {
            var name = object.nameAt(at);
            var member = members.get(name);
            if (member != null) {
                put(tidy, member, object.valueAt(at), tidying);
            } else if (partial) {
                tidy.put(name, object.valueAt(at));
            } else {
                tidying.report(
                        new DecodingProblem.UnknownField(tidying.trail().path().child(name)));
            }
        }
        if (tidying.stored()) {
            addMandatory(tidy);
        }
        return tidy.done();
    }

    private static void put(MemberEdits tidy, Member member, Json value, Tidying tidying) {
        if (value instanceof JsonNull) {
            return;
        }
        tidying.trail().enter(member.name);
        var written = member.schema.tidy(value, tidying);
        tidying.trail().leave();
        var kept =
                switch (member.presence) {
                    case ALWAYS, NULLABLE, WHEN_SET -> true;
                    case UNLESS_EMPTY -> !tidying.stored() || !isEmpty(written);
                    case NEVER -> false;
                };
        if (kept) {
            tidy.put(member.name, written);
        }
    }

    private void addMandatory(MemberEdits tidy) {
        for (var member : mandatory) {
            if (!tidy.has(member.name)) {
                tidy.put(
                        member.name,
                        member.presence == FieldPresence.ALWAYS
                                ? member.schema.absent()
                                : JsonNull.INSTANCE);
            }
        }
    }

    private static boolean isEmpty(Json value) {
        return switch (value) {
            case JsonObject object -> object.isEmpty();
            case JsonArray(var items) -> items.isEmpty();
            case JsonString(var text) -> text.isEmpty();
            case JsonNumber number -> number.asLong().orElse(1) == 0;
            case JsonBool(var flag) -> !flag;
            case JsonNull _ -> true;
        };
    }

    @Override
    public void describe(String path, Consumer<String> to) {
        for (var member : members.values()) {
            var name = path.isEmpty() ? member.name : path + "." + member.name;
            member.schema.describe(name, to);
        }
    }

    @Override
    public Json absent() {
        var tidy = new MemberEdits(JsonObject.EMPTY);
        addMandatory(tidy);
        return tidy.done();
    }
}

package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.TreeSet;

/// Merges an applied configuration into a live object; removes nothing.
///
/// List items are in the order of the configuration. Items that only the live list has stay before
/// the live item that follows them.
final class ApplyMerge {

    private ApplyMerge() {}

    static Json merged(Json live, Json config, SchemaType type) {
        if (ApplyTypes.isEmptyOrNull(live) && ApplyTypes.isEmptyOrNull(config)) {
            return config;
        }
        if (ApplyTypes.isGranular(type)) {
            if (live instanceof JsonObject left && config instanceof JsonObject right) {
                return members(left, right, type);
            }
            return live instanceof JsonObject && config instanceof JsonNull ? live : config;
        }
        var list = ApplyTypes.associativeList(type);
        if (list.isEmpty()) {
            return config;
        }
        if (live instanceof JsonArray(var left) && config instanceof JsonArray(var right)) {
            var leftSteps = ApplyTypes.steps(list.get(), left);
            var rightSteps = ApplyTypes.steps(list.get(), right);
            return leftSteps.isPresent() && rightSteps.isPresent()
                    ? new Lists(left, leftSteps.get(), right, rightSteps.get(), list.get()).merged()
                    : config;
        }
        return live instanceof JsonArray && config instanceof JsonNull ? live : config;
    }

    private static JsonObject members(JsonObject live, JsonObject config, SchemaType type) {
        var members = new LinkedHashMap<>(live.members());
        config.members()
                .forEach((name, value) ->
                        members.merge(
                                name,
                                value,
                                (old, now) -> merged(old, now, ApplyTypes.member(type, name))));
        return new JsonObject(members);
    }

    /// Merges a live and a configured associative list in one pass over both.
    private static final class Lists {

        private final List<Json> live;
        private final List<PathStep> liveSteps;
        private final List<PathStep> configSteps;
        private final ListOf type;
        private final TreeMap<PathStep, Json> liveByStep = new TreeMap<>();
        private final TreeMap<PathStep, Json> configByStep = new TreeMap<>();
        private final TreeSet<PathStep> done = new TreeSet<>();
        private final List<Json> result = new ArrayList<>();

        Lists(
                List<Json> live,
                List<PathStep> liveSteps,
                List<Json> config,
                List<PathStep> configSteps,
                ListOf type) {
            this.live = live;
            this.liveSteps = liveSteps;
            this.configSteps = configSteps;
            this.type = type;
            for (var i = 0; i < config.size(); i++) {
                configByStep.put(configSteps.get(i), config.get(i));
            }
            // Live items with a duplicate key are not merged: it is unknown which one was meant.
            var repeated = ApplyTypes.repeated(liveSteps);
            for (var i = 0; i < live.size(); i++) {
                if (!repeated.contains(liveSteps.get(i))) {
                    liveByStep.put(liveSteps.get(i), live.get(i));
                }
            }
        }

        private JsonArray merged() {
            var known = new TreeSet<>(liveSteps);
            var shared = new ArrayDeque<PathStep>();
            configSteps.stream().filter(known::contains).forEach(shared::add);
            var next = 0;
            for (var step : configSteps) {
                next = passLive(next, step, shared);
                take(step);
                if (step.equals(shared.peek())) {
                    shared.remove();
                }
            }
            for (; next < live.size(); next++) {
                keepLiveOnly(next);
            }
            return new JsonArray(result);
        }

        /// Advances in the live list to the item of `step`, or to the next item that both lists
        /// have in the order of the configuration. Items of the configuration that are elsewhere in
        /// the live list are skipped; they are taken later.
        private int passLive(int from, PathStep step, Queue<PathStep> shared) {
            var next = from;
            while (next < live.size()) {
                var here = liveSteps.get(next);
                if (here.equals(step)) {
                    return next + 1;
                }
                if (here.equals(shared.peek())) {
                    return next;
                }
                keepLiveOnly(next);
                next++;
            }
            return next;
        }

        private void keepLiveOnly(int index) {
            if (!configByStep.containsKey(liveSteps.get(index))) {
                result.add(live.get(index));
            }
        }

        private void take(PathStep step) {
            if (done.add(step)) {
                var now = configByStep.getOrDefault(step, JsonNull.INSTANCE);
                var old = liveByStep.get(step);
                result.add(old == null ? now : ApplyMerge.merged(old, now, type.item()));
            }
        }
    }
}

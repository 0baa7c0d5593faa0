package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.kinds.pod.PodChecks;
import dev.berth.server.kinds.pod.PodDefaults;
import dev.berth.server.registry.LabelSelectorParser;
import dev.berth.server.registry.Strategy;
import java.util.List;
import java.util.regex.Pattern;

/// Defaulting and validation of deployments, replica sets, stateful sets, daemon sets and
/// controller revisions.
final class AppsRules {

    private static final Pattern SHARE = Pattern.compile("[0-9]+%");
    private static final String QUARTER = "25%";

    private AppsRules() {}

    static Strategy deployments() {
        return ComposedStrategy.namespaced()
                .withStatus()
                .countingGenerations()
                .defaults(o -> DefaultsFiller.spec(o, AppsRules::filledDeployment))
                .checks((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    common(spec, checks);
                    for (var name : List.of("progressDeadlineSeconds", "revisionHistoryLimit")) {
                        checks.notNegative(spec, name, ObjectChecks.SPEC);
                    }
                    if (spec.number("progressDeadlineSeconds").orElse(Integer.MAX_VALUE)
                            <= spec.number("minReadySeconds").orElse(0)) {
                        checks.invalid(
                                ObjectChecks.SPEC.child("progressDeadlineSeconds"),
                                Json.of(spec.number("progressDeadlineSeconds").orElse(0)),
                                "must be greater than minReadySeconds");
                    }
                    rollout(spec.objectOrEmpty("strategy"), checks);
                })
                .checksUpdate((old, o, checks) -> checks.immutableSpec(old, o, "selector"));
    }

    private static JsonObject filledDeployment(JsonObject spec) {
        return DefaultsFiller.of(PodDefaults.template(spec))
                .number("replicas", 1)
                .number("revisionHistoryLimit", 10)
                .number("progressDeadlineSeconds", 600)
                .into(
                        "strategy",
                        s -> {
                            var strategy = DefaultsFiller.of(s).text("type", "RollingUpdate");
                            if (strategy.done().text("type").equals("RollingUpdate")) {
                                strategy.into(
                                        "rollingUpdate",
                                        r ->
                                                DefaultsFiller.of(r)
                                                        .json("maxUnavailable", Json.of(QUARTER))
                                                        .json("maxSurge", Json.of(QUARTER))
                                                        .done());
                            }
                            return strategy.done();
                        })
                .done();
    }

    private static void rollout(JsonObject strategy, ObjectChecks checks) {
        var path = ObjectChecks.SPEC.child("strategy");
        checks.oneOf(strategy, "type", path, List.of("Recreate", "RollingUpdate"));
        if (strategy.text("type").equals("Recreate") && strategy.has("rollingUpdate")) {
            checks.forbidden(
                    path.child("rollingUpdate"),
                    "may not be specified when strategy `type` is 'Recreate'");
        }
        var rolling = strategy.object("rollingUpdate");
        rolling.ifPresent(r -> rolling(r, path.child("rollingUpdate"), checks));
    }

    private static void rolling(JsonObject rolling, FieldPath path, ObjectChecks checks) {
        for (var name : List.of("maxUnavailable", "maxSurge")) {
            countOrShare(rolling, name, path, checks);
        }
        if (isZero(rolling, "maxUnavailable") && isZero(rolling, "maxSurge")) {
            checks.invalid(
                    path.child("maxUnavailable"),
                    rolling.member("maxUnavailable").orElse(Json.of(0)),
                    "may not be 0 when `maxSurge` is 0");
        }
    }

    private static boolean isZero(JsonObject holder, String name) {
        return holder.number(name).orElse(-1) == 0
                || holder.text(name).equals("0%")
                || !holder.has(name);
    }

    /// A number, or a percentage such as `25%`.
    static void countOrShare(JsonObject holder, String name, FieldPath path, ObjectChecks checks) {
        checks.notNegative(holder, name, path);
        if (holder.string(name).isPresent()) {
            var text = holder.text(name);
            if (!SHARE.matcher(text).matches()) {
                checks.invalid(
                        path.child(name),
                        text,
                        "a valid percent string must be a numeric string followed by an ending '%'"
                                + " (e.g. '1%',  or '93%', regex used for validation is "
                                + "'[0-9]+%')");
            } else if (name.equals("maxUnavailable") && text.length() > 4) {
                checks.invalid(path.child(name), text, "must not be greater than 100%");
            }
        }
    }

    /// Checks common to all of them: replicas, template, and a selector that matches the template.
    private static void common(JsonObject spec, ObjectChecks checks) {
        checks.notNegative(spec, "replicas", ObjectChecks.SPEC);
        checks.notNegative(spec, "minReadySeconds", ObjectChecks.SPEC);
        selectorAndTemplate(spec, checks);
        var template = spec.objectOrEmpty("template").objectOrEmpty("spec");
        var path = ObjectChecks.SPEC.child("template").child("spec");
        if (!template.text("restartPolicy").equals("Always")) {
            checks.add(
                    FieldError.notSupported(
                            path.child("restartPolicy"),
                            template.text("restartPolicy"),
                            List.of("Always")));
        }
        if (template.has("activeDeadlineSeconds")) {
            checks.forbidden(
                    path.child("activeDeadlineSeconds"),
                    "activeDeadlineSeconds in ReplicaSet is not Supported");
        }
    }

    private static void selectorAndTemplate(JsonObject spec, ObjectChecks checks) {
        var path = ObjectChecks.SPEC.child("selector");
        var selector = spec.object("selector");
        if (selector.isEmpty()) {
            checks.required(path, "");
        } else {
            SelectorChecks.check(selector.get(), path, checks);
            if (SelectorChecks.isEmpty(selector.get())) {
                checks.invalid(path, selector.get(), "empty selector is invalid for deployment");
            }
        }
        var template = spec.objectOrEmpty("template");
        var labels = template.objectOrEmpty("metadata").objectOrEmpty("labels");
        if (selector.filter(
                        s ->
                                !SelectorChecks.isEmpty(s)
                                        && !LabelSelectorParser.read(s).matches(labels))
                .isPresent()) {
            checks.invalid(
                    ObjectChecks.SPEC.child("template").child("metadata").child("labels"),
                    labels,
                    "`selector` does not match template `labels`");
        }
        PodChecks.template(template, ObjectChecks.SPEC.child("template"), checks);
    }

    static Strategy replicaSets() {
        return ComposedStrategy.namespaced()
                .withStatus(JsonObject.of("replicas", Json.of(0)))
                .countingGenerations()
                .defaults(o ->
                        DefaultsFiller.spec(
                                o,
                                s ->
                                        DefaultsFiller.of(PodDefaults.template(s))
                                                .number("replicas", 1)
                                                .done()))
                .checks((o, checks) -> common(o.objectOrEmpty("spec"), checks))
                .checksUpdate((old, o, checks) -> checks.immutableSpec(old, o, "selector"));
    }

    static Strategy statefulSets() {
        return ComposedStrategy.namespaced()
                .storedOnly("StatefulSet")
                .withStatus(
                        JsonObject.of("replicas", Json.of(0)).with("availableReplicas", Json.of(0)))
                .countingGenerations()
                .defaults(o -> DefaultsFiller.spec(o, AppsRules::filledStatefulSet))
                .checks((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    common(spec, checks);
                    checks.oneOf(
                            spec,
                            "podManagementPolicy",
                            ObjectChecks.SPEC,
                            List.of("OrderedReady", "Parallel"));
                    var strategy = spec.objectOrEmpty("updateStrategy");
                    checks.oneOf(
                            strategy,
                            "type",
                            ObjectChecks.SPEC.child("updateStrategy"),
                            List.of("OnDelete", "RollingUpdate"));
                })
                .checksUpdate(AppsRules::statefulSetUpdate);
    }

    private static JsonObject filledStatefulSet(JsonObject spec) {
        return DefaultsFiller.of(PodDefaults.template(spec))
                .number("replicas", 1)
                .text("podManagementPolicy", "OrderedReady")
                .number("revisionHistoryLimit", 10)
                .into(
                        "updateStrategy",
                        s -> {
                            var strategy = DefaultsFiller.of(s).text("type", "RollingUpdate");
                            if (strategy.done().text("type").equals("RollingUpdate")) {
                                strategy.into(
                                        "rollingUpdate",
                                        r -> DefaultsFiller.of(r).number("partition", 0).done());
                            }
                            return strategy.done();
                        })
                .into(
                        "persistentVolumeClaimRetentionPolicy",
                        p ->
                                DefaultsFiller.of(p)
                                        .text("whenDeleted", "Retain")
                                        .text("whenScaled", "Retain")
                                        .done())
                .each(
                        "volumeClaimTemplates",
                        t ->
                                StorageRules.filledClaim(
                                        DefaultsFiller.of(t)
                                                .text("apiVersion", "v1")
                                                .text("kind", "PersistentVolumeClaim")
                                                .into(
                                                        "status",
                                                        s ->
                                                                DefaultsFiller.of(s)
                                                                        .text("phase", "Pending")
                                                                        .done())
                                                .done()))
                .done();
    }

    private static void statefulSetUpdate(JsonObject old, JsonObject object, ObjectChecks checks) {
        var free =
                List.of(
                        "replicas",
                        "template",
                        "updateStrategy",
                        "persistentVolumeClaimRetentionPolicy",
                        "minReadySeconds",
                        "ordinals",
                        "revisionHistoryLimit");
        var before = TreeEdits.without(old.objectOrEmpty("spec"), free);
        var after = TreeEdits.without(object.objectOrEmpty("spec"), free);
        if (!SemanticEquality.same(before, after)) {
            checks.forbidden(
                    ObjectChecks.SPEC,
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', "
                            + "'template', 'updateStrategy', 'revisionHistoryLimit', "
                            + "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are "
                            + "forbidden");
        }
    }

    static Strategy daemonSets() {
        return ComposedStrategy.namespaced()
                .storedOnly("DaemonSet")
                .withStatus(
                        JsonObject.of("currentNumberScheduled", Json.of(0))
                                .with("desiredNumberScheduled", Json.of(0))
                                .with("numberMisscheduled", Json.of(0))
                                .with("numberReady", Json.of(0)))
                .countingGenerations()
                .defaults(o -> DefaultsFiller.spec(o, AppsRules::filledDaemonSet))
                .checks((o, checks) -> {
                    var spec = o.objectOrEmpty("spec");
                    common(spec, checks);
                    var strategy = spec.objectOrEmpty("updateStrategy");
                    var path = ObjectChecks.SPEC.child("updateStrategy");
                    checks.oneOf(strategy, "type", path, List.of("OnDelete", "RollingUpdate"));
                    strategy.object("rollingUpdate")
                            .ifPresent(r -> rolling(r, path.child("rollingUpdate"), checks));
                })
                .checksUpdate((old, o, checks) -> checks.immutableSpec(old, o, "selector"));
    }

    private static JsonObject filledDaemonSet(JsonObject spec) {
        return DefaultsFiller.of(PodDefaults.template(spec))
                .number("revisionHistoryLimit", 10)
                .into(
                        "updateStrategy",
                        s -> {
                            var strategy = DefaultsFiller.of(s).text("type", "RollingUpdate");
                            if (strategy.done().text("type").equals("RollingUpdate")) {
                                strategy.into(
                                        "rollingUpdate",
                                        r ->
                                                DefaultsFiller.of(r)
                                                        .json("maxUnavailable", Json.of(1))
                                                        .json("maxSurge", Json.of(0))
                                                        .done());
                            }
                            return strategy.done();
                        })
                .done();
    }

    static Strategy controllerRevisions() {
        return ComposedStrategy.namespaced()
                .checks((o, checks) -> checks.notNegative(o, "revision", FieldPath.ROOT))
                .checksNew((o, checks) -> {
                    if (!o.has("data")) {
                        checks.required(FieldPath.of("data"), "data is mandatory");
                    }
                })
                .checksUpdate((old, o, checks) -> checks.immutable(old, o, "data", FieldPath.ROOT));
    }
}

package dev.berth.control.devices;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.taint.DeviceTaintRule;
import dev.berth.model.codec.Kinds;
import dev.berth.model.condition.ConditionTrees;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;

/// Writes the eviction condition of DeviceTaintRules by server-side apply.
final class TaintRuleStatusWriter {

    private final Cluster cluster;

    TaintRuleStatusWriter(Cluster cluster) {
        this.cluster = cluster;
    }

    WorkResult write(DeviceTaintRule rule, Condition condition) {
        var kind = Kinds.DEVICE_TAINT_RULE;
        var conditions = Json.array(ConditionTrees.of(condition));
        var applied =
                JsonObject.of("apiVersion", Json.of(kind.apiVersion()))
                        .with("kind", Json.of(kind.name()))
                        .with(
                                "metadata",
                                JsonObject.of("name", Json.of(rule.metadata().name()))
                                        .with("uid", Json.of(rule.metadata().uid().value())))
                        .with("status", JsonObject.of("conditions", conditions));
        return cluster.send(
                        new Request.Patch(
                                ResourcePath.of(kind),
                                "",
                                rule.metadata().name(),
                                "status",
                                Request.PatchType.APPLY,
                                applied))
                .asWorkResult();
    }
}

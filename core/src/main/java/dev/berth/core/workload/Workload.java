package dev.berth.core.workload;

import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// Accessors of the fields that all workloads have.
///
/// @param tree the object as JSON
public record Workload(JsonObject tree) {

    public JsonObject metadata() {
        return tree.objectOrEmpty("metadata");
    }

    public JsonObject spec() {
        return tree.objectOrEmpty("spec");
    }

    public JsonObject status() {
        return tree.objectOrEmpty("status");
    }

    public String name() {
        return metadata().text("name");
    }

    public String namespace() {
        return metadata().text("namespace");
    }

    public String uid() {
        return metadata().text("uid");
    }

    public JsonObject annotations() {
        return metadata().objectOrEmpty("annotations");
    }

    public boolean isDeleting() {
        return metadata().has("deletionTimestamp");
    }

    public long number(String field, long byDefault) {
        return spec().number(field).orElse(byDefault);
    }

    /// An owner reference to this workload.
    public JsonObject ownerReference(String apiVersion, String kind) {
        return JsonObject.of("apiVersion", Json.of(apiVersion))
                .with("kind", Json.of(kind))
                .with("name", Json.of(name()))
                .with("uid", Json.of(uid()))
                .with("controller", Json.of(true))
                .with("blockOwnerDeletion", Json.of(true));
    }

    /// A pod from the template, owned by the workload, with `generateName`.
    public JsonObject pod(String apiVersion, String kind) {
        var template = spec().objectOrEmpty("template");
        var described = template.objectOrEmpty("metadata");
        var metadata =
                JsonObject.of("generateName", Json.of(name() + "-"))
                        .with("namespace", Json.of(namespace()))
                        .with("ownerReferences", Json.array(ownerReference(apiVersion, kind)));
        for (var field : List.of("labels", "annotations", "finalizers")) {
            var value = described.member(field);
            metadata = value.isPresent() ? metadata.with(field, value.get()) : metadata;
        }
        return JsonObject.of("apiVersion", Json.of("v1"))
                .with("kind", Json.of("Pod"))
                .with("metadata", metadata)
                .with("spec", template.objectOrEmpty("spec"));
    }

    static boolean isActive(Pod pod) {
        return !pod.metadata().isDeleting() && !PodClaimPhase.isTerminated(pod);
    }

    static boolean isReady(Pod pod) {
        return pod.status().conditions().stream()
                .anyMatch(one -> one.type().equals("Ready") && one.isTrue());
    }
}

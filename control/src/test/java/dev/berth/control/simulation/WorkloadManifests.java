package dev.berth.control.simulation;

import dev.berth.client.ResourcePath;
import dev.berth.model.json.JsonObject;

/// Manifests of ReplicaSets, Deployments and Jobs.
final class WorkloadManifests {

    static final ResourcePath SETS = new ResourcePath("apps", "v1", "replicasets");
    static final ResourcePath DEPLOYMENTS = new ResourcePath("apps", "v1", "deployments");
    static final ResourcePath JOBS = new ResourcePath("batch", "v1", "jobs");

    private WorkloadManifests() {}

    static JsonObject set(String template, int replicas) {
        return replicated("ReplicaSet", "set", template, replicas);
    }

    static JsonObject deployment(String template, int replicas) {
        return replicated("Deployment", "service", template, replicas);
    }

    private static JsonObject replicated(String kind, String name, String template, int replicas) {
        return YamlDocuments.one(
                """
                apiVersion: apps/v1
                kind: %s
                metadata: {name: %s}
                spec:
                  replicas: %d
                  selector: {matchLabels: {team: %s}}
                  template: %s
                """
                        .formatted(kind, name, replicas, name, template));
    }

    static JsonObject job(String template, int completions) {
        return YamlDocuments.one(
                """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: batch}
                spec:
                  completions: %d
                  parallelism: 2
                  template: %s
                """
                        .formatted(completions, template));
    }

    /// A pod template in one line.
    static String template(
            String name, String scheduler, String restart, int seconds, String template) {
        return """
        {metadata: {labels: {team: %s}}, spec: {schedulerName: %s, restartPolicy: %s,
          resourceClaims: [{name: c0, resourceClaimTemplateName: %s}],
          containers: [{name: c, image: i, command: [sleep, "%d"],
            resources: {claims: [{name: c0}]}}]}}\
        """
                .formatted(name, scheduler, restart, template, seconds)
                .replace('\n', ' ');
    }
}

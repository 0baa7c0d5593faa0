package dev.berth.app.lint;

import dev.berth.app.manifest.Manifest;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.SourceMap;
import java.util.List;
import java.util.Optional;

/// Finds pod templates in Deployments, Jobs and other workload kinds.
final class PodTemplates {

    /// A pod as its controller would create it.
    ///
    /// @param at path of the template in the controller object
    record Template(Manifest manifest, FieldPath at, JsonObject pod) {

        SourceMap place(FieldPath inPod) {
            return manifest.place(below(inPod));
        }

        /// The path in the controller object of a field of the pod.
        FieldPath below(FieldPath path) {
            return path.parent()
                    .map(parent ->
                            path.subscript()
                                    ? below(parent).key(path.step())
                                    : below(parent).child(path.step()))
                    .orElse(at);
        }
    }

    private static final List<String> DIRECT =
            List.of("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job");

    private PodTemplates() {}

    static Optional<Template> of(Manifest manifest) {
        if (DIRECT.contains(manifest.kind())) {
            return template(manifest, FieldPath.of("spec", "template"), manifest.object());
        }
        if (manifest.kind().equals("CronJob")) {
            var job = manifest.object().objectOrEmpty("spec").objectOrEmpty("jobTemplate");
            var at = FieldPath.of("spec", "jobTemplate", "spec", "template");
            return template(manifest, at, job);
        }
        return Optional.empty();
    }

    private static Optional<Template> template(Manifest manifest, FieldPath at, JsonObject owner) {
        return owner.objectOrEmpty("spec")
                .object("template")
                .map(template ->
                        new Template(
                                manifest,
                                at,
                                template.with(
                                        "metadata",
                                        template.objectOrEmpty("metadata")
                                                .with("name", Json.of("pod")))));
    }
}

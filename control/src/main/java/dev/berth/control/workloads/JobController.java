package dev.berth.control.workloads;

import dev.berth.client.Cluster;
import dev.berth.client.Request;
import dev.berth.client.ResourcePath;
import dev.berth.client.event.EventRecorder;
import dev.berth.control.loop.SharedCaches;
import dev.berth.core.workload.JobRules;
import dev.berth.core.workload.Workload;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.workqueue.WorkResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Runs Jobs: creates and deletes their pods, and deletes finished Jobs after their TTL.
public final class JobController extends WorkloadController {

    private static final ResourcePath ADDRESS = new ResourcePath("batch", "v1", "jobs");

    public JobController(Cluster cluster, SharedCaches caches, EventRecorder events) {
        super(cluster, caches, new WorkloadKind(ADDRESS, "Job", "job-controller"), events);
    }

    @Override
    WorkResult reconcile(Workload job, Instant now) {
        var end = JobRules.expiresAt(job);
        if (end.isPresent() && !job.isDeleting()) {
            return end.get().isAfter(now) ? new WorkResult.RequeueAt(end.get()) : delete(job);
        }
        var change = JobRules.change(job, pods.of(job), now);
        var result = execute(job, change, now);
        var written = writeStatus(job, change.status());
        if (written instanceof WorkResult.Done) {
            change.transition().ifPresent(transition -> record(job, transition));
        }
        return result instanceof WorkResult.Retry ? result : written;
    }

    private void record(Workload job, JobRules.Transition transition) {
        switch (transition) {
            case JobRules.Transition.Completed _ -> recordNormal(job, "Completed", "Job completed");
            case JobRules.Transition.Failed(var reason, var message) ->
                    recordWarning(job, reason, message);
            case JobRules.Transition.Suspended _ -> recordNormal(job, "Suspended", "Job suspended");
            case JobRules.Transition.Resumed _ -> recordNormal(job, "Resumed", "Job resumed");
        }
    }

    private WorkResult execute(Workload job, JobRules.Change change, Instant now) {
        for (var index : change.create()) {
            if (pods.create(job, pod(job, index), now) instanceof WorkResult.Retry retry) {
                return retry;
            }
        }
        for (var pod : change.delete()) {
            if (pods.delete(job, pod, now) instanceof WorkResult.Retry retry) {
                return retry;
            }
        }
        return WorkResult.DONE;
    }

    private WorkResult delete(Workload job) {
        return cluster()
                .send(
                        new Request.Delete(
                                ADDRESS,
                                job.namespace(),
                                job.name(),
                                Optional.of(job.uid()),
                                OptionalLong.empty()))
                .asWorkResult();
    }

    private static JsonObject pod(Workload job, OptionalInt index) {
        var pod = job.pod("batch/v1", "Job");
        if (index.isEmpty()) {
            return pod;
        }
        var number = Json.of(Integer.toString(index.getAsInt()));
        var metadata = pod.objectOrEmpty("metadata");
        var spec = pod.objectOrEmpty("spec");
        return pod.with(
                        "metadata",
                        metadata.with(
                                        "generateName",
                                        Json.of(job.name() + "-" + index.getAsInt() + "-"))
                                .with(
                                        "annotations",
                                        metadata.objectOrEmpty("annotations")
                                                .with(JobRules.INDEX, number))
                                .with(
                                        "labels",
                                        metadata.objectOrEmpty("labels")
                                                .with(JobRules.INDEX, number)))
                .with("spec", numbered(spec, number));
    }

    /// Sets the completion index as an environment variable of every container.
    private static JsonObject numbered(JsonObject spec, Json number) {
        var variable = JsonObject.of("name", Json.of("JOB_COMPLETION_INDEX")).with("value", number);
        var containers = new ArrayList<Json>();
        for (var container : spec.objects("containers")) {
            var env = new ArrayList<>(container.items("env"));
            env.add(variable);
            containers.add(container.with("env", Json.array(env)));
        }
        return spec.with("containers", Json.array(containers));
    }
}

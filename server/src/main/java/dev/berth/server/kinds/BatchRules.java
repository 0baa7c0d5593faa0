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
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;

/// Defaulting and validation of jobs and cron jobs.
final class BatchRules {

    private static final String OWNER_LABEL = "batch.kubernetes.io/controller-uid";
    private static final String OLD_OWNER_LABEL = "controller-uid";
    private static final String NAME_LABEL = "batch.kubernetes.io/job-name";
    private static final String OLD_NAME_LABEL = "job-name";
    private static final int INDEXED_MAX_PARALLELISM = 100_000;
    private static final int CRON_NAME_MAX = 52;

    private BatchRules() {}

    static Strategy jobs() {
        return ComposedStrategy.namespaced()
                .withStatus()
                .countingGenerations()
                .defaults(o -> DefaultsFiller.spec(o, BatchRules::filledJob))
                .onCreate((job, _) -> withSelector(job))
                .onUpdate((old, job, _) ->
                        DefaultsFiller.spec(
                                job, spec -> withOldSelector(old.objectOrEmpty("spec"), spec)))
                .checks((o, checks) -> job(o.objectOrEmpty("spec"), ObjectChecks.SPEC, checks))
                .checksUpdate(BatchRules::jobUpdate);
    }

    private static JsonObject filledJob(JsonObject spec) {
        var both = !spec.has("completions") && !spec.has("parallelism");
        var filled = DefaultsFiller.of(PodDefaults.template(spec));
        if (both) {
            filled.number("completions", 1);
        }
        filled.number("parallelism", 1);
        if (!spec.has("backoffLimit")) {
            filled.number("backoffLimit", spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
        }
        return filled.text("completionMode", "NonIndexed")
                .flag("suspend", false)
                .text(
                        "podReplacementPolicy",
                        spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed")
                .done();
    }

    /// Generates the selector of a job from its UID, unless `manualSelector` is set.
    private static JsonObject withSelector(JsonObject job) {
        var metadata = job.objectOrEmpty("metadata");
        return DefaultsFiller.spec(
                job,
                spec -> {
                    if (spec.flag("manualSelector").orElse(false)) {
                        return spec;
                    }
                    return DefaultsFiller.of(spec)
                            .into("selector", selector -> selecting(selector, metadata))
                            .into("template", template -> labelled(template, metadata))
                            .done();
                });
    }

    private static JsonObject selecting(JsonObject selector, JsonObject job) {
        var uid = Json.of(job.text("uid"));
        return DefaultsFiller.of(selector)
                .into("matchLabels", l -> l.with(OWNER_LABEL, uid))
                .done();
    }

    private static JsonObject labelled(JsonObject template, JsonObject job) {
        var uid = Json.of(job.text("uid"));
        var name = Json.of(job.text("name"));
        var labels =
                template.objectOrEmpty("metadata")
                        .objectOrEmpty("labels")
                        .with(OWNER_LABEL, uid)
                        .with(NAME_LABEL, name)
                        .with(OLD_OWNER_LABEL, uid)
                        .with(OLD_NAME_LABEL, name);
        return DefaultsFiller.metadata(template, m -> m.with("labels", labels));
    }

    private static JsonObject withOldSelector(JsonObject before, JsonObject spec) {
        return spec.has("selector") || !before.has("selector")
                ? spec
                : spec.with("selector", before.objectOrEmpty("selector"));
    }

    private static void job(JsonObject spec, FieldPath path, ObjectChecks checks) {
        jobNumbers(spec, path, checks);
        var selector = spec.object("selector");
        selector.ifPresent(s -> SelectorChecks.check(s, path.child("selector"), checks));
        var template = spec.objectOrEmpty("template");
        var labels = template.objectOrEmpty("metadata").objectOrEmpty("labels");
        if (selector.filter(s -> !LabelSelectorParser.read(s).matches(labels)).isPresent()) {
            checks.invalid(
                    path.child("template").child("metadata").child("labels"),
                    labels,
                    "`selector` does not match template `labels`");
        }
        PodChecks.template(template, path.child("template"), checks);
        var restart = template.objectOrEmpty("spec").text("restartPolicy");
        if (restart.equals("Always")) {
            checks.add(
                    FieldError.required(
                            path.child("template").child("spec").child("restartPolicy"),
                            "valid values: \"OnFailure\", \"Never\""));
        }
    }

    private static void jobNumbers(JsonObject spec, FieldPath path, ObjectChecks checks) {
        for (var name :
                List.of(
                        "parallelism",
                        "completions",
                        "activeDeadlineSeconds",
                        "backoffLimit",
                        "backoffLimitPerIndex",
                        "maxFailedIndexes",
                        "ttlSecondsAfterFinished")) {
            checks.notNegative(spec, name, path);
        }
        checks.oneOf(spec, "completionMode", path, List.of("Indexed", "NonIndexed"));
        if (spec.text("completionMode").equals("Indexed")) {
            if (!spec.has("completions")) {
                checks.required(path.child("completions"), "when completion mode is Indexed");
            }
            if (spec.number("parallelism").orElse(0) > INDEXED_MAX_PARALLELISM) {
                checks.invalid(
                        path.child("parallelism"),
                        Json.of(spec.number("parallelism").orElse(0)),
                        "must be less than or equal to %d when completion mode is Indexed"
                                .formatted(INDEXED_MAX_PARALLELISM));
            }
        }
    }

    private static void jobUpdate(JsonObject old, JsonObject job, ObjectChecks checks) {
        var before = old.objectOrEmpty("spec");
        var after = job.objectOrEmpty("spec");
        if (!before.text("completionMode").equals("Indexed")
                || !before.number("completions").equals(before.number("parallelism"))
                || !after.number("completions").equals(after.number("parallelism"))) {
            checks.immutableSpec(old, job, "completions");
        }
        for (var name :
                List.of(
                        "selector",
                        "completionMode",
                        "podFailurePolicy",
                        "backoffLimitPerIndex",
                        "managedBy")) {
            checks.immutableSpec(old, job, name);
        }
        var waiting =
                before.flag("suspend").orElse(false)
                        && !old.objectOrEmpty("status").has("startTime");
        if (!SemanticEquality.same(fixed(before, waiting), fixed(after, waiting))) {
            checks.add(
                    FieldError.immutable(
                            ObjectChecks.SPEC.child("template"), after.objectOrEmpty("template")));
        }
    }

    /// The template without the fields that may change while the job is suspended: scheduling
    /// directives.
    private static JsonObject fixed(JsonObject spec, boolean waiting) {
        var template = spec.objectOrEmpty("template");
        if (!waiting) {
            return template;
        }
        var podSpec =
                TreeEdits.without(
                        template.objectOrEmpty("spec"),
                        List.of("nodeSelector", "affinity", "tolerations", "schedulingGates"));
        return template.without("metadata").with("spec", podSpec);
    }

    static Strategy cronJobs() {
        return ComposedStrategy.namespaced()
                .storedOnly("CronJob")
                .withStatus()
                .countingGenerations()
                .defaults(o -> DefaultsFiller.spec(o, BatchRules::filledCronJob))
                .checks(BatchRules::cronJob)
                .checksNew((o, checks) -> {
                    var name = o.objectOrEmpty("metadata").text("name");
                    if (name.length() > CRON_NAME_MAX) {
                        checks.invalid(
                                ObjectChecks.METADATA.child("name"),
                                name,
                                "must be no more than 52 characters");
                    }
                });
    }

    private static JsonObject filledCronJob(JsonObject spec) {
        return DefaultsFiller.of(spec)
                .text("concurrencyPolicy", "Allow")
                .flag("suspend", false)
                .number("successfulJobsHistoryLimit", 3)
                .number("failedJobsHistoryLimit", 1)
                .into(
                        "jobTemplate",
                        t ->
                                DefaultsFiller.of(t)
                                        .into("metadata", m -> m)
                                        .into("spec", PodDefaults::template)
                                        .done())
                .done();
    }

    private static void cronJob(JsonObject cronJob, ObjectChecks checks) {
        var spec = cronJob.objectOrEmpty("spec");
        var schedule = spec.text("schedule");
        var path = ObjectChecks.SPEC.child("schedule");
        if (schedule.isEmpty()) {
            checks.required(path, "");
        } else {
            CronSchedule.problem(schedule).ifPresent(p -> checks.invalid(path, schedule, p));
            if (schedule.contains("TZ=")) {
                checks.invalid(
                        path,
                        schedule,
                        "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
            }
        }
        zone(spec, checks);
        checks.notNegative(spec, "startingDeadlineSeconds", ObjectChecks.SPEC);
        checks.oneOf(
                spec,
                "concurrencyPolicy",
                ObjectChecks.SPEC,
                List.of("Allow", "Forbid", "Replace"));
        for (var name : List.of("successfulJobsHistoryLimit", "failedJobsHistoryLimit")) {
            checks.notNegative(spec, name, ObjectChecks.SPEC);
        }
        var job = spec.objectOrEmpty("jobTemplate").objectOrEmpty("spec");
        if (job.has("selector") && !job.flag("manualSelector").orElse(false)) {
            checks.invalid(
                    ObjectChecks.SPEC.child("jobTemplate").child("spec").child("selector"),
                    job.objectOrEmpty("selector"),
                    "`selector` will be auto-generated");
        }
        job(filledJob(job), ObjectChecks.SPEC.child("jobTemplate").child("spec"), checks);
    }

    private static void zone(JsonObject spec, ObjectChecks checks) {
        if (!spec.has("timeZone")) {
            return;
        }
        var zone = spec.text("timeZone");
        var path = ObjectChecks.SPEC.child("timeZone");
        if (zone.isEmpty()) {
            checks.invalid(path, zone, "timeZone must be nil or non-empty string");
            return;
        }
        try {
            ZoneId.of(zone);
        } catch (DateTimeException e) {
            checks.invalid(path, zone, "unknown time zone " + zone);
        }
    }
}

package dev.berth.server.kinds.column;

import static dev.berth.server.kinds.column.Columns.at;
import static dev.berth.server.kinds.column.Columns.numberAt;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.registry.TableColumn;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;

/// Table columns of workloads and PodDisruptionBudgets.
public final class WorkloadColumns {

    private WorkloadColumns() {}

    private static JsonObject template(JsonObject object) {
        return object.objectOrEmpty("spec").objectOrEmpty("template").objectOrEmpty("spec");
    }

    public static List<TableColumn> deployments() {
        return Columns.named()
                .text("Ready", "Ready and desired pods", WorkloadColumns::ready)
                .number(
                        "Up-to-date",
                        "Pods of the newest template",
                        o -> status(o, "updatedReplicas"))
                .number("Available", "Ready for long enough", o -> status(o, "availableReplicas"))
                .age()
                .template(WorkloadColumns::template)
                .selector()
                .list();
    }

    private static String ready(JsonObject object) {
        return status(object, "readyReplicas") + "/" + numberAt(object, "spec", "replicas");
    }

    private static long status(JsonObject object, String name) {
        return numberAt(object, "status", name);
    }

    public static List<TableColumn> replicaSets() {
        return Columns.named()
                .number("Desired", "Desired pods", o -> numberAt(o, "spec", "replicas"))
                .number("Current", "Current pods", o -> status(o, "replicas"))
                .number("Ready", "Ready pods", o -> status(o, "readyReplicas"))
                .age()
                .template(WorkloadColumns::template)
                .selector()
                .list();
    }

    public static List<TableColumn> statefulSets() {
        return Columns.named()
                .text("Ready", "Ready and desired pods", WorkloadColumns::ready)
                .age()
                .template(WorkloadColumns::template)
                .list();
    }

    public static List<TableColumn> daemonSets() {
        return Columns.named()
                .number("Desired", "Nodes that need one", o -> status(o, "desiredNumberScheduled"))
                .number("Current", "Nodes that have one", o -> status(o, "currentNumberScheduled"))
                .number("Ready", "Nodes with a ready one", o -> status(o, "numberReady"))
                .number(
                        "Up-to-date",
                        "Pods of the newest template",
                        o -> status(o, "updatedNumberScheduled"))
                .number("Available", "Ready for long enough", o -> status(o, "numberAvailable"))
                .text(
                        "Node Selector",
                        "Node selector",
                        o -> SelectorChecks.labelsText(template(o).objectOrEmpty("nodeSelector")))
                .age()
                .template(WorkloadColumns::template)
                .selector()
                .list();
    }

    public static List<TableColumn> controllerRevisions() {
        return Columns.named()
                .text("Controller", "Controller of the revision", WorkloadColumns::controller)
                .number("Revision", "Its number", o -> o.number("revision").orElse(0))
                .age()
                .list();
    }

    private static String controller(JsonObject object) {
        return object.objectOrEmpty("metadata").objects("ownerReferences").stream()
                .filter(owner -> owner.flag("controller").orElse(false))
                .map(WorkloadColumns::ownerText)
                .findFirst()
                .orElse(Columns.NONE);
    }

    private static String ownerText(JsonObject owner) {
        var version = owner.text("apiVersion");
        var slash = version.indexOf('/');
        var kind = owner.text("kind").toLowerCase(Locale.ROOT);
        return (slash < 0 ? kind : kind + "." + version.substring(0, slash))
                + "/"
                + owner.text("name");
    }

    public static List<TableColumn> jobs() {
        return Columns.named()
                .text("Status", "Status of the job", WorkloadColumns::jobStatus)
                .text("Completions", "Succeeded and required pods", o -> completions(o))
                .timed("Duration", "Run time of the job", WorkloadColumns::jobDuration)
                .age()
                .template(WorkloadColumns::template)
                .selector()
                .list();
    }

    private static String jobStatus(JsonObject job) {
        if (holds(job, "Complete")) {
            return "Complete";
        }
        if (holds(job, "Failed")) {
            return "Failed";
        }
        if (job.objectOrEmpty("metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        return List.of("Suspended", "FailureTarget", "SuccessCriteriaMet").stream()
                .filter(type -> holds(job, type))
                .findFirst()
                .orElse("Running");
    }

    private static boolean holds(JsonObject job, String type) {
        return job.objectOrEmpty("status").objects("conditions").stream()
                .anyMatch(c -> c.text("type").equals(type) && c.text("status").equals("True"));
    }

    private static String completions(JsonObject job) {
        var done = status(job, "succeeded");
        var spec = job.objectOrEmpty("spec");
        if (spec.has("completions")) {
            return done + "/" + spec.number("completions").orElse(0);
        }
        var parallelism = spec.number("parallelism").orElse(0);
        return parallelism > 1 ? "%d/1 of %d".formatted(done, parallelism) : done + "/1";
    }

    private static Json jobDuration(JsonObject job, Instant now) {
        var start = at(job, "status", "startTime");
        var end = at(job, "status", "completionTime");
        if (start.isEmpty()) {
            return Json.of("");
        }
        try {
            var until = end.isEmpty() ? now : Instant.parse(end);
            return Json.of(HumanDuration.text(Duration.between(Instant.parse(start), until)));
        } catch (DateTimeParseException e) {
            return Json.of(HumanDuration.UNKNOWN);
        }
    }

    public static List<TableColumn> cronJobs() {
        return Columns.named()
                .text("Schedule", "Cron schedule", o -> at(o, "spec", "schedule"))
                .text(
                        "Timezone",
                        "Time zone of the schedule",
                        o -> Columns.orNone(at(o, "spec", "timeZone")))
                .text("Suspend", "Whether it is suspended", o -> suspended(o))
                .number(
                        "Active",
                        "Number of active jobs",
                        o -> o.objectOrEmpty("status").items("active").size())
                .timed(
                        "Last Schedule",
                        "Time since the last job was created",
                        (o, now) -> {
                            var last = at(o, "status", "lastScheduleTime");
                            return Json.of(
                                    last.isEmpty() ? Columns.NONE : HumanDuration.since(last, now));
                        })
                .age()
                .template(o -> template(o.objectOrEmpty("spec").objectOrEmpty("jobTemplate")))
                .wide(
                        "Selector",
                        "Label selector of the pods",
                        o ->
                                SelectorChecks.text(
                                        o.objectOrEmpty("spec")
                                                .objectOrEmpty("jobTemplate")
                                                .objectOrEmpty("spec")
                                                .object("selector")))
                .list();
    }

    private static String suspended(JsonObject object) {
        return object.objectOrEmpty("spec")
                .flag("suspend")
                .map(on -> on ? "True" : "False")
                .orElse(Columns.UNSET);
    }

    public static List<TableColumn> disruptionBudgets() {
        return Columns.named()
                .text(
                        "Min Available",
                        "Minimum of available pods",
                        o -> countOrShare(o, "minAvailable"))
                .text(
                        "Max Unavailable",
                        "Maximum of unavailable pods",
                        o -> countOrShare(o, "maxUnavailable"))
                .number(
                        "Allowed Disruptions",
                        "Currently allowed disruptions",
                        o -> status(o, "disruptionsAllowed"))
                .age()
                .list();
    }

    private static String countOrShare(JsonObject object, String name) {
        var spec = object.objectOrEmpty("spec");
        var number = spec.number(name);
        return number.isPresent()
                ? Long.toString(number.getAsLong())
                : spec.string(name).orElse("N/A");
    }
}

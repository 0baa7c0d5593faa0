package dev.berth.server.kinds;

import static dev.berth.server.kinds.Columns.at;
import static dev.berth.server.kinds.Columns.numberAt;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.TableColumn;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;

/// The tables of what makes pods: deployments, jobs and the like, and of what protects them.
final class WorkloadColumns {

    private WorkloadColumns() {}

    private static JsonObject template(JsonObject object) {
        return object.objectOrEmpty("spec").objectOrEmpty("template").objectOrEmpty("spec");
    }

    static List<TableColumn> deployments() {
        return Columns.named()
                .text("Ready", "How many pods are ready, of how many", WorkloadColumns::ready)
                .number("Up-to-date", "Of the newest kind", o -> status(o, "updatedReplicas"))
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

    static List<TableColumn> replicaSets() {
        return Columns.named()
                .number("Desired", "How many are wanted", o -> numberAt(o, "spec", "replicas"))
                .number("Current", "How many there are", o -> status(o, "replicas"))
                .number("Ready", "How many are ready", o -> status(o, "readyReplicas"))
                .age()
                .template(WorkloadColumns::template)
                .selector()
                .list();
    }

    static List<TableColumn> statefulSets() {
        return Columns.named()
                .text("Ready", "How many pods are ready, of how many", WorkloadColumns::ready)
                .age()
                .template(WorkloadColumns::template)
                .list();
    }

    static List<TableColumn> daemonSets() {
        return Columns.named()
                .number("Desired", "Nodes that need one", o -> status(o, "desiredNumberScheduled"))
                .number("Current", "Nodes that have one", o -> status(o, "currentNumberScheduled"))
                .number("Ready", "Nodes with a ready one", o -> status(o, "numberReady"))
                .number(
                        "Up-to-date",
                        "Of the newest kind",
                        o -> status(o, "updatedNumberScheduled"))
                .number("Available", "Ready for long enough", o -> status(o, "numberAvailable"))
                .text(
                        "Node Selector",
                        "Which nodes need one",
                        o -> SelectorChecks.labelsText(template(o).objectOrEmpty("nodeSelector")))
                .age()
                .template(WorkloadColumns::template)
                .selector()
                .list();
    }

    static List<TableColumn> controllerRevisions() {
        return Columns.named()
                .text("Controller", "What it is a revision of", WorkloadColumns::controller)
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

    static List<TableColumn> jobs() {
        return Columns.named()
                .text("Status", "How far it is, in a word", WorkloadColumns::jobStatus)
                .text("Completions", "How many pods succeeded, of how many", o -> completions(o))
                .timed("Duration", "How long it took", WorkloadColumns::jobDuration)
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

    static List<TableColumn> cronJobs() {
        return Columns.named()
                .text("Schedule", "When it makes jobs", o -> at(o, "spec", "schedule"))
                .text("Timezone", "Of the schedule", o -> Columns.orNone(at(o, "spec", "timeZone")))
                .text("Suspend", "Whether it rests", o -> suspended(o))
                .number(
                        "Active",
                        "How many jobs run",
                        o -> o.objectOrEmpty("status").items("active").size())
                .timed(
                        "Last Schedule",
                        "When it last made a job",
                        (o, now) -> {
                            var last = at(o, "status", "lastScheduleTime");
                            return Json.of(
                                    last.isEmpty() ? Columns.NONE : HumanDuration.since(last, now));
                        })
                .age()
                .template(o -> template(o.objectOrEmpty("spec").objectOrEmpty("jobTemplate")))
                .wide(
                        "Selector",
                        "Which pods belong to it",
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

    static List<TableColumn> disruptionBudgets() {
        return Columns.named()
                .text("Min Available", "How many must stay", o -> countOrShare(o, "minAvailable"))
                .text("Max Unavailable", "How many may go", o -> countOrShare(o, "maxUnavailable"))
                .number(
                        "Allowed Disruptions",
                        "How many may go now",
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

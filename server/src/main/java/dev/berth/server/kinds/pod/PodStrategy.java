package dev.berth.server.kinds.pod;

import dev.berth.core.admission.Admission;
import dev.berth.core.admission.Admission.Admitted;
import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Strategy;
import java.util.ArrayList;
import java.util.List;

/// Create and update strategy of pods. Device claims are validated by the admission of `core`, the
/// rest here.
public final class PodStrategy implements Strategy {

    private static final String GATED = "Scheduling is blocked due to non-empty scheduling gates";

    private final Admission admission;

    public PodStrategy(Admission admission) {
        this.admission = admission;
    }

    @Override
    public Admitted create(JsonObject object, RequestContext context) {
        var pod = PodAdmission.apply(defaults(object, context), context);
        var admitted = admission.create(AdmissionKind.POD, pod, context.now());
        pod = ComposedStrategy.Generations.set(withFirstStatus(admitted.object()), 1);
        var checks = new ObjectChecks(context);
        checks.addAll(admitted.problems());
        PodChecks.spec(pod.objectOrEmpty("spec"), ObjectChecks.SPEC, checks);
        PodChecks.newPod(pod, checks);
        return new Admitted(pod, checks.found(), admitted.warnings());
    }

    private static JsonObject withFirstStatus(JsonObject pod) {
        var spec = pod.objectOrEmpty("spec");
        var status =
                JsonObject.of("phase", Json.of("Pending"))
                        .with("qosClass", Json.of(PodDefaults.qualityOfService(spec)));
        if (!spec.items("schedulingGates").isEmpty()) {
            var condition =
                    JsonObject.of("type", Json.of("PodScheduled"))
                            .with("status", Json.of("False"))
                            .with("reason", Json.of("SchedulingGated"))
                            .with("message", Json.of(GATED));
            status = status.with("conditions", Json.array(condition));
        }
        return pod.with("status", status);
    }

    @Override
    public Admitted update(JsonObject old, JsonObject object, RequestContext context) {
        var admitted =
                admission.update(AdmissionKind.POD, old, defaults(object, context), context.now());
        var pod = ComposedStrategy.Generations.count(old, admitted.object());
        if (old.objectOrEmpty("spec").items("schedulingGates").size() > 0
                && pod.objectOrEmpty("spec").items("schedulingGates").isEmpty()) {
            pod = withoutGatedCondition(pod);
        }
        var checks = new ObjectChecks(context);
        // All differences of the spec are reported together below.
        checks.addAll(withoutSpecProblem(admitted.problems()));
        PodChecks.spec(forChecks(old, pod), ObjectChecks.SPEC, checks);
        PodUpdates.check(old, pod, checks);
        return new Admitted(pod, checks.found(), admitted.warnings());
    }

    /// A negative grace period may stay if the pod had it before.
    private static JsonObject forChecks(JsonObject old, JsonObject pod) {
        var spec = pod.objectOrEmpty("spec");
        var before = old.objectOrEmpty("spec").number("terminationGracePeriodSeconds");
        return before.equals(spec.number("terminationGracePeriodSeconds"))
                ? spec.without("terminationGracePeriodSeconds")
                : spec;
    }

    private static List<FieldError> withoutSpecProblem(List<FieldError> problems) {
        return problems.stream()
                .filter(p ->
                        p.type() != FieldError.Type.FORBIDDEN
                                || !p.path().equals(ObjectChecks.SPEC))
                .toList();
    }

    private static JsonObject withoutGatedCondition(JsonObject pod) {
        var status = pod.objectOrEmpty("status");
        var kept = new ArrayList<Json>();
        for (var condition : status.objects("conditions")) {
            if (!condition.text("type").equals("PodScheduled")
                    || !condition.text("reason").equals("SchedulingGated")) {
                kept.add(condition);
            }
        }
        return status.has("conditions")
                ? pod.with("status", status.with("conditions", Json.array(kept)))
                : pod;
    }

    @Override
    public Admitted updateStatus(JsonObject old, JsonObject object, RequestContext context) {
        var admitted = admission.updateStatus(AdmissionKind.POD, old, object, context.now());
        var before = old.objectOrEmpty("status");
        var status = addresses(admitted.object().objectOrEmpty("status"));
        if (status.text("qosClass").isEmpty()) {
            status = TreeEdits.copyMember(status, before, "qosClass");
        }
        var checks = new ObjectChecks(context);
        checks.addAll(admitted.problems());
        PodUpdates.checkStatus(before, status, admitted.object().objectOrEmpty("spec"), checks);
        return new Admitted(
                admitted.object().with("status", status), checks.found(), admitted.warnings());
    }

    /// Sets `podIP` to the first of `podIPs`.
    private static JsonObject addresses(JsonObject status) {
        var result = status;
        for (var name : List.of("podIP", "hostIP")) {
            var all = status.objects(name + "s");
            if (!all.isEmpty()) {
                result = result.with(name, Json.of(all.getFirst().text("ip")));
            } else if (!status.text(name).isEmpty()) {
                var only = JsonObject.of("ip", Json.of(status.text(name)));
                result = result.with(name + "s", Json.array(only));
            }
        }
        return result;
    }

    @Override
    public JsonObject defaults(JsonObject object, RequestContext context) {
        return PodDefaults.pod(object);
    }
}

package dev.berth.server.kinds;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.TreeEdits;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.check.ComposedStrategy;
import dev.berth.server.kinds.check.DefaultsFiller;
import dev.berth.server.kinds.check.ObjectChecks;
import dev.berth.server.kinds.check.SelectorChecks;
import dev.berth.server.kinds.check.SubresourceRules;
import dev.berth.server.kinds.column.Columns;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Subresource;
import dev.berth.server.registry.TableColumn;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Subresources of other kinds than pods: scale, token, finalize, approval.
public final class WorkloadSubresources {

    private static final long TOKEN_SECONDS = 3600;
    private static final long TOKEN_MIN_SECONDS = 600;
    private static final long TOKEN_MAX_SECONDS = 1L << 32;

    /// Maximum lifetime of a token, as `--service-account-max-token-expiration` sets it for
    /// Kubernetes, where it is unlimited by default. Clients renew tokens; a leaked one without
    /// bound object should not be valid for years.
    private static final long TOKEN_LIFETIME_SECONDS = 24 * 3600;

    private static final List<String> BOUND_KINDS = List.of("Node", "Pod", "Secret");

    private WorkloadSubresources() {}

    /// Fields of a kind that can be scaled.
    ///
    /// @param replicas desired number
    /// @param actual observed number
    /// @param selector the text of the selector for its pods
    public record Scaling(
            Function<JsonObject, Long> replicas,
            Function<JsonObject, Long> actual,
            Function<JsonObject, String> selector,
            Change change) {}

    /// Sets the desired number of replicas.
    @FunctionalInterface
    public interface Change {
        JsonObject with(JsonObject object, long replicas);
    }

    public static Subresource scale(String group, String plural, String kind) {
        return scale(
                group,
                plural,
                kind,
                new Scaling(
                        o -> Columns.numberAt(o, "spec", "replicas"),
                        o -> Columns.numberAt(o, "status", "replicas"),
                        o -> {
                            var text =
                                    SelectorChecks.text(o.objectOrEmpty("spec").object("selector"));
                            return text.equals(Columns.NONE) ? "" : text;
                        },
                        (o, n) -> DefaultsFiller.spec(o, s -> s.with("replicas", Json.of(n)))));
    }

    public static Subresource scale(String group, String plural, String kind, Scaling scaling) {
        var rules =
                new Subresource.Rules() {
                    @Override
                    public JsonObject read(JsonObject parent, RequestContext context) {
                        return scaleOf(parent, scaling);
                    }

                    @Override
                    public JsonObject write(
                            JsonObject parent,
                            JsonObject body,
                            RequestContext context,
                            Subresource.Writer writer) {
                        var replicas = body.objectOrEmpty("spec").number("replicas").orElse(0);
                        var checks = new ObjectChecks(context);
                        checks.notNegative(
                                body.objectOrEmpty("spec"), "replicas", ObjectChecks.SPEC);
                        SubresourceRules.throwIfInvalid(
                                SubresourceRules.about("autoscaling", "scales", "Scale", parent),
                                checks);
                        var changed =
                                writer.change(newest -> {
                                    SubresourceRules.sameIdentity(
                                            body,
                                            newest,
                                            SubresourceRules.about(group, plural, kind, newest));
                                    return ComposedStrategy.Generations.count(
                                            newest, scaling.change().with(newest, replicas));
                                });
                        return scaleOf(changed, scaling);
                    }
                };
        return new Subresource(
                "scale",
                "autoscaling",
                "v1",
                "Scale",
                Set.of("get", "update", "patch"),
                scaleColumns(),
                rules);
    }

    private static List<TableColumn> scaleColumns() {
        return Columns.named()
                .number(
                        "Desired",
                        "Number of desired pods",
                        scale -> Columns.numberAt(scale, "spec", "replicas"))
                .number(
                        "Available",
                        "Number of observed pods",
                        scale -> Columns.numberAt(scale, "status", "replicas"))
                .age()
                .list();
    }

    private static JsonObject scaleOf(JsonObject object, Scaling scaling) {
        var metadata = object.objectOrEmpty("metadata");
        var kept = JsonObject.EMPTY;
        for (var name :
                List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            kept = TreeEdits.copyMember(kept, metadata, name);
        }
        var status = JsonObject.of("replicas", Json.of(scaling.actual().apply(object)));
        var selector = scaling.selector().apply(object);
        return JsonObject.of("kind", Json.of("Scale"))
                .with("apiVersion", Json.of("autoscaling/v1"))
                .with("metadata", kept)
                .with("spec", JsonObject.of("replicas", Json.of(scaling.replicas().apply(object))))
                .with(
                        "status",
                        selector.isEmpty() ? status : status.with("selector", Json.of(selector)));
    }

    static Subresource token(TokenSigner issuer) {
        return new Subresource(
                "token",
                "authentication.k8s.io",
                "v1",
                "TokenRequest",
                Set.of("create"),
                SubresourceRules.written((account, body, context, writer) -> {
                    var request =
                            DefaultsFiller.spec(
                                    body,
                                    s ->
                                            DefaultsFiller.of(s)
                                                    .number("expirationSeconds", TOKEN_SECONDS)
                                                    .done());
                    var checks = new ObjectChecks(context);
                    tokenRequest(request.objectOrEmpty("spec"), checks);
                    SubresourceRules.throwIfInvalid(
                            SubresourceRules.about(
                                    "authentication.k8s.io",
                                    "tokenrequests",
                                    "TokenRequest",
                                    account),
                            checks);
                    return issuer.issue(account, shortened(request, writer), context);
                }));
    }

    private static JsonObject shortened(JsonObject request, Subresource.Writer writer) {
        var seconds = request.objectOrEmpty("spec").number("expirationSeconds").orElse(0);
        if (seconds <= TOKEN_LIFETIME_SECONDS) {
            return request;
        }
        writer.warn(
                "requested expiration of %d seconds shortened to %d seconds"
                        .formatted(seconds, TOKEN_LIFETIME_SECONDS));
        return DefaultsFiller.spec(
                request, spec -> spec.with("expirationSeconds", Json.of(TOKEN_LIFETIME_SECONDS)));
    }

    private static void tokenRequest(JsonObject spec, ObjectChecks checks) {
        var seconds = spec.number("expirationSeconds").orElse(0);
        var path = ObjectChecks.SPEC.child("expirationSeconds");
        if (seconds < TOKEN_MIN_SECONDS) {
            checks.invalid(
                    path, Json.of(seconds), "may not specify a duration less than 10 minutes");
        } else if (seconds > TOKEN_MAX_SECONDS) {
            checks.invalid(
                    path, Json.of(seconds), "may not specify a duration larger than 2^32 seconds");
        }
        spec.object("boundObjectRef")
                .ifPresent(ref -> {
                    var at = ObjectChecks.SPEC.child("boundObjectRef");
                    if (!BOUND_KINDS.contains(ref.text("kind"))) {
                        checks.add(
                                FieldError.notSupported(
                                        at.child("kind"), ref.text("kind"), BOUND_KINDS));
                    }
                    checks.text(ref, "name", at);
                });
    }

    /// The finalize subresource, the only way to remove a finalizer of a namespace.
    static Subresource finalizeNamespace() {
        return new Subresource(
                "finalize",
                "",
                "v1",
                "Namespace",
                Set.of("update"),
                SubresourceRules.whole((namespace, body, _) ->
                        DefaultsFiller.spec(
                                namespace,
                                spec ->
                                        TreeEdits.copyMember(
                                                spec, body.objectOrEmpty("spec"), "finalizers"))));
    }

    /// Approves or denies a certificate signing request.
    static Subresource approval() {
        return new Subresource(
                "approval",
                "certificates.k8s.io",
                "v1",
                "CertificateSigningRequest",
                Set.of("get", "update", "patch"),
                SubresourceRules.whole((request, body, context) -> {
                    var conditions = body.objectOrEmpty("status").items("conditions");
                    var now = context.now().truncatedTo(ChronoUnit.SECONDS).toString();
                    var changed =
                            SigningRequestRules.withTimes(
                                    DefaultsFiller.of(request)
                                            .into(
                                                    "status",
                                                    s ->
                                                            s.with(
                                                                    "conditions",
                                                                    Json.array(conditions)))
                                            .done(),
                                    now);
                    var checks = new ObjectChecks(context);
                    SigningRequestRules.conditions(
                            request, changed, List.of("Approved", "Denied"), checks);
                    SubresourceRules.throwIfInvalid(
                            SubresourceRules.about(
                                    "certificates.k8s.io",
                                    "certificatesigningrequests",
                                    "CertificateSigningRequest",
                                    request),
                            checks);
                    return changed;
                }));
    }
}

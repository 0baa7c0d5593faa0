package dev.berth.server;

import dev.berth.metrics.WorkQueueMetrics;
import dev.berth.model.certificate.NodeTrustNames;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.allocation.AllocationGuard;
import dev.berth.server.auth.AccessReviews;
import dev.berth.server.auth.Authenticator;
import dev.berth.server.auth.Authorizers;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.EscalationCheck;
import dev.berth.server.auth.NodeAuthorizer;
import dev.berth.server.auth.Rbac;
import dev.berth.server.auth.RoleReconciler;
import dev.berth.server.auth.ServerTls;
import dev.berth.server.auth.ServiceAccountTokens;
import dev.berth.server.auth.SigningKey;
import dev.berth.server.auth.TokenIssuer;
import dev.berth.server.http.Endpoint;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.nodes.PinnedCertificateTrust;
import dev.berth.server.operation.InProcessApi;
import dev.berth.server.operation.ObjectOperations;
import dev.berth.server.registry.AdmissionChain;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.FieldOwnership;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.ObjectDeletes;
import dev.berth.server.registry.ObjectReads;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.ReviewKind;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import dev.berth.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Wires the components of a server.
final class ServerAssembly {

    private static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
    private static final List<String> AUDIENCES = List.of(ISSUER);

    private final ServerSettings settings;
    private final Store store;
    private final StoredObjects objects;
    private final IdSource ids;
    private final Rbac rbac;
    private final Authorizer authorizer;
    private final SigningKey signingKey;
    private final ServiceAccountTokens tokens;
    private final ServedSchemas fields = new ServedSchemas();
    private final QuotaEnforcer quotas;
    private final Registry registry;
    private final ObjectOperations operations;
    private final CustomKindsFollower customKinds;

    ServerAssembly(ServerSettings settings, Store store, IdSource ids) {
        this.settings = settings;
        this.store = store;
        this.ids = ids;
        this.objects = new StoredObjects(store);
        this.rbac = new Rbac(store);
        this.authorizer =
                Authorizers.chain(List.of(Authorizers::masters, new NodeAuthorizer(store), rbac));
        this.signingKey = SigningKey.open(settings.directory().resolve("pki"));
        this.tokens = new ServiceAccountTokens(signingKey, ISSUER, objects);
        var schemas = new CustomSchemas();
        var resources = new Resources(BuiltInKinds.all(options(schemas)));
        this.quotas = new QuotaEnforcer(store, objects, () -> resources);
        this.registry = registry(resources);
        this.operations = new ObjectOperations(registry, reviews(), fields, fields);
        this.customKinds = new CustomKindsFollower(registry, schemas, fields);
    }

    private KindOptions options(CustomSchemas schemas) {
        var issuer = new TokenIssuer(signingKey, ISSUER, AUDIENCES, objects, ids::uid);
        return KindOptions.of(settings.gates())
                .withDeviceVersions(settings.deviceVersions())
                .withTokens((account, request, context) ->
                        issuer.issue(account, request, context.now()))
                .withEscalation(this::escalation)
                .withSchemas(schemas);
    }

    private Optional<String> escalation(String kind, JsonObject object, RequestContext context) {
        var escalation = new EscalationCheck(rbac, authorizer);
        var old = Optional.<JsonObject>empty();
        return (kind.endsWith("Binding")
                        ? escalation.checkBinding(context.user(), old, object)
                        : escalation.checkRole(context.user(), old, object))
                .map(ApiError::message);
    }

    private Registry registry(Resources resources) {
        var guards = new ArrayList<AdmissionChain.Guard>(List.of(quotas));
        if (!settings.allowsDoubleAllocation()) {
            guards.add(new AllocationGuard(store, settings.gates(), settings.clock()));
        }
        var admission = AdmissionRules.all(objects, authorizer, settings.podSecurity(), guards);
        return new Registry(
                resources,
                store,
                objects,
                new ObjectReads(store),
                new ObjectWrites(store, ids, new FieldOwnership(fields), admission),
                new ObjectDeletes(store, admission),
                settings.gates(),
                authorizer,
                settings.clock());
    }

    Registry registry() {
        return registry;
    }

    /// Handles changes that concern custom kinds and quotas.
    void on(Change change) {
        if (change.entry().key().collection().equals(CustomKindsFollower.DEFINITIONS)) {
            customKinds.on(change);
        }
        quotas.on(change);
    }

    /// Creates the bootstrap objects and default roles, and serves the stored custom kinds.
    void bootstrap() {
        new BootstrapObjects(registry).create();
        new RoleReconciler(store, rbac, settings.clock(), ids::uid).reconcile();
        customKinds.loadAll();
    }

    /// Recounts quotas in the background until it is closed.
    AutoCloseable startQuotaRecounts() {
        return quotas.start(settings.clock(), new WorkQueueMetrics(settings.metrics()));
    }

    /// Reconciles aggregated roles until it is closed.
    AutoCloseable startRoleReconciler() {
        var reconciler = new RoleReconciler(store, rbac, settings.clock(), ids::uid);
        var thread =
                Thread.ofVirtual()
                        .name("roles")
                        .start(() -> {
                            try {
                                reconciler.run();
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        });
        return thread::interrupt;
    }

    /// Connections to node endpoints, with the client certificate of this server.
    static NodeConnections nodeConnections(CertificateAuthority authority) {
        var self = authority.client("kubelet-client", NodeTrustNames.SERVER_NAME, List.of());
        return new NodeConnections(fingerprint ->
                ServerTls.context(authority, self, new PinnedCertificateTrust(fingerprint)));
    }

    Endpoint endpoint(CertificateAuthority authority, NodeConnections nodes) {
        var credential = authority.server(settings.names());
        return Endpoint.start(
                content(nodes),
                settings.address(),
                ServerTls.context(authority, credential),
                settings.limits());
    }

    /// In-process access to the API.
    InProcessApi inProcess() {
        return new InProcessApi(operations);
    }

    private Endpoint.Content content(NodeConnections nodes) {
        var documents = new OpenApiDocuments(registry, fields);
        return new Endpoint.Content(
                operations,
                new RequestAuthenticator(
                        new Authenticator(tokens, AUDIENCES, settings.clock()), authorizer),
                Map.of(
                        "/openapi/v2", _ -> documents.openApi2(),
                        "/openapi/v3", _ -> documents.openApi3Index(),
                        "/openapi/v3/", documents::openApi3,
                        "/openid/v1/jwks", _ -> signingKey.keySet(),
                        "/.well-known/openid-configuration", _ -> SigningKey.discovery(ISSUER)),
                nodes,
                settings.metrics());
    }

    private List<ReviewKind> reviews() {
        var reviews = new AccessReviews(authorizer, rbac, tokens, AUDIENCES, settings.clock());
        return List.of(
                access(
                        "SubjectAccessReview",
                        false,
                        (request, _) -> reviews.subjectAccess(request)),
                access(
                        "LocalSubjectAccessReview",
                        true,
                        (request, context) ->
                                reviews.localSubjectAccess(request, context.namespace())),
                access(
                        "SelfSubjectAccessReview",
                        false,
                        (request, context) -> reviews.selfSubjectAccess(request, context.user())),
                access(
                        "SelfSubjectRulesReview",
                        false,
                        (request, context) -> reviews.selfSubjectRules(request, context.user())),
                identity("TokenReview", (request, _) -> reviews.token(request)),
                identity(
                        "SelfSubjectReview",
                        (request, context) -> AccessReviews.selfSubject(request, context.user())));
    }

    private static ReviewKind access(String kind, boolean namespaced, ReviewKind.Handler handler) {
        return new ReviewKind(
                "authorization.k8s.io", "v1", kind, plural(kind), namespaced, handler);
    }

    private static ReviewKind identity(String kind, ReviewKind.Handler handler) {
        return new ReviewKind("authentication.k8s.io", "v1", kind, plural(kind), false, handler);
    }

    private static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }
}

package dev.berth.server;

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
import dev.berth.server.http.InProcessApi;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.nodes.NodeConnections;
import dev.berth.server.nodes.PinnedCertificateTrust;
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

/// Puts the parts of a server together.
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
        this.customKinds = new CustomKindsFollower(registry, schemas, fields);
    }

    private KindOptions options(CustomSchemas schemas) {
        var issuer = new TokenIssuer(signingKey, ISSUER, AUDIENCES, objects, ids::uid);
        return KindOptions.of(settings.gates())
                .withDeviceVersions(settings.deviceVersions())
                .withTokens((account, request, context) -> issuer.issue(account, request, context.now()))
                .withEscalation(this::escalation)
                .withSchemas(schemas);
    }

    private Optional<String> escalation(String kind, JsonObject object, RequestContext context) {
        var escalation = new EscalationCheck(rbac, authorizer);
        var old = Optional.<JsonObject>empty();
        return (kind.endsWith("Binding")
                        ? escalation.ofBinding(context.user(), old, object)
                        : escalation.ofRole(context.user(), old, object))
                .map(ApiError::message);
    }

    private Registry registry(Resources resources) {
        var guards = new ArrayList<AdmissionChain.Guard>(List.of(quotas));
        if (!settings.takesDoubleGrants()) {
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

    /// Follows what has to be acted on beside the general loops.
    void on(Change change) {
        if (change.entry().key().collection().equals(CustomKindsFollower.DEFINITIONS)) {
            customKinds.on(change);
        }
        quotas.on(change);
    }

    /// Puts what every cluster has.
    void furnish() {
        new BootstrapObjects(registry).create();
        new RoleReconciler(store, rbac, settings.clock(), ids::uid).reconcile();
        customKinds.loadAll();
    }

    /// Counts quotas in the background until it is closed.
    AutoCloseable keepQuotas() {
        return quotas.start();
    }

    /// Keeps sums of roles up to date until it is closed.
    AutoCloseable keepRoles() {
        var keeper = new RoleReconciler(store, rbac, settings.clock(), ids::uid);
        var thread =
                Thread.ofVirtual()
                        .name("roles")
                        .start(() -> {
                            try {
                                keeper.run();
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        });
        return thread::interrupt;
    }

    /// The way to the doors of nodes, as this server.
    static NodeConnections doors(CertificateAuthority authority) {
        var self = authority.client("kubelet-client", NodeTrustNames.SERVER_NAME, List.of());
        return new NodeConnections(
                told -> ServerTls.context(authority, self, new PinnedCertificateTrust(told)));
    }

    Endpoint endpoint(CertificateAuthority authority, NodeConnections doors) {
        var credential = authority.server(settings.names());
        return Endpoint.start(
                content(Optional.of(doors)),
                settings.address(),
                ServerTls.context(authority, credential),
                settings.limits());
    }

    /// The way in without an address.
    InProcessApi door() {
        return Endpoint.door(content(Optional.empty()));
    }

    private Endpoint.Content content(Optional<NodeConnections> doors) {
        var documents = new OpenApiDocuments(registry, fields);
        return new Endpoint.Content(
                registry,
                reviews(),
                fields,
                fields,
                new RequestAuthenticator(
                        new Authenticator(tokens, AUDIENCES, settings.clock()), authorizer),
                Map.of(
                        "/openapi/v2", _ -> documents.openApi2(),
                        "/openapi/v3", _ -> documents.openApi3Index(),
                        "/openapi/v3/", documents::openApi3,
                        "/openid/v1/jwks", _ -> signingKey.keySet(),
                        "/.well-known/openid-configuration", _ -> SigningKey.discovery(ISSUER)),
                doors);
    }

    private List<ReviewKind> reviews() {
        var reviews = new AccessReviews(authorizer, rbac, tokens, AUDIENCES, settings.clock());
        return List.of(
                access("SubjectAccessReview", false, (asked, _) -> reviews.subjectAccess(asked)),
                access(
                        "LocalSubjectAccessReview",
                        true,
                        (asked, context) -> reviews.localSubjectAccess(asked, context.namespace())),
                access(
                        "SelfSubjectAccessReview",
                        false,
                        (asked, context) -> reviews.selfSubjectAccess(asked, context.user())),
                access(
                        "SelfSubjectRulesReview",
                        false,
                        (asked, context) -> reviews.selfSubjectRules(asked, context.user())),
                identity("TokenReview", (asked, _) -> reviews.token(asked)),
                identity(
                        "SelfSubjectReview",
                        (asked, context) -> AccessReviews.selfSubject(asked, context.user())));
    }

    private static ReviewKind access(
            String kind, boolean namespaced, ReviewKind.Question question) {
        return new ReviewKind(
                "authorization.k8s.io", "v1", kind, plural(kind), namespaced, question);
    }

    private static ReviewKind identity(String kind, ReviewKind.Question question) {
        return new ReviewKind("authentication.k8s.io", "v1", kind, plural(kind), false, question);
    }

    private static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }
}

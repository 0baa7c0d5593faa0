package dev.berth.server;

import dev.berth.model.certificate.NodeTrust;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.allocation.AllocationGuard;
import dev.berth.server.auth.Authenticator;
import dev.berth.server.auth.Authorizers;
import dev.berth.server.auth.CertificateAuthority;
import dev.berth.server.auth.Escalation;
import dev.berth.server.auth.NodeAuthorizer;
import dev.berth.server.auth.Rbac;
import dev.berth.server.auth.Reviews;
import dev.berth.server.auth.RoleKeeper;
import dev.berth.server.auth.ServiceAccountTokens;
import dev.berth.server.auth.SigningKey;
import dev.berth.server.auth.Tls;
import dev.berth.server.auth.TokenIssuer;
import dev.berth.server.http.Endpoint;
import dev.berth.server.http.LocalDoor;
import dev.berth.server.kinds.BuiltInKinds;
import dev.berth.server.kinds.KindOptions;
import dev.berth.server.nodes.NodeDoors;
import dev.berth.server.nodes.PinnedTrust;
import dev.berth.server.registry.Call;
import dev.berth.server.registry.Deletes;
import dev.berth.server.registry.Failure;
import dev.berth.server.registry.Gatekeepers;
import dev.berth.server.registry.IdSource;
import dev.berth.server.registry.Objects;
import dev.berth.server.registry.Ownership;
import dev.berth.server.registry.Reads;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resources;
import dev.berth.server.registry.Review;
import dev.berth.server.registry.Writes;
import dev.berth.server.store.Change;
import dev.berth.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Puts the parts of a server together.
final class Assembly {

    private static final String ISSUER = "https://kubernetes.default.svc.cluster.local";
    private static final List<String> AUDIENCES = List.of(ISSUER);

    private final ServerSettings settings;
    private final Store store;
    private final Objects objects;
    private final IdSource ids;
    private final Rbac rbac;
    private final Authorizer authorizer;
    private final SigningKey signingKey;
    private final ServiceAccountTokens tokens;
    private final Fields fields = new Fields();
    private final QuotaKeeper quotas;
    private final Registry registry;
    private final CustomKindsFollower customKinds;

    Assembly(ServerSettings settings, Store store, IdSource ids) {
        this.settings = settings;
        this.store = store;
        this.ids = ids;
        this.objects = new Objects(store);
        this.rbac = new Rbac(store);
        this.authorizer =
                Authorizers.chain(List.of(Authorizers::masters, new NodeAuthorizer(store), rbac));
        this.signingKey = SigningKey.open(settings.directory().resolve("pki"));
        this.tokens = new ServiceAccountTokens(signingKey, ISSUER, objects);
        var schemas = new CustomSchemas();
        var resources = new Resources(BuiltInKinds.all(options(schemas)));
        this.quotas = new QuotaKeeper(store, objects, () -> resources);
        this.registry = registry(resources);
        this.customKinds = new CustomKindsFollower(registry, schemas, fields);
    }

    private KindOptions options(CustomSchemas schemas) {
        var issuer = new TokenIssuer(signingKey, ISSUER, AUDIENCES, objects, ids::uid);
        return KindOptions.of(settings.gates())
                .withDeviceVersions(settings.deviceVersions())
                .withTokens((account, request, call) -> issuer.issue(account, request, call.now()))
                .withEscalation(this::escalation)
                .withSchemas(schemas);
    }

    private Optional<String> escalation(String kind, JsonObject object, Call call) {
        var escalation = new Escalation(rbac, authorizer);
        var old = Optional.<JsonObject>empty();
        return (kind.endsWith("Binding")
                        ? escalation.ofBinding(call.user(), old, object)
                        : escalation.ofRole(call.user(), old, object))
                .map(Failure::message);
    }

    private Registry registry(Resources resources) {
        var guards = new ArrayList<Gatekeepers.Guard>(List.of(quotas));
        if (!settings.takesDoubleGrants()) {
            guards.add(new AllocationGuard(store, settings.gates(), settings.clock()));
        }
        var gatekeepers = GateRules.all(objects, authorizer, settings.podSecurity(), guards);
        return new Registry(
                resources,
                store,
                objects,
                new Reads(store),
                new Writes(store, ids, new Ownership(fields), gatekeepers),
                new Deletes(store, gatekeepers),
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
        new FirstObjects(registry).create();
        new RoleKeeper(store, rbac, settings.clock(), ids::uid).reconcile();
        customKinds.loadAll();
    }

    /// Counts quotas in the background until it is closed.
    AutoCloseable keepQuotas() {
        return quotas.start();
    }

    /// Keeps sums of roles up to date until it is closed.
    AutoCloseable keepRoles() {
        var keeper = new RoleKeeper(store, rbac, settings.clock(), ids::uid);
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
    static NodeDoors doors(CertificateAuthority authority) {
        var self = authority.client("kubelet-client", NodeTrust.SERVER_NAME, List.of());
        return new NodeDoors(told -> Tls.context(authority, self, new PinnedTrust(told)));
    }

    Endpoint endpoint(CertificateAuthority authority, NodeDoors doors) {
        var credential = authority.server(settings.names());
        return Endpoint.start(
                content(Optional.of(doors)),
                settings.address(),
                Tls.context(authority, credential),
                settings.limits());
    }

    /// The way in without an address.
    LocalDoor door() {
        return Endpoint.door(content(Optional.empty()));
    }

    private Endpoint.Content content(Optional<NodeDoors> doors) {
        var documents = new Documents(registry, fields);
        return new Endpoint.Content(
                registry,
                reviews(),
                fields,
                fields,
                new FrontDoor(new Authenticator(tokens, AUDIENCES, settings.clock()), authorizer),
                Map.of(
                        "/openapi/v2", _ -> documents.openApi2(),
                        "/openapi/v3", _ -> documents.openApi3Index(),
                        "/openapi/v3/", documents::openApi3,
                        "/openid/v1/jwks", _ -> signingKey.keySet(),
                        "/.well-known/openid-configuration", _ -> SigningKey.discovery(ISSUER)),
                doors);
    }

    private List<Review> reviews() {
        var reviews = new Reviews(authorizer, rbac, tokens, AUDIENCES, settings.clock());
        return List.of(
                access("SubjectAccessReview", false, (asked, _) -> reviews.subjectAccess(asked)),
                access(
                        "LocalSubjectAccessReview",
                        true,
                        (asked, call) -> reviews.localSubjectAccess(asked, call.namespace())),
                access(
                        "SelfSubjectAccessReview",
                        false,
                        (asked, call) -> reviews.selfSubjectAccess(asked, call.user())),
                access(
                        "SelfSubjectRulesReview",
                        false,
                        (asked, call) -> reviews.selfSubjectRules(asked, call.user())),
                identity("TokenReview", (asked, _) -> reviews.token(asked)),
                identity(
                        "SelfSubjectReview",
                        (asked, call) -> Reviews.selfSubject(asked, call.user())));
    }

    private static Review access(String kind, boolean namespaced, Review.Question question) {
        return new Review("authorization.k8s.io", "v1", kind, plural(kind), namespaced, question);
    }

    private static Review identity(String kind, Review.Question question) {
        return new Review("authentication.k8s.io", "v1", kind, plural(kind), false, question);
    }

    private static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }
}

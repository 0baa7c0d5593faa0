package dev.berth.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.admission.StatusAuthorization.Access;
import dev.berth.core.admission.StatusAuthorization.Caller;
import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.validation.AdmissionKind;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuthorizationTest {

    private static final JsonObject ALLOCATED =
            claim(
                    """
                    metadata: {namespace: team-a}
                    status:
                      allocation:
                        devices: {results: [{driver: a.example.com, pool: p, device: d}]}
                        nodeSelector:
                          nodeSelectorTerms:
                            - matchFields: [{key: metadata.name, operator: In, values: [node-1]}]
                    """);
    private static final JsonObject REPORTED =
            (JsonObject)
                    FieldReference.of("status.devices")
                            .set(
                                    ALLOCATED,
                                    list("[{driver: b.example.com}, {driver: a.example.com}]"));
    private static final Caller DRIVER =
            new Caller(
                    "system:serviceaccount:drivers:gpu",
                    Map.of("authentication.kubernetes.io/node-name", List.of("node-1")));
    private static final Caller USER = new Caller("jane", Map.of());

    @Test
    void adminAccessRequiresNamespaceLabel() {
        var claim =
                claim(
                        """
                        spec: {devices: {requests: [{name: a}, {name: b, exactly: \
                        {adminAccess: true}}]}}
                        """);
        assertThat(onCreate(claim, Map.of(AdminAccess.NAMESPACE_LABEL, "true"))).isEmpty();
        assertThat(onCreate(claim, Map.of(AdminAccess.NAMESPACE_LABEL, "yes")))
                .extracting(FieldError::toString)
                .containsExactly(
                        "spec.devices.requests[1].adminAccess: Forbidden: admin access to devices "
                                + "requires the `resource.kubernetes.io/admin-access: true` label "
                                + "on the containing namespace");
    }

    @Test
    void adminAccessOfTemplateIsReportedAtPathOfClaim() {
        var template =
                claim("spec: {spec: {devices: {requests: [{exactly: {adminAccess: true}}]}}}");
        assertThat(
                        AdminAccess.onCreate(
                                AdmissionKind.RESOURCE_CLAIM_TEMPLATE,
                                template,
                                () -> new AdminAccess.Namespace.Unavailable("it is gone")))
                .extracting(FieldError::toString)
                .containsExactly(
                        "spec.devices.requests[0].adminAccess: Internal error: could not retrieve "
                                + "namespace to verify admin access: it is gone");
    }

    @Test
    void withoutAdminAccessNamespaceIsNotRead() {
        assertThat(
                        AdminAccess.onCreate(
                                AdmissionKind.RESOURCE_CLAIM,
                                claim("spec: {devices: {requests: [{exactly: {}}]}}"),
                                () -> {
                                    throw new AssertionError("namespace was read");
                                }))
                .isEmpty();
    }

    @Test
    void existingAdminAccessIsNotCheckedAgain() {
        var granted =
                claim("status: {allocation: {devices: {results: [{}, {adminAccess: true}]}}}");
        var none = new AdminAccess.Namespace.Found(Map.of());
        assertThat(AdminAccess.onStatusUpdate(granted, granted, () -> none)).isEmpty();
        assertThat(AdminAccess.onStatusUpdate(JsonObject.EMPTY, granted, () -> none))
                .extracting(problem -> problem.path().toString())
                .containsExactly("status.allocation.devices.results[1].adminAccess");
    }

    @Test
    void allocationRequiresBindingPermission() {
        var accesses = new ArrayList<Access>();
        var authorization =
                new StatusAuthorization(
                        USER,
                        "patch",
                        access -> {
                            accesses.add(access);
                            return Optional.of("no");
                        });
        assertThat(authorization.check(JsonObject.EMPTY, ALLOCATED))
                .extracting(FieldError::toString)
                .containsExactly(
                        "status.allocation: Forbidden: changing status.allocation or "
                                + "status.reservedFor requires resource=\"resourceclaims/binding\","
                                + " verb=\"patch\" permission: no");
        assertThat(accesses).containsExactly(new Access("patch", "binding", "", ""));
    }

    @Test
    void unchangedStatusRequiresNoPermission() {
        var authorization = new StatusAuthorization(USER, "update", _ -> Optional.of("no"));
        assertThat(authorization.check(REPORTED, REPORTED)).isEmpty();
    }

    @Test
    void driverOnNodeOfClaimMayUseAssociatedNodeVerb() {
        var allowed =
                Set.of(
                        new Access("associated-node:update", "driver", "team-a", "a.example.com"),
                        new Access("associated-node:update", "driver", "team-a", "b.example.com"));
        assertThat(refusals(DRIVER, allowed, ALLOCATED, REPORTED)).isEmpty();
        assertThat(refusals(USER, allowed, ALLOCATED, REPORTED)).hasSize(2);
    }

    @Test
    void everyChangedDriverIsAuthorizedInOrder() {
        var allowed =
                Set.of(new Access("arbitrary-node:update", "driver", "team-a", "a.example.com"));
        assertThat(refusals(DRIVER, allowed, REPORTED, ALLOCATED))
                .containsExactly(
                        "status.devices: Forbidden: changing status.devices requires resource="
                                + "\"resourceclaims/driver\", verb=\"[associated-node:update "
                                + "arbitrary-node:update]\" permission: no to "
                                + "associated-node:update b.example.com");
    }

    @Test
    void deallocationRequiresNoDriverPermission() {
        var allowed = Set.of(new Access("update", "binding", "", ""));
        assertThat(refusals(USER, allowed, REPORTED, JsonObject.EMPTY)).isEmpty();
    }

    private static List<String> refusals(
            Caller caller, Set<Access> allowed, JsonObject old, JsonObject claim) {
        return new StatusAuthorization(
                        caller,
                        "update",
                        access ->
                                allowed.contains(access)
                                        ? Optional.empty()
                                        : Optional.of(
                                                "no to " + access.verb() + " " + access.name()))
                .check(old, claim).stream().map(FieldError::toString).toList();
    }

    private static List<FieldError> onCreate(JsonObject claim, Map<String, String> labels) {
        return AdminAccess.onCreate(
                AdmissionKind.RESOURCE_CLAIM, claim, () -> new AdminAccess.Namespace.Found(labels));
    }

    private static JsonObject claim(String yaml) {
        return (JsonObject)
                ((ParseResult.Documents) YamlReader.read(yaml)).documents().getFirst().root();
    }

    private static Json list(String yaml) {
        return ((ParseResult.Documents) YamlReader.read(yaml)).documents().getFirst().root();
    }
}

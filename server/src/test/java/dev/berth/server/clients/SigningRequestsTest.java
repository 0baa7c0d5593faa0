package dev.berth.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.certificate.Der;
import dev.berth.server.ApiServer;
import dev.berth.server.RunningServer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Certificate signing requests: permissions to approve and sign, permitted subjects.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SigningRequestsTest {

    private static final String REQUESTS =
            "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final String CLIENT = "kubernetes.io/kube-apiserver-client";

    private ApiServer server;
    private Http admin;
    private Http clerk;
    private Http notary;

    @BeforeAll
    void start(@TempDir Path directory) {
        server = RunningServer.inMemory(directory, settings -> settings);
        admin = Http.admin(server);
        clerk = Http.as(server, "clerk", List.of());
        notary = Http.as(server, "notary", List.of());
        var all =
                "{\"apiGroups\":[\"certificates.k8s.io\"],\"resources\":["
                        + "\"certificatesigningrequests\",\"certificatesigningrequests/approval\","
                        + "\"certificatesigningrequests/status\"],\"verbs\":[\"*\"]}";
        grant("clerk", all);
        grant(
                "notary",
                all
                        + ",{\"apiGroups\":[\"certificates.k8s.io\"],\"resources\":[\"signers\"],"
                        + "\"resourceNames\":[\"kubernetes.io/*\",\"example.com/own\"],"
                        + "\"verbs\":[\"approve\",\"sign\"]}");
    }

    private void grant(String user, String rules) {
        admin.post(
                RBAC + "/clusterroles",
                "{\"metadata\":{\"name\":\"%s\"},\"rules\":[%s]}".formatted(user, rules));
        admin.post(
                RBAC + "/clusterrolebindings",
                """
                {"metadata":{"name":"%1$s"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",
                "kind":"ClusterRole","name":"%1$s"},"subjects":[{"kind":"User",
                "apiGroup":"rbac.authorization.k8s.io","name":"%1$s"}]}
                """
                        .formatted(user));
    }

    @AfterAll
    void stop() {
        notary.close();
        clerk.close();
        admin.close();
        server.close();
    }

    private static String pem(String organization, String name) {
        try {
            var pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
            var info =
                    Der.sequence(
                            Der.integer(BigInteger.ZERO),
                            Der.sequence(
                                    Der.set(
                                            Der.sequence(
                                                    Der.oid("2.5.4.10"), Der.utf8(organization))),
                                    Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.utf8(name)))),
                            pair.getPublic().getEncoded(),
                            Der.tagged(0));
            var signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(info);
            var der =
                    Der.sequence(
                            info,
                            Der.sequence(Der.oid("1.2.840.10045.4.3.2")),
                            Der.bits(0, signature.sign()));
            var text =
                    "-----BEGIN CERTIFICATE REQUEST-----\n%s\n-----END CERTIFICATE REQUEST-----\n"
                            .formatted(Base64.getMimeEncoder().encodeToString(der));
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static String body(String name, String signer, String request) {
        return """
        {"metadata":{"name":"%s"},"spec":{"signerName":"%s","usages":["client auth"],
        "request":"%s"}}
        """
                .formatted(name, signer, request);
    }

    private void create(String name, String signer) {
        var made = admin.post(REQUESTS, body(name, signer, pem("dev", "jane")));
        assertThat(made.code()).isEqualTo(201);
    }

    private static final String APPROVED =
            "{\"status\":{\"conditions\":[{\"type\":\"Approved\",\"status\":\"True\","
                    + "\"reason\":\"x\"}]}}";

    @Test
    void clientCertificatesForMastersAreForbidden() {
        var response = admin.post(REQUESTS, body("root", CLIENT, pem("system:masters", "root")));

        assertThat(response.code()).isEqualTo(403);
        assertThat(response.json().text("message"))
                .isEqualTo(
                        "certificatesigningrequests.certificates.k8s.io \"root\" is forbidden: use"
                                + " of kubernetes.io/kube-apiserver-client signer with"
                                + " system:masters group is not allowed");
    }

    @Test
    void approvalRequiresPermissionOnTheSigner() {
        create("approved", CLIENT);
        var path = REQUESTS + "/approved/approval";

        var response = clerk.patch(path, "merge", APPROVED);
        var accepted = notary.patch(path, "merge", APPROVED);

        assertThat(response.code()).isEqualTo(403);
        assertThat(response.json().text("message"))
                .endsWith(
                        "is forbidden: user not permitted to approve requests with signerName"
                                + " \"kubernetes.io/kube-apiserver-client\"");
        assertThat(accepted.code()).isEqualTo(200);
    }

    @Test
    void permissionIsPerSigner() {
        create("own", "example.com/own");
        create("other", "example.com/other");

        assertThat(notary.patch(REQUESTS + "/own/approval", "merge", APPROVED).code())
                .isEqualTo(200);
        assertThat(notary.patch(REQUESTS + "/other/approval", "merge", APPROVED).code())
                .isEqualTo(403);
    }

    @Test
    void signingRequiresPermissionAndIsFinal() {
        create("signed", CLIENT);
        var path = REQUESTS + "/signed/status";
        var certificate = status(server.authority().certificatePem());

        assertThat(clerk.patch(path, "merge", certificate).code()).isEqualTo(403);
        assertThat(notary.patch(path, "merge", status("nonsense")).code()).isEqualTo(422);
        assertThat(notary.patch(path, "merge", certificate).code()).isEqualTo(200);
        var again = notary.patch(path, "merge", status(server.authority().certificatePem() + " "));
        assertThat(again.code()).isEqualTo(422);
        assertThat(again.json().text("message"))
                .contains("updates may not modify existing certificate content");
    }

    private static String status(String pem) {
        return "{\"status\":{\"certificate\":\"%s\"}}"
                .formatted(
                        Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void decisionsAreFinal() {
        create("decided", CLIENT);
        var path = REQUESTS + "/decided";

        assertThat(notary.patch(path + "/status", "merge", APPROVED).json().text("message"))
                .contains("updates may not add a condition of type \"Approved\"");
        assertThat(notary.patch(path + "/approval", "merge", APPROVED).code()).isEqualTo(200);
        assertThat(
                        notary.patch(
                                        path + "/approval",
                                        "merge",
                                        "{\"status\":{\"conditions\":[]}}")
                                .json()
                                .text("message"))
                .contains("updates may not remove a condition of type \"Approved\"");
        assertThat(
                        notary.patch(path + "/approval", "merge", APPROVED.replace("True", "False"))
                                .code())
                .isEqualTo(422);
    }

    @Test
    void requestMustBeSignedByItsKey() {
        var response = admin.post(REQUESTS, body("fake", CLIENT, "Z2FyYmFnZQ=="));

        assertThat(response.code()).isEqualTo(422);
        assertThat(response.json().text("message")).contains("spec.request: Invalid value");
    }

    @Test
    void nodeRequestsItsOwnIdentityOnly() {
        try (var node = Http.as(server, "system:node:n1", List.of("system:nodes"))) {
            var signer = "kubernetes.io/kube-apiserver-client-kubelet";

            var own =
                    node.post(
                            REQUESTS,
                            body("own-node", signer, pem("system:nodes", "system:node:n1")));
            var other =
                    node.post(
                            REQUESTS,
                            body("other-node", signer, pem("system:nodes", "system:node:n2")));

            assertThat(own.code()).isEqualTo(201);
            assertThat(other.code()).isEqualTo(403);
            assertThat(other.json().text("message"))
                    .endsWith("can only create a node CSR with CN=system:node:n1");
        }
    }
}

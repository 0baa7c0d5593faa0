package dev.berth.server.store.etcd;

import static dev.berth.server.store.StoreContract.bytes;
import static dev.berth.server.store.StoreContract.done;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.server.store.Etcd;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.StoreException;
import dev.berth.server.store.TcpProxy;
import dev.berth.wire.etcd.AuthenticateRequest;
import dev.berth.wire.etcd.CompactionResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// TLS certificates, users and several endpoints of etcd.
class EtcdAccessTest {

    private static final ObjectKey KEY = new ObjectKey("pods", "n", "p");

    @TempDir private Path directory;

    @Test
    void clientAndServerCertificatesAreVerified() throws Exception {
        var certificate = directory.resolve("certificate.pem");
        var key = directory.resolve("key.pem");
        makeCertificate(certificate, key);
        try (var etcd =
                Etcd.start(
                        directory,
                        "--cert-file=" + certificate,
                        "--key-file=" + key,
                        "--trusted-ca-file=" + certificate,
                        "--client-cert-auth=true")) {
            var access =
                    new EtcdAccess(
                            List.of("https://127.0.0.1:" + etcd.port()),
                            EtcdAccess.PREFIX,
                            Optional.of(certificate),
                            Optional.of(certificate),
                            Optional.of(key),
                            Optional.empty());
            try (var store = EtcdStore.open(access)) {
                done(store.create(KEY, bytes("1")));
            }
            var stranger = EtcdAccess.plain("https://127.0.0.1:" + etcd.port());
            assertThatThrownBy(() -> EtcdStore.open(stranger)).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void usersLogIn() throws Exception {
        try (var etcd = Etcd.start(directory)) {
            enableUsers(etcd.port());
            try (var store = EtcdStore.open(access(etcd, "secret"))) {
                done(store.create(KEY, bytes("1")));
                assertThat(store.get(KEY)).isPresent();
            }
            assertThatThrownBy(() -> EtcdStore.open(access(etcd, "wrong")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("authentication failed");
            assertThatThrownBy(() -> EtcdStore.open(etcd.access()))
                    .isInstanceOf(StoreException.class);
        }
    }

    @Test
    void clientFailsOverFromAnUnavailableMember() throws Exception {
        try (var etcd = Etcd.start(directory);
                var proxy = new TcpProxy(etcd.port());
                var store =
                        EtcdStore.open(
                                EtcdAccess.plain(
                                        "127.0.0.1:" + proxy.port(), "127.0.0.1:" + etcd.port()))) {
            var made = done(store.create(KEY, bytes("1")));
            proxy.cut();

            // Reads try the next member; writes go where the last read went.
            assertThat(store.sync()).isEqualTo(made.revision());
            done(store.update(KEY, made.revision(), bytes("2")));
        }
    }

    @Test
    void passwordsAreNotShown() {
        assertThat(new EtcdAccess.Login("root", "secret").toString()).isEqualTo("root");
    }

    private static EtcdAccess access(Etcd etcd, String password) {
        return new EtcdAccess(
                List.of("127.0.0.1:" + etcd.port()),
                EtcdAccess.PREFIX,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new EtcdAccess.Login("root", password)));
    }

    private void makeCertificate(Path certificate, Path key) throws Exception {
        var file = directory.resolve("keys.p12");
        var made =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "test",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=test",
                                "-ext",
                                "SAN=IP:127.0.0.1",
                                "-ext",
                                "BC=ca:true",
                                "-ext",
                                "EKU=serverAuth,clientAuth",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                "secret",
                                "-keystore",
                                file.toString())
                        .inheritIO()
                        .start();
        assertThat(made.waitFor()).isZero();
        var keys = KeyStore.getInstance(file.toFile(), "secret".toCharArray());
        write(certificate, "CERTIFICATE", keys.getCertificate("test").getEncoded());
        write(key, "PRIVATE KEY", keys.getKey("test", "secret".toCharArray()).getEncoded());
    }

    private static void write(Path file, String what, byte[] content) throws Exception {
        var text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
        Files.writeString(
                file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
    }

    private static void enableUsers(int port) {
        var channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
        try {
            call(channel, "UserAdd", "root", "secret");
            call(channel, "RoleAdd", "root", "");
            call(channel, "UserGrantRole", "root", "root");
            call(channel, "AuthEnable", "", "");
        } finally {
            channel.shutdownNow();
        }
    }

    /// The requests of these calls all have up to two strings in the fields of a login, and their
    /// responses a header.
    private static void call(ManagedChannel channel, String name, String first, String second) {
        var method =
                MethodDescriptor.<AuthenticateRequest, CompactionResponse>newBuilder()
                        .setType(MethodDescriptor.MethodType.UNARY)
                        .setFullMethodName("etcdserverpb.Auth/" + name)
                        .setRequestMarshaller(
                                ProtoUtils.marshaller(AuthenticateRequest.getDefaultInstance()))
                        .setResponseMarshaller(
                                ProtoUtils.marshaller(CompactionResponse.getDefaultInstance()))
                        .build();
        var request = AuthenticateRequest.newBuilder().setName(first).setPassword(second).build();
        ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request);
    }
}

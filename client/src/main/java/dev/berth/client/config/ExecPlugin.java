package dev.berth.client.config;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Credentials printed by an exec plugin (`client.authentication.k8s.io`), cached until they
/// expire.
final class ExecPlugin implements ClientCredentials {

    /// Time limit of the program: some plugins call a remote server.
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /// Characters of the program's standard error that a message contains.
    private static final int SHOWN_CHARACTERS = 500;

    /// Limit of the program's output.
    private static final int MAX_BYTES = 1 << 20;

    private final ExecCommand command;
    private final JsonObject cluster;
    private final ProgramEnvironment environment;

    // Guarded by this, so that the program runs once for all waiting requests.
    private Optional<Cached> cached = Optional.empty();

    private record Cached(Credential credential, Instant until) {}

    /// @param cluster passed to the program with `provideClusterInfo`
    ExecPlugin(ExecCommand command, JsonObject cluster, ProgramEnvironment environment) {
        this.command = command;
        this.cluster = cluster;
        this.environment = environment;
    }

    @Override
    public synchronized Credential current() {
        var now = environment.clock().instant();
        if (cached.isPresent() && now.isBefore(cached.get().until)) {
            return cached.get().credential;
        }
        var fresh = read(run());
        cached = Optional.of(fresh);
        return fresh.credential;
    }

    @Override
    public synchronized void rejected(Credential used) {
        if (cached.isPresent() && cached.get().credential.equals(used)) {
            cached = Optional.empty();
        }
    }

    private byte[] run() {
        var builder = new ProcessBuilder(command.words());
        builder.environment().clear();
        builder.environment().putAll(environment.environment());
        builder.environment().putAll(command.environment());
        builder.environment().put("KUBERNETES_EXEC_INFO", request());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            var hint = command.hint().isEmpty() ? "install it or fix its path" : command.hint();
            throw new ConfigException(
                    "%s: cannot run \"%s\"; %s".formatted(command.where(), command.program(), hint),
                    e);
        }
        try {
            return output(process);
        } catch (IOException e) {
            throw failed("communication failed: " + e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw failed("was interrupted");
        } finally {
            process.destroyForcibly();
        }
    }

    private byte[] output(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        var output = CompletableFuture.supplyAsync(() -> bytes(process.getInputStream()));
        var complaint = CompletableFuture.supplyAsync(() -> bytes(process.getErrorStream()));
        if (!process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw failed("did not end within " + TIMEOUT.toSeconds() + " seconds");
        }
        if (process.exitValue() != 0) {
            var text = new String(complaint.join(), StandardCharsets.UTF_8).strip();
            throw failed(
                    "failed with exit code %d: %s"
                            .formatted(
                                    process.exitValue(),
                                    text.isEmpty() ? "nothing" : shortened(text)));
        }
        return output.join();
    }

    private static byte[] bytes(InputStream stream) {
        try (stream) {
            return stream.readNBytes(MAX_BYTES);
        } catch (IOException _) {
            return new byte[0];
        }
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN_CHARACTERS
                ? text
                : "…" + text.substring(text.length() - SHOWN_CHARACTERS);
    }

    private String request() {
        var spec = JsonObject.of("interactive", Json.of(false));
        if (command.providesCluster()) {
            spec = spec.with("cluster", cluster);
        }
        return JsonWriter.compact(
                JsonObject.of("apiVersion", Json.of(command.apiVersion()))
                        .with("kind", Json.of("ExecCredential"))
                        .with("spec", spec));
    }

    /// Parses the program's output, no part of which may appear in a message.
    private Cached read(byte[] printed) {
        if (!(JsonReader.read(printed) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject printedObject)) {
            throw failed("did not print JSON; expected an ExecCredential");
        }
        if (!printedObject.text("apiVersion").equals(command.apiVersion())
                || !printedObject.text("kind").equals("ExecCredential")) {
            throw failed(
                    "did not print an ExecCredential of apiVersion \"%s\" as configured"
                            .formatted(command.apiVersion()));
        }
        var status = printedObject.objectOrEmpty("status");
        var token = status.text("token");
        var certificate = certificate(status);
        if (token.isEmpty() && certificate.isEmpty()) {
            throw failed("printed neither a token nor a certificate with its key");
        }
        var credential =
                new Credential(
                        certificate,
                        token.isEmpty() ? Optional.empty() : Optional.of("Bearer " + token));
        return new Cached(credential, expiry(status));
    }

    private Optional<ClientCertificate> certificate(JsonObject status) {
        var certificate = status.text("clientCertificateData");
        var key = status.text("clientKeyData");
        if (certificate.isEmpty() && key.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(PemCertificates.client(certificate, key));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw failed("printed an invalid certificate or key: " + e.getMessage());
        }
    }

    private Instant expiry(JsonObject status) {
        var text = status.text("expirationTimestamp");
        try {
            return text.isEmpty() ? Instant.MAX : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException _) {
            throw failed("printed an expirationTimestamp that is not RFC 3339: " + text);
        }
    }

    private ConfigException failed(String what) {
        return new ConfigException(
                "%s: \"%s\" %s".formatted(command.where(), command.program(), what));
    }
}

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

/// Credentials that a program prints, kept until they expire.
final class ExecPlugin implements ClientCredentials {

    /// How long the program may take: some ask a server far away.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// How much of its complaint is shown.
    private static final int SHOWN_CHARACTERS = 500;

    /// More than this is no credential.
    private static final int MAX_BYTES = 1 << 20;

    private final ExecCommand command;
    private final JsonObject cluster;
    private final ProgramEnvironment around;

    // Guarded by this, so that the program runs once for all who wait.
    private Optional<Kept> kept = Optional.empty();

    private record Kept(Proof proof, Instant until) {}

    /// @param cluster what the program is told of it when it wants to know
    ExecPlugin(ExecCommand command, JsonObject cluster, ProgramEnvironment around) {
        this.command = command;
        this.cluster = cluster;
        this.around = around;
    }

    @Override
    public synchronized Proof proof() {
        var now = around.clock().instant();
        if (kept.isPresent() && now.isBefore(kept.get().until)) {
            return kept.get().proof;
        }
        var fresh = read(run());
        kept = Optional.of(fresh);
        return fresh.proof;
    }

    @Override
    public synchronized void refused(Proof shown) {
        if (kept.isPresent() && kept.get().proof.equals(shown)) {
            kept = Optional.empty();
        }
    }

    private byte[] run() {
        var builder = new ProcessBuilder(command.words());
        builder.environment().clear();
        builder.environment().putAll(around.environment());
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
            throw failed("cannot be talked to: " + e.getMessage());
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
        if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw failed("did not end within " + PATIENCE.toSeconds() + " seconds");
        }
        if (process.exitValue() != 0) {
            var text = new String(complaint.join(), StandardCharsets.UTF_8).strip();
            throw failed(
                    "ended with exit code %d and said: %s"
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
        if (command.wantsCluster()) {
            spec = spec.with("cluster", cluster);
        }
        return JsonWriter.compact(
                JsonObject.of("apiVersion", Json.of(command.apiVersion()))
                        .with("kind", Json.of("ExecCredential"))
                        .with("spec", spec));
    }

    /// Reads what the program printed, of which nothing may show up in a message.
    private Kept read(byte[] printed) {
        if (!(JsonReader.read(printed) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject credential)) {
            throw failed("did not print JSON; expected an ExecCredential");
        }
        if (!credential.text("apiVersion").equals(command.apiVersion())
                || !credential.text("kind").equals("ExecCredential")) {
            throw failed(
                    "did not print an ExecCredential of apiVersion \"%s\" as configured"
                            .formatted(command.apiVersion()));
        }
        var status = credential.objectOrEmpty("status");
        var token = status.text("token");
        var certificate = certificate(status);
        if (token.isEmpty() && certificate.isEmpty()) {
            throw failed("printed neither a token nor a certificate with its key");
        }
        var proof =
                new Proof(
                        certificate,
                        token.isEmpty() ? Optional.empty() : Optional.of("Bearer " + token));
        return new Kept(proof, expiry(status));
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
            throw failed("printed a certificate or key of no use: " + e.getMessage());
        }
    }

    private Instant expiry(JsonObject status) {
        var text = status.text("expirationTimestamp");
        try {
            return text.isEmpty() ? Instant.MAX : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException _) {
            throw failed("printed an expirationTimestamp that is not of RFC 3339: " + text);
        }
    }

    private ConfigException failed(String what) {
        return new ConfigException(
                "%s: \"%s\" %s".formatted(command.where(), command.program(), what));
    }
}

package dev.berth.dashboard.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/// The JSON body of a response, with its compressed form once a client has accepted it. Bodies can
/// be kept and sent many times.
public final class DataBody {

    /// Version of the data API. Members are only added within a version.
    public static final String VERSION = "dashboard.berth.dev/v1";

    /// Smaller bodies are not compressed.
    private static final int MIN_COMPRESSED = 1024;

    private final byte[] plain;
    private volatile byte[] compressed = new byte[0];

    private DataBody(byte[] plain) {
        this.plain = plain;
    }

    public static DataBody of(JsonObject tree) {
        return new DataBody(JsonWriter.bytes(versioned(tree)));
    }

    static DataBody unversioned(byte[] content) {
        return new DataBody(content);
    }

    static JsonObject versioned(JsonObject tree) {
        return tree.beginningWith(JsonObject.of("apiVersion", Json.of(VERSION)));
    }

    /// The uncompressed JSON.
    public byte[] plain() {
        return plain.clone();
    }

    int size() {
        return plain.length;
    }

    boolean isCompressible() {
        return plain.length >= MIN_COMPRESSED;
    }

    byte[] bytes(boolean isCompressed) {
        if (!isCompressed) {
            return plain;
        }
        if (compressed.length == 0) {
            compressed = compress(plain);
        }
        return compressed;
    }

    private static byte[] compress(byte[] content) {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}

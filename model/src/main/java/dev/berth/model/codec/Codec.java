package dev.berth.model.codec;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.record.Decoder;
import dev.berth.model.codec.record.DecodingProblem;
import dev.berth.model.codec.token.FailureTrackingStream;
import dev.berth.model.codec.token.JsonTokenReader;
import dev.berth.model.codec.token.JsonValueWriter;
import dev.berth.model.codec.token.TokenReader;
import dev.berth.model.codec.token.TokenReader.Token;
import dev.berth.model.codec.token.TreeTokenReader;
import dev.berth.model.codec.token.TreeValueWriter;
import dev.berth.model.codec.token.ValueInterner;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonFactories;
import dev.berth.model.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/// Decodes and encodes API objects as JSON and as trees.
///
/// Repeated strings are interned per codec, so a program should have one. Thread-safe.
public final class Codec {

    /// Maximum nesting. The deepest kind has about twenty levels.
    private static final int MAX_DEPTH = 200;

    private static final JsonFactories JSON =
            JsonFactories.of(
                    JsonFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNestingDepth(MAX_DEPTH)
                                            .build())
                            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET));

    private final ValueInterner interner = new ValueInterner(ValueInterner.PLACES);

    // The parser without a symbol table after a text whose names collide in it.
    private volatile JsonFactory parsers = JSON.shared();

    /// Reads one object in the given version of its kind.
    public <T extends KubernetesObject> Decoded<T> readJson(
            Kind<T> kind, String version, byte[] json, UnknownFieldPolicy strictness) {
        return fromBytes(json, tokens -> object(kind, version, tokens, strictness));
    }

    /// Reads one object in the given version of its kind, and the stream to its end.
    ///
    /// @throws UncheckedIOException when the stream fails
    public <T extends KubernetesObject> Decoded<T> readJson(
            Kind<T> kind, String version, InputStream json, UnknownFieldPolicy strictness) {
        return fromStream(json, tokens -> object(kind, version, tokens, strictness));
    }

    /// Reads a list item by item, so that no more than one item is held at a time.
    ///
    /// @throws UncheckedIOException when the stream fails
    public <T extends KubernetesObject> Decoded<ListHead> readList(
            Kind<T> kind,
            String version,
            InputStream json,
            UnknownFieldPolicy strictness,
            Consumer<Decoded<T>> items) {
        return fromStream(
                json,
                tokens -> new ListReader<>(this, kind, version, strictness).read(tokens, items));
    }

    /// Reads one event of a watch, `{"type": …, "object": …}`.
    public <T extends KubernetesObject> Decoded<WatchEvent<T>> readEvent(
            Kind<T> kind, String version, byte[] json, UnknownFieldPolicy strictness) {
        return fromBytes(
                json, tokens -> new EventReader<>(this, kind, version, strictness).read(tokens));
    }

    /// Decodes a tree in the version of its `apiVersion`.
    public <T extends KubernetesObject> Decoded<T> readTree(
            Kind<T> kind, JsonObject tree, UnknownFieldPolicy strictness) {
        return tree(kind, ApiVersions.versionOf(kind, tree), tree, strictness);
    }

    /// Decodes a tree of the kind and version that it declares.
    public Decoded<? extends KubernetesObject> readTree(
            JsonObject tree, UnknownFieldPolicy strictness) {
        var apiVersion = tree.text("apiVersion");
        var name = tree.text("kind");
        var kind = Kinds.byApiVersionAndKind(apiVersion, name);
        if (kind.isEmpty()) {
            return new Decoded.Refused<>(
                    List.of(
                            new DecodingProblem.WrongKind(
                                    "a kind of resource.k8s.io, v1 or "
                                            + "scheduling.k8s.io that Berth knows",
                                    apiVersion + " " + name)));
        }
        return readTree(kind.get(), tree, strictness);
    }

    public <T extends KubernetesObject> JsonObject toTree(Kind<T> kind, T object) {
        return toTree(kind, kind.version(), object);
    }

    /// The object in the given version of its kind.
    public <T extends KubernetesObject> JsonObject toTree(Kind<T> kind, String version, T object) {
        return toTree(kind, version, object, false);
    }

    /// Encodes an object with maximal sharing: parts that were decoded from a tree in this process
    /// and have not changed since are the same objects as in that tree.
    public <T extends KubernetesObject> JsonObject toSimilarTree(Kind<T> kind, T object) {
        return toTree(kind, kind.version(), object, true);
    }

    private static <T extends KubernetesObject> JsonObject toTree(
            Kind<T> kind, String version, T object, boolean takesOrigins) {
        var sink = new TreeValueWriter(takesOrigins);
        kind.shape().write(object, sink);
        return sink.root() instanceof JsonObject tree
                ? ApiVersions.fromInternal(kind, version, tree)
                : JsonObject.EMPTY;
    }

    public <T extends KubernetesObject> byte[] toJson(Kind<T> kind, T object) {
        var bytes = new ByteArrayOutputStream();
        writeJson(kind, kind.version(), object, bytes);
        return bytes.toByteArray();
    }

    /// Writes the object in the given version of its kind. The stream is left open.
    ///
    /// @throws UncheckedIOException when the stream fails
    public <T extends KubernetesObject> void writeJson(
            Kind<T> kind, String version, T object, OutputStream json) {
        try (var generator = JSON.shared().createGenerator(ObjectWriteContext.empty(), json)) {
            var sink = new JsonValueWriter(generator);
            if (ApiVersions.differs(kind, version)) {
                sink.json(toTree(kind, version, object));
            } else {
                kind.shape().write(object, sink);
            }
        } catch (JacksonIOException e) {
            throw new UncheckedIOException(e.getCause());
        }
    }

    /// Reads the object whose first token is current.
    <T extends KubernetesObject> Decoded<T> object(
            Kind<T> kind, String version, TokenReader tokens, UnknownFieldPolicy strictness) {
        var decoder = decoder(tokens);
        if (!kind.versions().contains(version)) {
            decoder.tokens().skip();
            return new Decoded.Refused<>(List.of(wrongVersion(kind, version)));
        }
        if (!ApiVersions.differs(kind, version)) {
            var object = kind.shape().read(decoder);
            return Decoded.of(object, decoder.problems(), strictness);
        }
        return decoder.tree() instanceof JsonObject object
                ? tree(kind, version, object, strictness)
                : new Decoded.Refused<>(List.of(notAnObject()));
    }

    /// The problems of decoding an object of the given version.
    public List<DecodingProblem> problems(Kind<?> kind, String version, JsonObject tree) {
        return switch (tree(kind, version, tree, UnknownFieldPolicy.LENIENT)) {
            case Decoded.Read<?> read -> read.warnings();
            case Decoded.Refused<?> refused -> refused.problems();
        };
    }

    private <T extends KubernetesObject> Decoded<T> tree(
            Kind<T> kind, String version, JsonObject tree, UnknownFieldPolicy strictness) {
        if (!kind.versions().contains(version)) {
            return new Decoded.Refused<>(List.of(wrongVersion(kind, version)));
        }
        if (!ApiVersions.differs(kind, version)) {
            return read(kind, tree, UnaryOperator.identity(), List.of(), strictness);
        }
        return read(
                kind,
                ApiVersions.toInternal(kind, version, tree),
                V1beta1::pathFromInternal,
                V1beta1.problems(kind, tree),
                strictness);
    }

    private <T extends KubernetesObject> Decoded<T> read(
            Kind<T> kind,
            JsonObject internal,
            UnaryOperator<FieldPath> pathInSource,
            List<DecodingProblem> problems,
            UnknownFieldPolicy strictness) {
        var tokens = new TreeTokenReader(internal);
        tokens.next();
        var decoder = new Decoder(tokens, interner, pathInSource);
        problems.forEach(decoder::report);
        var object = kind.shape().read(decoder);
        return Decoded.of(object, decoder.problems(), strictness);
    }

    private static DecodingProblem wrongVersion(Kind<?> kind, String version) {
        return new DecodingProblem.WrongKind(
                kind.name() + " in one of the versions " + kind.versions(),
                "version \"" + version + "\"");
    }

    Decoder decoder(TokenReader tokens) {
        return new Decoder(tokens, interner);
    }

    static DecodingProblem notAnObject() {
        return new DecodingProblem.WrongType(FieldPath.ROOT, "object", "something else");
    }

    private <R> Decoded<R> fromBytes(byte[] json, Function<TokenReader, Decoded<R>> reading) {
        try {
            return parsed(new ByteArrayInputStream(json), reading);
        } catch (JacksonException | IndexOutOfBoundsException e) {
            avoidSymbolTable(e);
            return parsed(new ByteArrayInputStream(json), reading);
        }
    }

    /// A stream cannot be read twice, so the caller has to request it again after a failure.
    private <R> Decoded<R> fromStream(InputStream json, Function<TokenReader, Decoded<R>> reading) {
        try {
            return parsed(json, reading);
        } catch (JacksonException | IndexOutOfBoundsException e) {
            avoidSymbolTable(e);
            throw new UncheckedIOException(
                    new IOException("names in the text collide; it has to be read again", e));
        }
    }

    private void avoidSymbolTable(RuntimeException failure) {
        if (!JsonFactories.isOverflow(failure)) {
            throw failure;
        }
        parsers = JSON.plain();
    }

    /// @throws JacksonException when names of the text collide
    private <R> Decoded<R> parsed(InputStream json, Function<TokenReader, Decoded<R>> reading) {
        var source = new FailureTrackingStream(json);
        try (var parser = parsers.createParser(ObjectReadContext.empty(), source)) {
            var tokens = new JsonTokenReader(parser);
            if (tokens.next() == Token.END) {
                return malformed("the text is empty; expected a JSON object", 1, 1);
            }
            var read = reading.apply(tokens);
            if (tokens.next() != Token.END) {
                var at = parser.currentTokenLocation();
                return malformed(
                        "unexpected text behind the JSON object", at.getLineNr(), at.getColumnNr());
            }
            return read;
        } catch (JacksonIOException e) {
            if (source.hasFailed()) {
                throw new UncheckedIOException(e.getCause());
            }
            // The stream did not fail, so the text has an unsupported or invalid encoding.
            return malformed(e.getOriginalMessage(), 1, 1);
        } catch (JacksonException e) {
            if (JsonFactories.isOverflow(e)) {
                throw e;
            }
            var at = e.getLocation();
            return malformed(
                    e.getOriginalMessage(),
                    at == null ? 1 : at.getLineNr(),
                    at == null ? 1 : at.getColumnNr());
        }
    }

    private static <R> Decoded<R> malformed(String reason, int line, int column) {
        return new Decoded.Refused<>(List.of(new DecodingProblem.Malformed(reason, line, column)));
    }
}

package dev.berth.model.codec;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.token.TokenReader;
import dev.berth.model.codec.token.TokenReader.Token;
import dev.berth.model.codec.token.TreeTokenReader;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Decodes a watch event.
///
/// Servers write the type before the object, so that the object can be decoded directly. If the
/// object comes first it is kept as a tree until the type is known.
final class EventReader<T extends KubernetesObject> {

    private final Codec codec;
    private final Kind<T> kind;
    private final String version;
    private final UnknownFieldPolicy strictness;

    EventReader(Codec codec, Kind<T> kind, String version, UnknownFieldPolicy strictness) {
        this.codec = codec;
        this.kind = kind;
        this.version = version;
        this.strictness = strictness;
    }

    Decoded<WatchEvent<T>> read(TokenReader tokens) {
        if (tokens.current() != Token.OBJECT) {
            return new Decoded.Refused<>(List.of(Codec.notAnObject()));
        }
        var type = "";
        Json early = JsonObject.EMPTY;
        var event = Optional.<Decoded<WatchEvent<T>>>empty();
        while (tokens.next() == Token.NAME) {
            var name = tokens.text();
            var value = tokens.next();
            if (name.equals("type") && value == Token.STRING) {
                type = tokens.text();
            } else if (!name.equals("object") || value != Token.OBJECT) {
                tokens.skip();
            } else if (type.isEmpty()) {
                early = codec.decoder(tokens).tree();
            } else {
                event = Optional.of(event(type, tokens));
            }
        }
        return event.isPresent() ? event.get() : event(type, early);
    }

    private Decoded<WatchEvent<T>> event(String type, Json object) {
        var tokens = new TreeTokenReader(object);
        tokens.next();
        return event(type, tokens);
    }

    private Decoded<WatchEvent<T>> event(String type, TokenReader object) {
        return switch (type) {
            case "ADDED" -> typed(object, WatchEvent.Added::new);
            case "MODIFIED" -> typed(object, WatchEvent.Modified::new);
            case "DELETED" -> typed(object, WatchEvent.Deleted::new);
            case "BOOKMARK" ->
                    typed(
                            object,
                            value -> new WatchEvent.Bookmark<>(value.metadata().resourceVersion()));
            default -> other(type, object);
        };
    }

    private Decoded<WatchEvent<T>> typed(TokenReader object, Function<T, WatchEvent<T>> event) {
        return switch (codec.object(kind, version, object, strictness)) {
            case Decoded.Read<T>(var value, var warnings) ->
                    new Decoded.Read<>(event.apply(value), warnings);
            case Decoded.Refused<T>(var problems) -> new Decoded.Refused<>(problems);
        };
    }

    private Decoded<WatchEvent<T>> other(String type, TokenReader object) {
        return codec.decoder(object).tree() instanceof JsonObject tree
                ? new Decoded.Read<>(new WatchEvent.Other<>(type, tree), List.of())
                : new Decoded.Refused<>(List.of(Codec.notAnObject()));
    }
}

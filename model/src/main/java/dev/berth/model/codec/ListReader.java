package dev.berth.model.codec;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.codec.token.TokenReader;
import dev.berth.model.codec.token.TokenReader.Token;
import java.util.List;
import java.util.function.Consumer;

/// Decodes `{"kind": "…List", "metadata": …, "items": […]}` and emits each item as it is read.
final class ListReader<T extends KubernetesObject> {

    private final Codec codec;
    private final Kind<T> kind;
    private final String version;
    private final UnknownFieldPolicy strictness;

    ListReader(Codec codec, Kind<T> kind, String version, UnknownFieldPolicy strictness) {
        this.codec = codec;
        this.kind = kind;
        this.version = version;
        this.strictness = strictness;
    }

    Decoded<ListHead> read(TokenReader tokens, Consumer<Decoded<T>> items) {
        if (tokens.current() != Token.OBJECT) {
            return new Decoded.Refused<>(List.of(Codec.notAnObject()));
        }
        var decoder = codec.decoder(tokens);
        var head = ListHead.SHAPE.zero();
        while (tokens.next() == Token.NAME) {
            var name = tokens.text();
            decoder.enter(name);
            var value = tokens.next();
            if (name.equals("items") && value == Token.ARRAY) {
                readItems(tokens, items);
            } else if (name.equals("metadata") && value == Token.OBJECT) {
                head = ListHead.SHAPE.read(decoder);
            } else if (name.equals("items") && value != Token.NULL) {
                decoder.wrongType("array");
            } else {
                tokens.skip();
            }
            decoder.leave();
        }
        return Decoded.of(head, decoder.problems(), strictness);
    }

    private void readItems(TokenReader tokens, Consumer<Decoded<T>> items) {
        while (tokens.next() != Token.END_ARRAY) {
            items.accept(codec.object(kind, version, tokens, strictness));
        }
    }
}

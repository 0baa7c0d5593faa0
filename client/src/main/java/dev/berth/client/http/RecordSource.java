package dev.berth.client.http;

import dev.berth.client.Address;
import dev.berth.model.api.KubernetesObject;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.Kind;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.Strictness;
import dev.berth.model.codec.WatchEvent;
import java.io.InputStream;
import java.util.function.Consumer;

/// Reads a kind as records, each as it comes along.
record RecordSource<T extends KubernetesObject>(Codec codec, Kind<T> kind) implements Source<T> {

    @Override
    public Address address() {
        return Address.of(kind);
    }

    @Override
    public Decoded<ListHead> list(String version, InputStream page, Consumer<Decoded<T>> objects) {
        return codec.readList(kind, version, page, Strictness.LENIENT, objects);
    }

    @Override
    public Decoded<WatchEvent<T>> event(String version, byte[] line) {
        return codec.readEvent(kind, version, line, Strictness.LENIENT);
    }

    @Override
    public String revision(T object) {
        return object.metadata().resourceVersion();
    }
}

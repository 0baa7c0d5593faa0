package dev.berth.server.http;

import dev.berth.schema.protobuf.ProtobufCodec.Enveloped;
import dev.berth.schema.protobuf.Wire;
import dev.berth.server.store.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Function;

/// The protobuf message of a list with its envelope. It is written object by object; the lengths of
/// the objects are known before, since the envelope begins with their sum.
final class ListMessage implements StreamedList {

    private final byte[] head;
    private final List<Entry> entries;
    private final Function<Entry, Enveloped> items;
    private final long size;

    /// @param metadata the message of the list's metadata
    /// @param items encodes an object, always to the same bytes
    ListMessage(
            String apiVersion,
            String kind,
            byte[] metadata,
            List<Entry> entries,
            Function<Entry, Enveloped> items) {
        this.entries = entries;
        this.items = items;
        var first = Wire.listMetadata(metadata);
        var length = (long) first.length;
        for (var entry : entries) {
            length += Wire.itemLength(items.apply(entry).length());
        }
        var envelope = Wire.envelopeHead(apiVersion, kind, Math.toIntExact(length));
        this.head = new byte[envelope.length + first.length];
        System.arraycopy(envelope, 0, head, 0, envelope.length);
        System.arraycopy(first, 0, head, envelope.length, first.length);
        this.size = envelope.length + length + Wire.envelopeTail().length;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void writeTo(OutputStream to) throws IOException {
        to.write(head);
        for (var entry : entries) {
            var item = items.apply(entry);
            to.write(Wire.itemHead(item.length()));
            to.write(item.bytes(), item.offset(), item.length());
        }
        to.write(Wire.envelopeTail());
    }
}

package dev.berth.server.http.response;

import dev.berth.schema.protobuf.MessageBytes;
import dev.berth.schema.protobuf.ProtobufCodec.Enveloped;
import dev.berth.server.store.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Function;

/// The protobuf message of a list with its envelope. It is written object by object. The lengths of
/// the objects are computed first, since the envelope begins with their sum.
final class ProtobufList implements StreamedList {

    private final byte[] head;
    private final List<Entry> entries;
    private final Function<Entry, Enveloped> items;
    private final long size;

    /// @param metadata encoded metadata of the list
    /// @param items encodes an object, always to the same bytes
    ProtobufList(
            String apiVersion,
            String kind,
            byte[] metadata,
            List<Entry> entries,
            Function<Entry, Enveloped> items) {
        this.entries = entries;
        this.items = items;
        var first = MessageBytes.listMetadata(metadata);
        var length = (long) first.length;
        for (var entry : entries) {
            length += MessageBytes.itemLength(items.apply(entry).length());
        }
        var envelope = MessageBytes.envelopeHead(apiVersion, kind, Math.toIntExact(length));
        this.head = new byte[envelope.length + first.length];
        System.arraycopy(envelope, 0, head, 0, envelope.length);
        System.arraycopy(first, 0, head, envelope.length, first.length);
        this.size = envelope.length + length + MessageBytes.envelopeTail().length;
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
            to.write(MessageBytes.itemHead(item.length()));
            to.write(item.bytes(), item.offset(), item.length());
        }
        to.write(MessageBytes.envelopeTail());
    }
}

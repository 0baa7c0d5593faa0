package dev.berth.schema.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/// Byte sequences around encoded messages: prefixes of list items, envelopes and watch events.
public final class MessageBytes {

    private static final int ITEMS = 2;
    private static final int METADATA = 1;

    private MessageBytes() {}

    /// The bytes before an item of a list.
    public static byte[] itemHead(int length) {
        return head(ITEMS, length);
    }

    /// Length of an item of a list with its prefix.
    public static int itemLength(int length) {
        return 1 + ReverseBuffer.varintLength(length) + length;
    }

    /// The metadata of a list, as its first field.
    public static byte[] listMetadata(byte[] message) {
        return joined(head(METADATA, message.length), message);
    }

    /// The bytes before the message of an object of that length.
    public static byte[] envelopeHead(String apiVersion, String kind, int length) {
        return Envelope.head(apiVersion, kind, length);
    }

    /// The bytes after the message of an object.
    public static byte[] envelopeTail() {
        return Envelope.TAIL.clone();
    }

    /// The bytes of a watch event before its object.
    public static byte[] watchEventHead(String type, int length) {
        var out = new ReverseBuffer(32);
        out.head(1, length);
        out.head(2, out.length() + length);
        out.stringField(1, type);
        return out.toBytes();
    }

    private static byte[] head(int number, int length) {
        var out = new ReverseBuffer(8);
        out.head(number, length);
        return out.toBytes();
    }

    static byte[] rawExtension(CodedInputStream in) throws IOException {
        var end = in.pushLimit(in.readRawVarint32());
        var raw = new byte[0];
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == 1) {
                MessageDecoder.require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
                raw = in.readByteArray();
            } else {
                in.skipField(tag);
            }
        }
        in.popLimit(end);
        return raw;
    }

    static byte[] joined(byte[]... parts) {
        var length = 0;
        for (var part : parts) {
            length += part.length;
        }
        var all = new byte[length];
        var at = 0;
        for (var part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }
}

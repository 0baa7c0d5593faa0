package dev.berth.schema.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/// Envelope of an object in protobuf: the bytes `k8s\0`, then a message `runtime.Unknown` with
/// apiVersion, kind and the message of the object.
///
/// @param offset offset of the message of the object
record Envelope(String apiVersion, String kind, int offset, int length) {

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /// Empty contentEncoding and contentType, which Go always writes.
    static final byte[] TAIL = {0x1a, 0, 0x22, 0};

    static boolean isAt(byte[] bytes) {
        if (bytes.length < MAGIC.length) {
            return false;
        }
        for (var i = 0; i < MAGIC.length; i++) {
            if (bytes[i] != MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    static Envelope read(byte[] bytes) throws IOException {
        if (!isAt(bytes)) {
            throw ProtobufException.malformed("the body does not begin with the bytes \"k8s\\0\"");
        }
        var in = CodedInputStream.newInstance(bytes, MAGIC.length, bytes.length - MAGIC.length);
        var type = new String[] {"", ""};
        var offset = bytes.length;
        var length = 0;
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> typeMeta(type, tag, in);
                case 2 -> {
                    MessageDecoder.require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
                    length = in.readRawVarint32();
                    offset = MAGIC.length + in.getTotalBytesRead();
                    in.skipRawBytes(length);
                }
                case 3, 4 -> notEmpty(tag, in);
                default -> in.skipField(tag);
            }
        }
        return new Envelope(type[0], type[1], offset, length);
    }

    private static void typeMeta(String[] type, int tag, CodedInputStream in) throws IOException {
        MessageDecoder.require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
        var end = in.pushLimit(in.readRawVarint32());
        for (var t = in.readTag(); t != 0; t = in.readTag()) {
            var number = WireFormat.getTagFieldNumber(t);
            if (number == 1 || number == 2) {
                MessageDecoder.require(WireFormat.WIRETYPE_LENGTH_DELIMITED, t);
                type[number - 1] = in.readStringRequireUtf8();
            } else {
                in.skipField(t);
            }
        }
        in.popLimit(end);
    }

    /// contentEncoding and contentType of the message: protobuf itself has none.
    private static void notEmpty(int tag, CodedInputStream in) throws IOException {
        MessageDecoder.require(WireFormat.WIRETYPE_LENGTH_DELIMITED, tag);
        var text = in.readStringRequireUtf8();
        if (!text.isEmpty()) {
            throw ProtobufException.malformed(
                    "the envelope has content encoding or type \"%s\", which is not supported"
                            .formatted(text));
        }
    }

    /// The bytes of an envelope before a message of that length; [#TAIL] follows the message.
    static byte[] head(String apiVersion, String kind, int length) {
        var out = new ReverseBuffer(apiVersion.length() + kind.length() + 32);
        head(apiVersion, kind, length, out);
        return out.toBytes();
    }

    static void head(String apiVersion, String kind, int length, ReverseBuffer out) {
        out.head(2, length);
        var end = out.length();
        out.stringField(2, kind);
        out.stringField(1, apiVersion);
        out.prefix(1, end);
        out.put(MAGIC);
    }
}

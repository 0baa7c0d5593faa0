package dev.berth.client.http;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/// The protobuf message of a watch event: its type, and the object with envelope.
record WatchMessage(String type, ByteString object) {

    private static final int TYPE = 1;
    private static final int OBJECT = 2;
    private static final int RAW = 1;

    static WatchMessage read(byte[] message) throws IOException {
        var in = CodedInputStream.newInstance(message);
        var type = "";
        var object = ByteString.EMPTY;
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case TYPE -> type = in.readStringRequireUtf8();
                case OBJECT -> object = raw(in.readBytes().newCodedInput());
                default -> in.skipField(tag);
            }
        }
        return new WatchMessage(type, object);
    }

    /// The bytes of a `RawExtension`.
    private static ByteString raw(CodedInputStream in) throws IOException {
        var raw = ByteString.EMPTY;
        for (var tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == RAW) {
                raw = in.readBytes();
            } else {
                in.skipField(tag);
            }
        }
        return raw;
    }
}

package dev.berth.app.bench;

/// Counts watch events without decoding them.
sealed interface EventCounter {

    /// The number of events that end in these bytes, which follow those of the previous call.
    int ended(byte[] bytes);

    /// Events in JSON: one on each line.
    final class OfLines implements EventCounter {
        @Override
        public int ended(byte[] bytes) {
            var count = 0;
            for (var b : bytes) {
                count += b == '\n' ? 1 : 0;
            }
            return count;
        }
    }

    /// Events in protobuf: each after its length in four bytes, the most significant first.
    final class OfFrames implements EventCounter {

        private static final int LENGTH_BYTES = 4;

        private int lengthBytes;
        private int length;
        private int left;

        @Override
        public int ended(byte[] bytes) {
            var count = 0;
            for (var at = 0; at < bytes.length; ) {
                if (lengthBytes < LENGTH_BYTES) {
                    length = (length << 8) | (bytes[at++] & 0xff);
                    lengthBytes++;
                    left = length;
                } else {
                    var here = Math.min(left, bytes.length - at);
                    at += here;
                    left -= here;
                }
                if (lengthBytes == LENGTH_BYTES && left == 0) {
                    count++;
                    lengthBytes = 0;
                    length = 0;
                }
            }
            return count;
        }
    }
}

package dev.berth.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventCounterTest {

    private static byte[] frames(List<Integer> lengths) {
        var bytes = new ByteArrayOutputStream();
        for (var length : lengths) {
            bytes.writeBytes(new byte[] {0, 0, (byte) (length >> 8), (byte) (length & 0xff)});
            // The bytes of a message may look like a line end or a length.
            for (var i = 0; i < length; i++) {
                bytes.write(i % 2 == 0 ? '\n' : 0);
            }
        }
        return bytes.toByteArray();
    }

    private static int count(EventCounter counter, byte[] bytes, int piece) {
        var count = 0;
        for (var at = 0; at < bytes.length; at += piece) {
            count +=
                    counter.ended(
                            Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece)));
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 300, 10_000})
    void framesAreCountedHoweverTheyAreCut(int piece) {
        var bytes = frames(List.of(1, 300, 0, 4, 5));
        assertThat(count(Encoding.PROTOBUF.counter(), bytes, piece)).isEqualTo(5);
        var unfinished = Arrays.copyOf(bytes, bytes.length - 1);
        assertThat(count(Encoding.PROTOBUF.counter(), unfinished, piece)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    void linesAreCountedHoweverTheyAreCut(int piece) {
        var lines = "{\"a\":1}\n{}\n{\"b\"".getBytes(StandardCharsets.UTF_8);
        assertThat(count(Encoding.JSON.counter(), lines, piece)).isEqualTo(2);
    }
}

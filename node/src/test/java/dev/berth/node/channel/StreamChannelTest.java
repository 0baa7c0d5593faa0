package dev.berth.node.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Messages of the streaming protocol.
class StreamChannelTest {

    @Test
    void theFirstByteIsTheChannel() {
        assertThat(StreamChannel.ERRORS.message("no")).containsExactly(2, 'n', 'o');
        assertThat(StreamChannel.of((byte) 0xff)).contains(StreamChannel.CLOSE);
        assertThat(StreamChannel.of((byte) 7)).isEmpty();
    }

    @Test
    void anExitCodeIsEncodedAsKubectlExpects() {
        assertThat(StreamChannel.exited(0)).isEqualTo("{\"metadata\":{},\"status\":\"Success\"}");
        assertThat(StreamChannel.exited(3))
                .contains("\"reason\":\"NonZeroExitCode\"")
                .contains("{\"reason\":\"ExitCode\",\"message\":\"3\"}");
    }

    @Test
    void aWindowHasASize() {
        assertThat(
                        StreamChannel.size(
                                "{\"Width\":80,\"Height\":24}".getBytes(StandardCharsets.UTF_8)))
                .contains(new StreamChannel.Size(80, 24));
        assertThat(StreamChannel.size("80x24".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void resultsRoundTrip() {
        assertThat(StreamChannel.result(StreamChannel.exited(0).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new StreamChannel.Result.Exited(0));
        assertThat(StreamChannel.result(StreamChannel.exited(42).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new StreamChannel.Result.Exited(42));
        assertThat(
                        StreamChannel.result(
                                StreamChannel.failed("no").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new StreamChannel.Result.Failed("no"));
    }
}

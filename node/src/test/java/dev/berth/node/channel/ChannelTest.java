package dev.berth.node.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// What goes over the WebSocket of a command.
class ChannelTest {

    @Test
    void theFirstByteIsTheChannel() {
        assertThat(Channel.ERRORS.message("no")).containsExactly(2, 'n', 'o');
        assertThat(Channel.of((byte) 0xff)).contains(Channel.CLOSE);
        assertThat(Channel.of((byte) 7)).isEmpty();
    }

    @Test
    void anExitCodeIsToldAsKubectlReadsIt() {
        assertThat(Channel.ended(0)).isEqualTo("{\"metadata\":{},\"status\":\"Success\"}");
        assertThat(Channel.ended(3))
                .contains("\"reason\":\"NonZeroExitCode\"")
                .contains("{\"reason\":\"ExitCode\",\"message\":\"3\"}");
    }

    @Test
    void aWindowHasASize() {
        assertThat(Channel.size("{\"Width\":80,\"Height\":24}".getBytes(StandardCharsets.UTF_8)))
                .contains(new Channel.Size(80, 24));
        assertThat(Channel.size("80x24".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void whatIsToldCanBeRead() {
        assertThat(Channel.result(Channel.ended(0).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new Channel.Result.Ended(0));
        assertThat(Channel.result(Channel.ended(42).getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new Channel.Result.Ended(42));
        assertThat(Channel.result(Channel.failed("no").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new Channel.Result.Failed("no"));
    }
}

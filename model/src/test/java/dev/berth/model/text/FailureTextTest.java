package dev.berth.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class FailureTextTest {

    @Test
    void filesAreNamedWithTheReasonOfTheSystem() {
        assertThat(FailureText.of(new NoSuchFileException("/none")))
                .isEqualTo("/none: no such file or directory");
        assertThat(FailureText.of(new UncheckedIOException(new AccessDeniedException("/root"))))
                .isEqualTo("/root: permission denied");
        assertThat(FailureText.of(new FileSystemException("/a", null, "No space left on device")))
                .isEqualTo("/a: No space left on device");
    }

    @Test
    void wrappersAreLeftOutAndOwnMessagesStay() {
        var cause = new IOException("the disk is full");
        assertThat(FailureText.of(new CompletionException(cause))).isEqualTo("the disk is full");
        assertThat(FailureText.of(new IllegalStateException(cause))).isEqualTo("the disk is full");
        assertThat(FailureText.of(new IllegalStateException("cannot start", cause)))
                .isEqualTo("cannot start");
    }

    @Test
    void exceptionsWithoutAMessageHaveNoClassName() {
        var refused = new ConnectException();
        refused.initCause(new ClosedChannelException());
        assertThat(FailureText.of(new ClosedChannelException())).isEqualTo("connection closed");
        assertThat(FailureText.of(new ConnectException())).isEqualTo("connection refused");
        assertThat(FailureText.of(new NullPointerException())).isEqualTo("internal error");
        assertThat(FailureText.of(refused)).isEqualTo("connection refused");
    }
}

package dev.berth.model.close;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloseStackTest {

    private final CloseStack stack = new CloseStack();
    private final List<String> closed = new ArrayList<>();

    @Test
    void resourcesAreClosedInReverseOrder() {
        stack.push(() -> closed.add("store"));
        stack.push(() -> closed.add("endpoint"));
        stack.pushBottom(() -> closed.add("record"));
        stack.push(() -> closed.add("controllers"));
        stack.closeOrThrow("the server did not stop cleanly");
        assertThat(closed).containsExactly("controllers", "endpoint", "store", "record");
    }

    @Test
    void pushReturnsTheResource() {
        AutoCloseable resource = () -> closed.add("store");
        assertThat(stack.push(resource)).isSameAs(resource);
    }

    @Test
    void failuresDoNotKeepOtherResourcesOpen() {
        stack.push(() -> closed.add("store"));
        stack.push(() -> fail(new NoSuchFileException("lock")));
        stack.push(() -> closed.add("endpoint"));
        stack.push(() -> fail(new IOException("port 1 is busy")));
        assertThatThrownBy(() -> stack.closeOrThrow("the server did not stop cleanly"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the server did not stop cleanly: port 1 is busy")
                .hasCauseInstanceOf(IOException.class)
                .satisfies(e ->
                        assertThat(e.getSuppressed())
                                .singleElement()
                                .isInstanceOf(NoSuchFileException.class));
        assertThat(closed).containsExactly("endpoint", "store");
    }

    @Test
    void failuresAreReportedInTheOrderOfClosing() {
        stack.push(() -> fail(new IOException("first opened")));
        stack.push(() -> closed.add("endpoint"));
        stack.push(() -> fail(new IOException("last opened")));
        stack.close(e -> closed.add(e.getMessage()));
        assertThat(closed).containsExactly("last opened", "endpoint", "first opened");
    }

    @Test
    void resourcesAreClosedOnce() {
        stack.push(() -> closed.add("store"));
        stack.closeOrThrow("");
        stack.closeOrThrow("");
        assertThat(closed).containsExactly("store");
    }

    @Test
    void anEmptyStackClosesWithoutFailure() {
        stack.closeOrThrow("");
        assertThat(closed).isEmpty();
    }

    private static void fail(Exception e) throws Exception {
        throw e;
    }
}

package dev.berth.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MessageQueueTest {

    private final MessageQueue inbox = new MessageQueue();
    private final List<Integer> read = new ArrayList<>();

    @Test
    void messagesAreReadInOrder() {
        inbox.add(message(1));
        inbox.addAll(List.of(message(2), message(3)));
        readNext();
        inbox.add(message(4));
        readAll();
        assertThat(read).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aBatchWakesTheReader() throws InterruptedException {
        var sender =
                Thread.ofVirtual()
                        .start(() -> inbox.addAll(List.of(message(1), message(2), message(3))));
        while (read.size() < 3) {
            inbox.await(Duration.ofDays(1));
            readAll();
        }
        sender.join();
        assertThat(read).containsExactly(1, 2, 3);
    }

    @Test
    void concurrentSendersLoseNoMessage() throws InterruptedException {
        var senders =
                IntStream.range(0, 8)
                        .mapToObj(sender -> Thread.ofVirtual().start(() -> send(sender)))
                        .toList();
        while (read.size() < 8_000) {
            inbox.await(Duration.ofDays(1));
            readAll();
        }
        for (var sender : senders) {
            sender.join();
        }
        assertThat(read)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 8_000).boxed().toList());
    }

    @Test
    void waitingTimesOut() throws InterruptedException {
        inbox.await(Duration.ofMillis(1));
        assertThat(inbox.poll()).isEmpty();
    }

    @Test
    void awaitReturnsAtOnceWhileMessagesAreLeft() throws InterruptedException {
        inbox.addAll(List.of(message(1), message(2)));
        readNext();
        inbox.await(Duration.ofDays(1));
        readAll();
        assertThat(read).containsExactly(1, 2);
    }

    private void send(int sender) {
        for (var i = 0; i < 1_000; i++) {
            inbox.add(message(sender * 1_000 + i));
        }
    }

    private Runnable message(int number) {
        return () -> read.add(number);
    }

    private void readNext() {
        inbox.poll().orElseThrow().run();
    }

    private void readAll() {
        for (var next = inbox.poll(); next.isPresent(); next = inbox.poll()) {
            next.get().run();
        }
    }
}

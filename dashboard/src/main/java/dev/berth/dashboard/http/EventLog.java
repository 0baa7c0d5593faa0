package dev.berth.dashboard.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The last events of a dashboard, numbered, for streams that read at their own pace.
///
/// A revision is `EPOCH.NUMBER`. Each process has its own epoch, so that a revision of an earlier
/// process is recognised.
public final class EventLog {

    /// Limit of kept events.
    private static final int MAX_EVENTS = 2_000;

    /// Limit of the size of all kept events.
    private static final int MAX_BYTES = 16 << 20;

    private final String epoch;

    // Guards the fields below.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private long bytes;
    private long last;
    private boolean isEnded;
    private int readers;

    /// An event with its text for the stream.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Event(long number, byte[] frame) {}

    /// The next step of a stream.
    sealed interface Next {

        /// Events in order; none after a timeout.
        record Events(List<Event> events) implements Next {
            public Events {
                events = List.copyOf(events);
            }
        }

        /// Events between were dropped.
        record Gap(long number) implements Next {}

        /// The log has ended.
        record End() implements Next {}
    }

    public EventLog(String epoch) {
        this.epoch = epoch;
    }

    /// The revision of the last event.
    public String revision() {
        lock.lock();
        try {
            return revision(last);
        } finally {
            lock.unlock();
        }
    }

    private String revision(long number) {
        return epoch + "." + number;
    }

    /// Adds an event and returns its revision.
    ///
    /// @param data its members; `rev` is added
    public String add(String name, JsonObject data) {
        lock.lock();
        try {
            var number = ++last;
            var text =
                    JsonWriter.compact(
                            data.beginningWith(JsonObject.of("rev", Json.of(revision(number)))));
            var event = new Event(number, ServerSentEvent.frame(name, revision(number), text));
            events.add(event);
            bytes += event.frame.length;
            while (events.size() > MAX_EVENTS || bytes > MAX_BYTES) {
                bytes -= events.remove().frame.length;
            }
            changed.signalAll();
            return revision(number);
        } finally {
            lock.unlock();
        }
    }

    /// Counts a stream that begins (1) or ends (-1).
    void countReader(int change) {
        lock.lock();
        try {
            readers += change;
        } finally {
            lock.unlock();
        }
    }

    /// Whether a stream reads the events.
    public boolean hasReaders() {
        lock.lock();
        try {
            return readers > 0;
        } finally {
            lock.unlock();
        }
    }

    /// Ends all streams.
    public void end() {
        lock.lock();
        try {
            isEnded = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The number in a revision, or -1 for a revision of another process.
    long number(String revision) {
        var prefix = epoch + ".";
        var digits = revision.startsWith(prefix) ? revision.substring(prefix.length()) : "";
        return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : -1;
    }

    byte[] resync(long number) {
        var text = JsonWriter.compact(JsonObject.of("rev", Json.of(revision(number))));
        return ServerSentEvent.frame("resync", revision(number), text);
    }

    /// Waits for events after a number.
    Next after(long number, Duration timeout) throws InterruptedException {
        var nanos = timeout.toNanos();
        lock.lock();
        try {
            while (!isEnded && number == last && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            if (isEnded) {
                return new Next.End();
            }
            if (number == last) {
                return new Next.Events(List.of());
            }
            var oldest = events.isEmpty() ? last + 1 : events.getFirst().number;
            if (number < 0 || number > last || number + 1 < oldest) {
                return new Next.Gap(last);
            }
            var missed = new ArrayList<Event>();
            for (var event : events) {
                if (event.number > number) {
                    missed.add(event);
                }
            }
            return new Next.Events(missed);
        } finally {
            lock.unlock();
        }
    }
}

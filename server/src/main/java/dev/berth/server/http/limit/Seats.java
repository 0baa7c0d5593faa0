package dev.berth.server.http.limit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Concurrency limits: divides seats among priority levels, and those of a level among its users.
///
/// A request takes a guaranteed seat of its level, or else a shared one. When there is neither, it
/// waits in the queue of its user; the queues of a level are served round-robin. One user cannot
/// take all seats of a level, however slow its requests are.
public final class Seats {

    /// `Retry-After` of requests that are rejected for lack of capacity.
    public static final int RETRY_AFTER_SECONDS = 1;

    /// Result of taking a seat.
    public sealed interface Outcome {}

    /// A seat that is held until it is closed. Closing it again has no effect.
    public sealed interface Seat extends Outcome, AutoCloseable {
        @Override
        void close();
    }

    /// No seat, with a reason of API Priority and Fairness.
    public enum Rejected implements Outcome {
        QUEUE_FULL("queue-full"),
        TIME_OUT("time-out"),
        CONCURRENCY_LIMIT("concurrency-limit");

        private final String reason;

        Rejected(String reason) {
            this.reason = reason;
        }

        /// The reason as a metric label.
        public String reason() {
            return reason;
        }
    }

    /// The seat of a level without limits.
    record ExemptSeat() implements Seat {
        @Override
        public void close() {}
    }

    public static final Seat EXEMPT = new ExemptSeat();

    /// Maximum number of waiting requests of one level, as a multiple of that of one user.
    private static final int QUEUES_PER_LEVEL = 10;

    private final int queueLength;
    private final Duration timeout;

    /// Guards all levels, their users and `shared`. Held briefly.
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<PriorityLevel, Level> levels = new EnumMap<>(PriorityLevel.class);

    private int shared;

    /// @param queueLength maximum number of waiting requests of one user; 0 for none
    /// @param timeout how long they wait
    public Seats(int total, int queueLength, Duration timeout) {
        this.queueLength = queueLength;
        this.timeout = timeout;
        this.shared = total;
        for (var priority : PriorityLevel.values()) {
            levels.put(priority, new Level(priority, total));
            shared -= priority.guaranteed(total);
        }
    }

    /// Takes a seat; waits for one if necessary.
    public Outcome take(PriorityLevel priority, String user) throws InterruptedException {
        if (priority == PriorityLevel.EXEMPT) {
            return EXEMPT;
        }
        Waiter waiter;
        lock.lock();
        try {
            var level = level(priority);
            var flow = level.flows.computeIfAbsent(user, name -> new Flow(level, name));
            if (flow.waiting.isEmpty() && isFree(flow)) {
                return occupy(flow);
            }
            if (flow.waiting.size() >= queueLength
                    || level.waiting >= queueLength * QUEUES_PER_LEVEL) {
                forgetIfUnused(flow);
                return queueLength == 0 ? Rejected.CONCURRENCY_LIMIT : Rejected.QUEUE_FULL;
            }
            waiter = enqueue(flow);
        } finally {
            lock.unlock();
        }
        return await(waiter);
    }

    private Level level(PriorityLevel priority) {
        return Objects.requireNonNull(levels.get(priority));
    }

    private Outcome await(Waiter waiter) throws InterruptedException {
        var served = false;
        try {
            served = waiter.served.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            if (!served) {
                leave(waiter);
            }
        }
        return waiter.seat.<Outcome>map(seat -> seat).orElse(Rejected.TIME_OUT);
    }

    private boolean isFree(Flow flow) {
        return flow.seats < flow.level.maxPerUser && (flow.level.free > 0 || shared > 0);
    }

    private TakenSeat occupy(Flow flow) {
        flow.seats++;
        flow.level.taken++;
        var isShared = flow.level.free == 0;
        if (isShared) {
            shared--;
        } else {
            flow.level.free--;
        }
        return new TakenSeat(flow, isShared);
    }

    private static Waiter enqueue(Flow flow) {
        var waiter = new Waiter(flow);
        if (flow.waiting.isEmpty()) {
            flow.level.turns.addLast(flow);
        }
        flow.waiting.addLast(waiter);
        flow.level.waiting++;
        return waiter;
    }

    /// Leaves the queue, or releases a seat that was assigned too late.
    private void leave(Waiter waiter) {
        lock.lock();
        try {
            var flow = waiter.flow;
            if (flow.waiting.remove(waiter)) {
                flow.level.waiting--;
                if (flow.waiting.isEmpty()) {
                    flow.level.turns.remove(flow);
                }
                forgetIfUnused(flow);
            } else {
                waiter.seat.ifPresent(Seat::close);
                waiter.seat = Optional.empty();
            }
        } finally {
            lock.unlock();
        }
    }

    private void release(Flow flow, boolean isShared) {
        flow.seats--;
        flow.level.taken--;
        if (isShared) {
            shared++;
        } else {
            flow.level.free++;
        }
        forgetIfUnused(flow);
        for (var level : levels.values()) {
            while (level.waiting > 0 && (level.free > 0 || shared > 0) && serveNext(level)) {
                // Repeat until no seat is free or no request is waiting.
            }
        }
    }

    /// Gives a seat to the next request of the next user; false when all waiting users have their
    /// maximum.
    private boolean serveNext(Level level) {
        for (var i = level.turns.size(); i > 0; i--) {
            var flow = level.turns.removeFirst();
            if (!isFree(flow)) {
                level.turns.addLast(flow);
                continue;
            }
            var waiter = flow.waiting.removeFirst();
            level.waiting--;
            if (!flow.waiting.isEmpty()) {
                level.turns.addLast(flow);
            }
            waiter.seat = Optional.of(occupy(flow));
            waiter.served.countDown();
            return true;
        }
        return false;
    }

    private static void forgetIfUnused(Flow flow) {
        if (flow.seats == 0 && flow.waiting.isEmpty()) {
            flow.level.flows.remove(flow.user);
        }
    }

    /// Seats in use by a level.
    public int taken(PriorityLevel priority) {
        lock.lock();
        try {
            return level(priority).taken;
        } finally {
            lock.unlock();
        }
    }

    /// Waiting requests of a level.
    public int waiting(PriorityLevel priority) {
        lock.lock();
        try {
            return level(priority).waiting;
        } finally {
            lock.unlock();
        }
    }

    private static final class Level {
        private final int maxPerUser;
        private final Map<String, Flow> flows = new HashMap<>();

        /// Users with waiting requests, in the order in which they are served.
        private final Deque<Flow> turns = new ArrayDeque<>();

        /// Guaranteed seats that are free.
        private int free;

        private int taken;
        private int waiting;

        private Level(PriorityLevel priority, int total) {
            this.maxPerUser = priority.maxPerUser(total);
            this.free = priority.guaranteed(total);
        }
    }

    /// The requests of one user at one level.
    private static final class Flow {
        private final Level level;
        private final String user;
        private final Deque<Waiter> waiting = new ArrayDeque<>();
        private int seats;

        private Flow(Level level, String user) {
            this.level = level;
            this.user = user;
        }
    }

    private static final class Waiter {
        private final Flow flow;
        private final CountDownLatch served = new CountDownLatch(1);

        /// Set before `served`.
        private Optional<TakenSeat> seat = Optional.empty();

        private Waiter(Flow flow) {
            this.flow = flow;
        }
    }

    private final class TakenSeat implements Seat {
        private final Flow flow;
        private final boolean isShared;
        private boolean closed;

        private TakenSeat(Flow flow, boolean isShared) {
            this.flow = flow;
            this.isShared = isShared;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (!closed) {
                    closed = true;
                    release(flow, isShared);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}

package dev.berth.server.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.harness.Eventually;
import dev.berth.server.access.User;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Fairness between priority levels, and between users of a level.
class SeatsTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(1);

    @ParameterizedTest
    @CsvSource({
        "admin, system:masters, EXEMPT",
        "system:node:a, system:nodes, NODES",
        "system:kube-scheduler, system:authenticated, CONTROLLERS",
        "system:kube-controller-manager, system:authenticated, CONTROLLERS",
        "system:serviceaccount:kube-system:x, system:serviceaccounts:kube-system, CONTROLLERS",
        "system:serviceaccount:default:x, system:serviceaccounts, SERVICE_ACCOUNTS",
        "alice, system:authenticated, USERS",
        "system:anonymous, system:unauthenticated, UNAUTHENTICATED"
    })
    void levelDependsOnGroups(String name, String group, PriorityLevel level) {
        assertThat(PriorityLevel.of(User.of(name, group))).isEqualTo(level);
    }

    @Test
    void levelsKeepTheirGuaranteedSeats() throws Exception {
        var seats = new Seats(100, 0, SHORT);
        var taken = 0;
        for (var user = 0; user < 100; user++) {
            taken += takeAll(seats, PriorityLevel.SERVICE_ACCOUNTS, "account-" + user).size();
        }
        assertThat(taken).as("the shared and its own").isEqualTo(43 + 10);
        assertThat(takeAll(seats, PriorityLevel.NODES, "a")).hasSize(10);
        assertThat(takeAll(seats, PriorityLevel.CONTROLLERS, "b")).hasSize(20);
        assertThat(takeAll(seats, PriorityLevel.USERS, "c")).hasSize(10);
        assertThat(seats.take(PriorityLevel.EXEMPT, "d")).isInstanceOf(Seats.Seat.class);
    }

    private static List<Seats.Seat> takeAll(Seats seats, PriorityLevel level, String user)
            throws InterruptedException {
        var taken = new ArrayList<Seats.Seat>();
        while (seats.take(level, user) instanceof Seats.Seat seat) {
            taken.add(seat);
        }
        return taken;
    }

    @Test
    void oneUserIsLimitedToItsShare() throws Exception {
        var seats = new Seats(100, 0, SHORT);
        assertThat(takeAll(seats, PriorityLevel.SERVICE_ACCOUNTS, "greedy")).hasSize(10);
        assertThat(takeAll(seats, PriorityLevel.SERVICE_ACCOUNTS, "other")).hasSize(10);
    }

    @Test
    void releasedSeatIsFreeOnce() throws Exception {
        var seats = new Seats(100, 0, SHORT);
        for (var seat : takeAll(seats, PriorityLevel.USERS, "alice")) {
            seat.close();
            seat.close();
        }
        assertThat(seats.taken(PriorityLevel.USERS)).isZero();
        assertThat(takeAll(seats, PriorityLevel.USERS, "alice")).hasSize(20);
    }

    @Test
    void requestTimesOutInTheQueue() throws Exception {
        var seats = new Seats(10, 1, SHORT);
        seats.take(PriorityLevel.UNAUTHENTICATED, "a");
        assertThat(seats.take(PriorityLevel.UNAUTHENTICATED, "a"))
                .isEqualTo(Seats.Rejected.TIME_OUT);
        assertThat(seats.waiting(PriorityLevel.UNAUTHENTICATED)).isZero();
    }

    @Test
    void fullQueueRejectsImmediately() throws Exception {
        var seats = new Seats(10, 1, LONG);
        var first = (Seats.Seat) seats.take(PriorityLevel.UNAUTHENTICATED, "a");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var second = threads.submit(() -> seats.take(PriorityLevel.UNAUTHENTICATED, "a"));
            Eventually.holds(() -> seats.waiting(PriorityLevel.UNAUTHENTICATED) == 1);
            assertThat(seats.take(PriorityLevel.UNAUTHENTICATED, "a"))
                    .isEqualTo(Seats.Rejected.QUEUE_FULL);
            first.close();
            assertThat(second.get()).isInstanceOf(Seats.Seat.class);
        }
    }

    @Test
    void waitingUsersAreServedRoundRobin() throws Exception {
        // Two seats, one of them shared, so that only one user of the level is served at a time.
        var seats = new Seats(1, 10, LONG);
        var order = new ConcurrentLinkedQueue<String>();
        var first = (Seats.Seat) seats.take(PriorityLevel.USERS, "alice");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var user : List.of("alice", "alice", "alice", "bob", "carol")) {
                var waiting = seats.waiting(PriorityLevel.USERS);
                var _ =
                        threads.submit(() -> {
                            var seat = (Seats.Seat) seats.take(PriorityLevel.USERS, user);
                            order.add(user);
                            seat.close();
                            return seat;
                        });
                Eventually.holds(() -> seats.waiting(PriorityLevel.USERS) == waiting + 1);
            }
            first.close();
        }
        assertThat(order).containsExactly("alice", "bob", "carol", "alice", "alice");
    }

    @Test
    void interruptedWaiterLeavesTheQueue() throws Exception {
        var seats = new Seats(1, 10, LONG);
        var first = (Seats.Seat) seats.take(PriorityLevel.USERS, "alice");
        var waiting =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                seats.take(PriorityLevel.USERS, "bob");
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        });
        Eventually.holds(() -> seats.waiting(PriorityLevel.USERS) == 1);
        waiting.interrupt();
        waiting.join();
        first.close();
        assertThat(seats.taken(PriorityLevel.USERS)).isZero();
        assertThat(takeAll(new Seats(1, 0, SHORT), PriorityLevel.USERS, "bob")).hasSize(1);
    }
}

package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The mapping from failures of the API to results of requests.
class RequestResultTest {

    private static final String MESSAGE = "pods \"a\" failed";

    @Test
    void anAbsentObjectIsMissing() {
        assertThat(RequestResult.failed(404, "NotFound", MESSAGE))
                .isEqualTo(new RequestResult.Missing(MESSAGE));
    }

    @ParameterizedTest
    @CsvSource({"Conflict", "''"})
    void aChangedObjectIsAConflict(String reason) {
        assertThat(RequestResult.failed(409, reason, MESSAGE))
                .isEqualTo(new RequestResult.Conflict(MESSAGE));
    }

    @Test
    void anExistingObjectExists() {
        assertThat(RequestResult.failed(409, "AlreadyExists", MESSAGE))
                .isEqualTo(new RequestResult.Exists(MESSAGE));
    }

    static IntStream temporaryFailures() {
        return IntStream.concat(IntStream.of(408, 429), IntStream.range(500, 600));
    }

    @ParameterizedTest
    @MethodSource("temporaryFailures")
    void timeoutsThrottlingAndFailuresOfTheServerAreUnavailable(int code) {
        assertThat(RequestResult.failed(code, "AnyReason", MESSAGE))
                .isEqualTo(new RequestResult.Unavailable(MESSAGE));
    }

    static IntStream otherFailures() {
        return IntStream.range(300, 500)
                .filter(code -> code != 404 && code != 408 && code != 409 && code != 429);
    }

    @ParameterizedTest
    @MethodSource("otherFailures")
    void allOtherFailuresAreRefused(int code) {
        assertThat(RequestResult.failed(code, "AnyReason", MESSAGE))
                .isEqualTo(new RequestResult.Refused(code, "AnyReason", MESSAGE));
    }
}

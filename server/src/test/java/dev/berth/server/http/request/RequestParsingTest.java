package dev.berth.server.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.server.operation.ObjectPath;
import dev.berth.server.registry.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parsing of paths and queries.
class RequestParsingTest {

    @ParameterizedTest
    @CsvSource({
        "/api/v1/pods, '', v1, '', pods, '', '', false",
        "/api/v1/pods/, '', v1, '', pods, '', '', false",
        "/api/v1/namespaces, '', v1, '', namespaces, '', '', false",
        "/api/v1/namespaces/a, '', v1, '', namespaces, a, '', false",
        "/api/v1/namespaces/a/status, '', v1, '', namespaces, a, status, false",
        "/api/v1/namespaces/a/finalize, '', v1, '', namespaces, a, finalize, false",
        "/api/v1/namespaces/a/pods, '', v1, a, pods, '', '', false",
        "/api/v1/namespaces/a/pods/p/status, '', v1, a, pods, p, status, false",
        "/api/v1/watch/namespaces/a/pods/p, '', v1, a, pods, p, '', true",
        "/api/v1/watch/pods, '', v1, '', pods, '', '', true",
        "/apis/apps/v1/namespaces/a/deployments/d/scale, apps, v1, a, deployments, d, scale, false",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode,"
                + " rbac.authorization.k8s.io, v1, '', clusterroles, system:node, '', false"
    })
    void resourcePathsAreParsed(
            String path,
            String group,
            String version,
            String namespace,
            String plural,
            String name,
            String subresource,
            boolean watching) {
        assertThat(RequestTarget.parse(path))
                .isEqualTo(
                        new RequestTarget.ResourcePath(
                                new ObjectPath(
                                        group, version, namespace, plural, name, subresource),
                                watching));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api", "/api/v1", "/apis", "/apis/apps/v1", "/version"})
    void otherPathsAreNonResourcePaths(String path) {
        assertThat(RequestTarget.parse(path)).isEqualTo(new RequestTarget.NonResourcePath(path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/../secrets",
                "/api/v1/pods/%2e%2e",
                "/api/v1/pods/a%2Fb",
                "/api/v1/pods/a%00",
                "/api/v1/pods/%zz"
            })
    void invalidSegmentsAreRejected(String path) {
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> RequestTarget.parse(path));
    }

    @Test
    void queriesAreDecoded() {
        var query = RequestQuery.parse("a=b&a=c&d=x%3Dy+z&e&limit=5&f=false&t=1");
        assertThat(query.all("a")).containsExactly("b", "c");
        assertThat(query.text("a")).isEqualTo("b");
        assertThat(query.text("d")).isEqualTo("x=y z");
        assertThat(query.flag("e")).isTrue();
        assertThat(query.flag("f")).isFalse();
        assertThat(query.flag("t")).isTrue();
        assertThat(query.flag("none")).isFalse();
        assertThat(query.number("limit")).hasValue(5);
        assertThat(query.number("none")).isEmpty();
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> query.flag("a"));
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> query.number("a"));
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> RequestQuery.parse("a=%zz"));
    }
}

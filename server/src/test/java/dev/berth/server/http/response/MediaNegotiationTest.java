package dev.berth.server.http.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.server.registry.ApiException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Media types of responses by `Accept` headers.
class MediaNegotiationTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | JSON | WHOLE",
                "*/* | JSON | WHOLE",
                "application/yaml | YAML | WHOLE",
                "application/vnd.kubernetes.protobuf,application/json | PROTOBUF | WHOLE",
                "application/vnd.kubernetes.protobuf;q=0.8,application/json | JSON | WHOLE",
                "application/json;q=0.2,application/vnd.kubernetes.protobuf;q=0.3 |"
                        + " PROTOBUF | WHOLE",
                "application/json;q=0,application/yaml | YAML | WHOLE",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,"
                        + "application/json;as=Table;v=v1;g=meta.k8s.io | JSON | TABLE",
                "application/vnd.kubernetes.protobuf;stream=watch | PROTOBUF | WHOLE",
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;"
                        + "v=v1;g=meta.k8s.io | PROTOBUF | METADATA",
                "application/json;as=Table;v=v1;g=meta.k8s.io,application/json | JSON | TABLE",
                "application/json;as=Odd;v=v1,application/json | JSON | WHOLE",
                "application/json; as=PartialObjectMetadata ;g=meta.k8s.io;v=v1 |"
                        + " JSON | METADATA",
                "application/json;as=Table;v=v9;g=meta.k8s.io,application/json | JSON | WHOLE",
                "application/json;as=APIGroupDiscoveryList;v=v3;g=apidiscovery.k8s.io,"
                        + "application/yaml | YAML | WHOLE",
                "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList |"
                        + " JSON | DISCOVERY",
                "text/html, application/yaml;q=0.5 | YAML | WHOLE"
            })
    void clauseOfHighestQualityIsChosen(
            String accept, MediaNegotiation.Encoding encoding, MediaNegotiation.Form form) {
        var media =
                MediaNegotiation.of(
                        accept.isEmpty() ? List.of() : List.of(accept),
                        MediaNegotiation.Offer.BUILT_IN);
        assertThat(media.encoding()).isEqualTo(encoding);
        assertThat(media.form()).isEqualTo(form);
    }

    @Test
    void headerWithoutSupportedTypeIsRejected() {
        for (var accept :
                List.of(
                        "text/html",
                        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io",
                        "application/json;as=Table",
                        "application/json;as=Table;v=v1;g=example.com",
                        "application/json;as=Table;v=v9;g=meta.k8s.io",
                        "application/json;as=PartialObjectMetadata;v=v9;g=meta.k8s.io")) {
            assertThatExceptionOfType(ApiException.class)
                    .isThrownBy(() ->
                            MediaNegotiation.of(List.of(accept), MediaNegotiation.Offer.BUILT_IN));
        }
    }

    @Test
    void customKindsSupportProtobufForMetadataOnly() {
        var protobuf = "application/vnd.kubernetes.protobuf";
        assertThat(
                        MediaNegotiation.of(
                                        List.of(protobuf, "application/json"),
                                        MediaNegotiation.Offer.CUSTOM)
                                .encoding())
                .isEqualTo(MediaNegotiation.Encoding.JSON);
        assertThat(
                        MediaNegotiation.of(
                                        List.of(
                                                protobuf
                                                        + ";as=PartialObjectMetadata;v=v1"
                                                        + ";g=meta.k8s.io"),
                                        MediaNegotiation.Offer.CUSTOM)
                                .encoding())
                .isEqualTo(MediaNegotiation.Encoding.PROTOBUF);
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() ->
                        MediaNegotiation.of(List.of(protobuf), MediaNegotiation.Offer.CUSTOM));
    }
}

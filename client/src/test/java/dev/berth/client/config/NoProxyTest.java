package dev.berth.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoProxyTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "*,                              https://anything.example",
                "10.0.0.0/8,                     https://10.200.3.4:6443",
                "192.168.4.0/22,                 https://192.168.7.255",
                "fd00::/8,                       https://[fd12::1]:6443",
                "10.1.2.3,                       https://10.1.2.3:6443",
                "10.1.2.3:6443,                  https://10.1.2.3:6443",
                "[fd12::1]:6443,                 https://[fd12::1]:6443",
                "fd12::1,                        https://[fd12::1]:6443",
                "example.com,                    https://example.com",
                "example.com,                    https://api.example.com",
                ".example.com,                   https://api.example.com",
                "*.example.com,                  https://api.example.com",
                "Example.COM,                    https://API.example.com",
                "example.com:443,                https://example.com",
                "example.com:80,                 http://example.com",
                ".example.com:6443,              https://api.example.com:6443",
                "|nobody.example, 10.0.0.0/8|,   https://10.0.0.1",
                "|''|,                           https://127.8.9.1:6443",
                "|''|,                           https://localhost:6443",
                "|''|,                           https://[::1]:6443",
            })
    void isReachedWithoutAProxy(String list, URI server) {
        assertThat(new NoProxy(list).exempts(server)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "|''|,                   https://example.com",
                "10.0.0.0/8,             https://11.0.0.1",
                "192.168.4.0/22,         https://192.168.8.0",
                "10.0.0.0/8,             https://ten.example",
                "10.0.0.0/8,             https://[a00::1]",
                "10.1.2.3:6443,          https://10.1.2.3:443",
                "example.com:6443,       https://example.com",
                ".example.com,           https://example.com",
                "*.example.com,          https://example.com",
                "ample.com,              https://example.com",
                "10.0.0.0/99,            https://10.0.0.1",
                "10.0.0.0/x,             https://10.0.0.1",
                ":443,                   https://example.com",
            })
    void needsTheProxy(String list, URI server) {
        assertThat(new NoProxy(list).exempts(server)).isFalse();
    }
}

package dev.berth.server.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.berth.server.load.HostileRequests.Hostile;
import java.util.List;
import java.util.Random;

/// Malformed or malicious paths, methods and headers.
@SuppressWarnings("StringConcatToTextBlock") // line ends differ between requests
final class HostileAddresses {

    private static final byte[] NOTHING = {};

    private static final List<String> STEPS =
            List.of(
                    "..",
                    ".",
                    "%2e%2e",
                    "%2f",
                    "%2F..%2F",
                    "%00",
                    "%",
                    "%zz",
                    "%c0%ae",
                    "%ff%fe",
                    "a%0d%0aX:%20y",
                    ";jsessionid=1",
                    "\\..\\",
                    "",
                    "*",
                    "status",
                    "watch",
                    "namespaces",
                    "proxy",
                    "seed",
                    "log",
                    "scale",
                    "v2",
                    "é");

    private static final List<String> QUERIES =
            List.of(
                    "limit=-1",
                    "limit=99999999999999999999",
                    "limit=1&continue=abc",
                    "continue=%00%ff",
                    "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTF9",
                    "resourceVersion=abc",
                    "resourceVersion=-5",
                    "resourceVersion=1e3",
                    "resourceVersion=99999999999999999999",
                    "resourceVersion=1&resourceVersionMatch=Exact",
                    "resourceVersion=5&resourceVersionMatch=Wrong",
                    "resourceVersionMatch=Exact",
                    "labelSelector=a%20in%20(",
                    "labelSelector=((((((((((",
                    "labelSelector=a%3Db%2Cc!%3D%2C%2C",
                    "labelSelector=%21%21a",
                    "labelSelector=a%3E99999999999999999999999",
                    "fieldSelector=metadata.name%3D%3D%3D",
                    "fieldSelector=spec.nothing%3Dx",
                    "fieldSelector=%5C%2C%3D",
                    "watch=maybe",
                    "watch=1&timeoutSeconds=-1&resourceVersion=zzz",
                    "watch=1&resourceVersion=1&timeoutSeconds=1",
                    "watch=1&sendInitialEvents=true",
                    "watch=1&sendInitialEvents=x&resourceVersionMatch=NotOlderThan",
                    "watch=true&timeoutSeconds=99999999999999999999999",
                    "watch=true&timeoutSeconds=9223372036854775807",
                    "timeoutSeconds=x",
                    "dryRun=Some",
                    "fieldValidation=Sometimes",
                    "%zz=%",
                    "=&&&=&",
                    "a=%c3%28",
                    "includeObject=All",
                    "pretty=%00");

    private static final List<String> HEADERS =
            List.of(
                    "Accept: application/json;as=Table;v=v9;g=x\r\n",
                    "Accept: ;;;,,,===\r\n",
                    "Accept: image/png\r\n",
                    "Accept: application/json;as=Nonsense\r\n",
                    "Accept: application/yaml;as=Table\r\n",
                    "Accept: application/vnd.kubernetes.protobuf\r\n",
                    "Accept: " + "application/json;q=0.1,".repeat(900) + "\r\n",
                    "Authorization: Bearer x.y.z\r\n",
                    "Authorization: Bearer " + "e".repeat(8000) + "\r\n",
                    "Authorization: Basic \u00ff\u00fe\r\n",
                    "Impersonate-User: \r\n",
                    "Impersonate-User: system:node:x\r\nImpersonate-Extra-%zz: y\r\n",
                    "Impersonate-Group: a\r\n",
                    "Impersonate-User: a\r\nImpersonate-Group: system:masters\r\n",
                    "Content-Type: application/json; charset=utf-77\r\n",
                    "Content-Type: text/html\r\n",
                    "Content-Type: \r\n",
                    "Content-Encoding: gzip\r\n",
                    "Accept-Encoding: gzip;q=x\r\n",
                    "Expect: 200-maybe\r\n",
                    "Transfer-Encoding: chunked\r\n",
                    "Transfer-Encoding: wrong\r\n",
                    "Content-Length: 3\r\n",
                    "Content-Length: -1\r\n",
                    "X\u0001Y: z\r\n",
                    "No colon here\r\n",
                    ": no name\r\n",
                    "Host: other\r\nHost: another\r\n",
                    "X: " + "y".repeat(40_000) + "\r\n",
                    "x: y\r\n".repeat(2_000),
                    "Upgrade: websocket\r\nConnection: Upgrade\r\n",
                    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 99\r\n"
                            + "Sec-WebSocket-Key: AAAA\r\n",
                    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                    "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                            + "HTTP2-Settings: %%%\r\n",
                    "Connection: Upgrade\r\nUpgrade: SPDY/3.1\r\n");

    private static final List<String> METHODS =
            List.of(
                    "OPTIONS",
                    "TRACE",
                    "CONNECT",
                    "HEAD",
                    "PROPFIND",
                    "get",
                    "G\u00cbT",
                    "POST",
                    "PUT",
                    "PATCH",
                    "X".repeat(200),
                    "PRI");

    private HostileAddresses() {}

    static Hostile path(String path, Random random) {
        var target = new StringBuilder(random.nextInt(3) == 0 ? "" : path);
        for (var times = random.nextInt(1, 5); times > 0; times--) {
            target.append('/').append(HostileValues.pick(STEPS, random));
        }
        switch (random.nextInt(40)) {
            case 0 -> target.append('/').append("a".repeat(random.nextInt(40_000)));
            case 1 -> target.append("/a".repeat(random.nextInt(10_000)));
            case 2 -> target.insert(0, "http://other");
            case 3 -> target.insert(0, "//");
            case 4 -> target.replace(0, 1, "");
            default -> {}
        }
        var method = HostileValues.pick(List.of("GET", "GET", "DELETE", "POST", "PUT"), random);
        return loose("path", method, target.toString(), "");
    }

    static Hostile query(String path, Random random) {
        var query = HostileValues.pick(QUERIES, random);
        if (random.nextBoolean()) {
            query += "&" + HostileValues.pick(QUERIES, random);
        }
        if (random.nextInt(40) == 0) {
            query += "&x=" + "y".repeat(random.nextInt(40_000));
        }
        var name = random.nextInt(5) == 0 ? "/seed" : "";
        return loose("query " + query, "GET", path + name + "?" + query, "");
    }

    static Hostile headers(String path, byte[] body, Random random) {
        var headers = HostileValues.pick(HEADERS, random);
        var method = random.nextBoolean() ? "POST" : "GET";
        var target = path + (random.nextInt(3) == 0 ? "?watch=1&timeoutSeconds=1" : "");
        var bytes =
                RawClient.request(method, target, headers, method.equals("GET") ? NOTHING : body);
        return new Hostile("headers " + shortened(headers), bytes, true, true);
    }

    static Hostile method(String path, Random random) {
        return loose("method", HostileValues.pick(METHODS, random), path, "");
    }

    /// A request whose first line may be so malformed that the connection is closed with the
    /// response.
    private static Hostile loose(String what, String method, String target, String headers) {
        var head = method + " " + target + " HTTP/1.1\r\nHost: berth\r\n" + headers;
        var bytes = (head + "Content-Length: 0\r\n\r\n").getBytes(ISO_8859_1);
        return new Hostile(what + " " + shortened(method + " " + target), bytes, false, false);
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(120, text.length())).strip();
    }
}

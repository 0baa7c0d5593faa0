package dev.berth.dashboard.http;

import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/// Checks of Host and Origin. They refuse other web sites whose names resolve to loopback (DNS
/// rebinding), and requests that pages of other origins send.
final class RequestChecks {

    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final Set<String> hosts;

    RequestChecks(int port) {
        this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
    }

    void check(Request request) throws DashboardError {
        var headers = request.getHeaders();
        var host = Optional.ofNullable(headers.get(HttpHeader.HOST)).orElse("");
        if (!hosts.contains(host)) {
            throw new DashboardError(
                    421,
                    "WrongHost",
                    "the host \"%s\" is not this dashboard".formatted(host),
                    "open the URL that berth printed");
        }
        var origin = headers.get(HttpHeader.ORIGIN);
        var site = headers.get("Sec-Fetch-Site");
        var isNavigation = "navigate".equals(headers.get("Sec-Fetch-Mode"));
        if (origin != null && !origin.equals("http://" + host)) {
            throw wrongOrigin(origin);
        }
        // A link on another page may open the page: it is a navigation without the strict cookie.
        if (site != null && !OWN_SITES.contains(site) && !isNavigation) {
            throw wrongOrigin(site);
        }
    }

    private static DashboardError wrongOrigin(String origin) {
        return new DashboardError(
                403,
                "WrongOrigin",
                "requests from \"%s\" are refused".formatted(origin),
                "open the URL that berth printed");
    }
}

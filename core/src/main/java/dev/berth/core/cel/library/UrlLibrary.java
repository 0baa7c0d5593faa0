package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.Function;

/// Kubernetes' URL library: `url("https://example.com/path")`.
final class UrlLibrary {

    private UrlLibrary() {}

    static List<Overload> overloads() {
        var strings = CelTypes.listOf(SimpleType.STRING);
        return List.of(
                url(),
                isUrl(),
                accessor("getScheme", "url_get_scheme", SimpleType.STRING, Url::scheme),
                accessor("getHost", "url_get_host", SimpleType.STRING, Url::host),
                accessor("getHostname", "url_get_hostname", SimpleType.STRING, Url::hostname),
                accessor("getPort", "url_get_port", SimpleType.STRING, Url::port),
                accessor(
                        "getEscapedPath",
                        "url_get_escaped_path",
                        SimpleType.STRING,
                        Url::escapedPath),
                accessor(
                        "getQuery",
                        "url_get_query",
                        MapType.create(SimpleType.STRING, strings),
                        Url::query));
    }

    private static Overload url() {
        return new Overload(
                "url",
                "string_to_url",
                false,
                List.of(SimpleType.STRING),
                CelTypes.URL,
                arguments ->
                        arguments[0] instanceof String text
                                ? Url.parse(text)
                                : CelError.noSuchOverload(),
                arguments -> {
                    var size = arguments.getFirst().size();
                    return CallEstimate.of(size.times(CallCharges.STRING_TRAVERSAL), size);
                },
                (arguments, _) -> CallCharges.traversal(arguments));
    }

    private static Overload isUrl() {
        return new Overload(
                "isURL",
                "is_url_string",
                false,
                List.of(SimpleType.STRING),
                SimpleType.BOOL,
                arguments ->
                        arguments[0] instanceof String text
                                ? UrlSyntax.request(text).isEmpty()
                                : CelError.noSuchOverload(),
                Estimate.ONE,
                Charge.ONE);
    }

    private static Overload accessor(
            String function, String id, CelType result, Function<Url, Object> read) {
        return new Overload(
                function,
                id,
                true,
                List.of(CelTypes.URL),
                result,
                arguments ->
                        arguments[0] instanceof Url url
                                ? read.apply(url)
                                : CelError.noSuchOverload(),
                Estimate.ONE,
                Charge.ONE);
    }
}

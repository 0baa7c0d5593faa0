package dev.berth.node.cdi;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.ParsedDocument;
import dev.berth.model.json.YamlReader;
import dev.berth.node.cdi.ContainerEdits.DeviceNode;
import dev.berth.node.cdi.ContainerEdits.Hook;
import dev.berth.node.cdi.ContainerEdits.IntelRdt;
import dev.berth.node.cdi.ContainerEdits.Mount;
import dev.berth.node.cdi.ContainerEdits.NetDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Reads CDI specs strictly, as runtimes do: an unknown field makes the whole file unusable.
public final class CdiReader {

    private CdiReader() {}

    /// Result of reading.
    public sealed interface Result {

        /// A spec that runtimes accept.
        record Valid(CdiSpec spec) implements Result {}

        /// A text that runtimes reject, with all reasons.
        record Invalid(List<CdiProblem> problems) implements Result {
            public Invalid {
                problems = List.copyOf(problems);
            }
        }
    }

    /// Reads and validates a spec in JSON or YAML.
    public static Result read(String text) {
        return switch (parse(text)) {
            case ParseResult.Malformed(var message, var line, var column) ->
                    invalid(CdiProblem.invalid(FieldPath.ROOT, message).at(line, column));
            case ParseResult.Documents(var documents) when documents.size() == 1 ->
                    read(documents.getFirst());
            case ParseResult.Documents(var documents) ->
                    invalid(
                            CdiProblem.invalid(
                                    FieldPath.ROOT,
                                    "expected one document, found %d".formatted(documents.size())));
        };
    }

    /// JSON is read by the JSON reader, because YAML does not accept all white space of JSON.
    private static ParseResult parse(String text) {
        var isLikelyJson = text.stripLeading().startsWith("{");
        return isLikelyJson && JsonReader.read(text) instanceof ParseResult.Documents read
                ? read
                : YamlReader.read(text);
    }

    private static Result read(ParsedDocument document) {
        if (!(document.root() instanceof JsonObject object)) {
            return invalid(
                    CdiProblem.invalid(
                            FieldPath.ROOT,
                            "expected an object, found " + document.root().kindName()));
        }
        var problems = new ArrayList<CdiProblem>();
        for (var path : document.duplicates()) {
            problems.add(CdiProblem.invalid(path, "duplicate field"));
        }
        var spec = spec(object, problems);
        if (problems.isEmpty()) {
            problems.addAll(CdiValidation.check(spec));
        }
        if (problems.isEmpty()) {
            return new Result.Valid(spec);
        }
        return new Result.Invalid(
                problems.stream().map(one -> withPosition(one, document)).toList());
    }

    private static CdiProblem withPosition(CdiProblem problem, ParsedDocument document) {
        var position = document.source().nearest(problem.path());
        return problem.at(position.line(), position.column());
    }

    private static Result invalid(CdiProblem problem) {
        return new Result.Invalid(List.of(problem));
    }

    private static CdiSpec spec(JsonObject object, List<CdiProblem> problems) {
        return StrictFields.finished(
                new StrictFields(object, FieldPath.ROOT, problems),
                fields ->
                        new CdiSpec(
                                fields.text("cdiVersion"),
                                kind(fields.text("kind"), problems),
                                fields.texts("annotations"),
                                fields.objects("devices", false, CdiReader::device),
                                edits(fields)));
    }

    private static CdiKind kind(String text, List<CdiProblem> problems) {
        var kind = CdiKind.tryParse(text);
        if (kind.isEmpty()) {
            problems.add(
                    CdiProblem.invalid(
                            FieldPath.of("kind"),
                            "\"%s\" is not of the form vendor/class".formatted(text)));
        }
        return kind.orElse(new CdiKind("", ""));
    }

    private static CdiDevice device(StrictFields fields) {
        return new CdiDevice(fields.text("name"), fields.texts("annotations"), edits(fields));
    }

    private static ContainerEdits edits(StrictFields parent) {
        return parent.object("containerEdits")
                .map(fields -> StrictFields.finished(fields, CdiReader::readEdits))
                .orElse(ContainerEdits.NONE);
    }

    private static ContainerEdits readEdits(StrictFields fields) {
        return new ContainerEdits(
                fields.strings("env"),
                fields.objects("deviceNodes", true, CdiReader::node),
                fields.objects(
                        "netDevices",
                        true,
                        net -> new NetDevice(net.text("hostInterfaceName"), net.text("name"))),
                fields.objects("mounts", true, CdiReader::mount),
                fields.objects("hooks", true, CdiReader::hook),
                fields.unsignedNumbers("additionalGids"),
                fields.object("intelRdt").map(rdt -> StrictFields.finished(rdt, CdiReader::rdt)));
    }

    private static DeviceNode node(StrictFields fields) {
        var mode = fields.unsigned("fileMode");
        return new DeviceNode(
                fields.text("path"),
                fields.text("hostPath"),
                fields.text("type"),
                fields.number("major"),
                fields.number("minor"),
                mode.isPresent() ? OptionalInt.of((int) mode.getAsLong()) : OptionalInt.empty(),
                fields.text("permissions"),
                fields.unsigned("uid"),
                fields.unsigned("gid"));
    }

    private static Mount mount(StrictFields fields) {
        return new Mount(
                fields.text("hostPath"),
                fields.text("containerPath"),
                fields.strings("options"),
                fields.text("type"));
    }

    private static Hook hook(StrictFields fields) {
        return new Hook(
                fields.text("hookName"),
                fields.text("path"),
                fields.strings("args"),
                fields.strings("env"),
                fields.integer("timeout"));
    }

    private static IntelRdt rdt(StrictFields fields) {
        return new IntelRdt(
                fields.text("closID"),
                fields.text("l3CacheSchema"),
                fields.text("memBwSchema"),
                fields.flag("enableCMT"),
                fields.flag("enableMBM"),
                fields.strings("schemata"),
                fields.flag("enableMonitoring"));
    }
}

package dev.berth.app.lint;

import dev.berth.app.print.Palette;
import dev.berth.app.print.TerminalText;
import dev.berth.app.print.TextWrap;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.List;

/// The result of `berth lint`.
///
/// @param files number of files; empty strings are never counted
/// @param isCluster whether the objects of a running cluster were validated instead of files
/// @param validated number of objects whose kind can be validated
/// @param skipped number of objects of other kinds
record LintReport(
        List<LintFinding> findings,
        List<String> emptyFiles,
        int files,
        boolean isCluster,
        int validated,
        int skipped) {

    LintReport {
        findings = List.copyOf(findings);
        emptyFiles = List.copyOf(emptyFiles);
    }

    long errors() {
        return findings.stream().filter(f -> f.severity() == LintFinding.Severity.ERROR).count();
    }

    private long warnings() {
        return findings.size() - errors();
    }

    /// One line per finding, and a summary; to be printed as is.
    String text(Palette palette) {
        var text = new StringBuilder();
        findings.forEach(one -> text.append(one.text(palette)).append('\n'));
        emptyFiles.forEach(file ->
                text.append(TerminalText.escape(file)).append(": the file contains no objects\n"));
        return text.append(
                        "%s in %s: %s, %s%s\n"
                                .formatted(
                                        TextWrap.count(validated, "object"),
                                        isCluster ? "the cluster" : TextWrap.count(files, "file"),
                                        TextWrap.count(errors(), "error"),
                                        TextWrap.count(warnings(), "warning"),
                                        skipped == 0
                                                ? ""
                                                : "; %s of other kinds skipped"
                                                        .formatted(
                                                                TextWrap.count(skipped, "object"))))
                .toString();
    }

    JsonObject json() {
        return JsonObject.of("objects", Json.of((long) validated))
                .with("skipped", Json.of((long) skipped))
                .with("files", Json.of((long) files))
                .with("errors", Json.of(errors()))
                .with("warnings", Json.of(warnings()))
                .with("findings", Json.array(findings.stream().map(LintFinding::json).toList()));
    }
}

package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Checks of names, comments, messages and documentation against the rules of CONTRIBUTING.md.
class VocabularyTest {

    /// Simple names that two top-level types may share, with the reason.
    private static final Map<String, String> SHARED_NAMES = Map.of();

    /// Pronouns that hide a noun. `nobody` in backticks or quotes is the Linux user.
    private static final Pattern PRONOUN =
            Pattern.compile(
                    "(?<![`\"'/])\\b(somebody|nobody|whoever|anybody)\\b",
                    Pattern.CASE_INSENSITIVE);

    /// Beginnings of a first sentence that name no thing.
    private static final Pattern NO_NOUN =
            Pattern.compile("^///\\s+(What|Who|Whoever|Something|Those|All that)\\b.*");

    @Test
    void simpleNamesOfTopLevelTypesAreUnique() throws IOException {
        var files = new TreeMap<String, List<String>>();
        for (var file : SourceFiles.withSuffix(".java")) {
            var name = file.getFileName().toString().replace(".java", "");
            if (!name.endsWith("-info") && !SHARED_NAMES.containsKey(name)) {
                files.computeIfAbsent(name, _ -> new ArrayList<>()).add(SourceFiles.relative(file));
            }
        }
        files.values().removeIf(same -> same.size() == 1);
        assertThat(files).isEmpty();
    }

    @Test
    void commentsNameNouns() throws IOException {
        var bad = new ArrayList<String>();
        for (var file : SourceFiles.withSuffix(".java")) {
            for (var comment : JavaText.of(Files.readString(file)).comments()) {
                note(PRONOUN, file, comment, bad);
            }
        }
        assertThat(bad).isEmpty();
    }

    @Test
    void messagesNameNouns() throws IOException {
        var bad = new ArrayList<String>();
        for (var file : SourceFiles.withSuffix(".java")) {
            if (file.toString().contains("/src/main/")) {
                for (var string : JavaText.of(Files.readString(file)).strings()) {
                    note(PRONOUN, file, string, bad);
                }
            }
        }
        assertThat(bad).isEmpty();
    }

    @Test
    void documentationNamesNouns() throws IOException {
        var bad = new ArrayList<String>();
        var files = Stream.of(".md", ".schema").map(SourceFiles::withSuffix);
        for (var file : files.flatMap(List::stream).toList()) {
            var lines = Files.readAllLines(file);
            for (var i = 0; i < lines.size(); i++) {
                note(PRONOUN, file, new JavaText.Part(i + 1, lines.get(i)), bad);
            }
        }
        assertThat(bad).isEmpty();
    }

    @Test
    void firstSentencesOfCommentsBeginWithTheThing() throws IOException {
        var bad = new ArrayList<String>();
        for (var file : SourceFiles.withSuffix(".java")) {
            for (var start : JavaText.of(Files.readString(file)).docStarts()) {
                note(NO_NOUN, file, start, bad);
            }
        }
        assertThat(bad).isEmpty();
    }

    private static void note(Pattern bad, Path file, JavaText.Part part, List<String> found) {
        if (bad.matcher(part.text()).find()) {
            found.add(SourceFiles.relative(file) + ":" + part.line() + ": " + part.text());
        }
    }
}

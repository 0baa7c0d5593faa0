import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Checks that relative links of a page lead to files and headings that exist.
final class Links {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");

    private Links() {}

    static List<String> broken(Path root, String page) throws IOException {
        var file = root.resolve(page);
        var broken = new ArrayList<String>();
        var isCode = false;
        var number = 0;
        for (var line : Files.readAllLines(file)) {
            number++;
            if (line.strip().startsWith("```")) {
                isCode = !isCode;
            }
            var link = LINK.matcher(isCode ? "" : CODE.matcher(line).replaceAll("code"));
            while (link.find()) {
                if (!leadsSomewhere(file, link.group(1))) {
                    broken.add(page + ":" + number + ": broken link " + link.group(1));
                }
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        if (link.matches("[a-z]+:.*")) {
            return true;
        }
        var parts = link.split("#", 2);
        var target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        if (!Files.exists(target)) {
            return false;
        }
        return parts.length == 1 || anchors(target).contains(parts[1]);
    }

    private static List<String> anchors(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT))
                .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }
}

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Reads the fenced blocks of a Markdown page, with the markers before them.
final class PageReader {

    private static final Pattern FENCE = Pattern.compile("( *)```+([A-Za-z]*).*");
    private static final Pattern MARKER =
            Pattern.compile(" *<!-- *(skip|long|file): *(.+?) *--> *");

    private final Path root;

    PageReader(Path root) {
        this.root = root;
    }

    List<Block> blocks(String page) throws IOException {
        var lines = Files.readAllLines(root.resolve(page));
        var blocks = new ArrayList<Block>();
        Block.Marker marker = new Block.Marker.None();
        for (var i = 0; i < lines.size(); i++) {
            var fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                if (!lines.get(i).isBlank()) {
                    marker = marker(lines.get(i));
                }
                continue;
            }
            var start = i++;
            var text = new ArrayList<String>();
            while (i < lines.size() && !lines.get(i).strip().equals("```")) {
                text.add(withoutIndent(lines.get(i++), fence.group(1)));
            }
            blocks.add(new Block(page, start + 1, fence.group(2), List.copyOf(text), marker));
            marker = new Block.Marker.None();
        }
        return blocks;
    }

    private static Block.Marker marker(String line) {
        var matcher = MARKER.matcher(line);
        if (!matcher.matches()) {
            return new Block.Marker.None();
        }
        var text = matcher.group(2);
        return switch (matcher.group(1)) {
            case "skip" -> new Block.Marker.Skip(text);
            case "long" -> new Block.Marker.Long(text);
            default -> new Block.Marker.ShownFile(text);
        };
    }

    private static String withoutIndent(String line, String indent) {
        return line.startsWith(indent) ? line.substring(indent.length()) : line;
    }
}

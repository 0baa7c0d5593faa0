package dev.berth.server.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.Entry;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.Store;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random damage to the files of a store. Each must be rejected with the file, the offset and the
/// recovery step, or do no harm; acknowledged changes must never be lost or altered silently.
///
/// All 1,200: `mvn test -pl server -am -Dtest=StoreDamageTest
/// -Dsurefire.failIfNoSpecifiedTests=false -Dberth.damage.count=1200`. Another seed:
/// `-Dberth.damage.seed=N`.
class StoreDamageTest {

    private static final int USUAL_COUNT = 160;
    private static final int COUNT = Integer.getInteger("berth.damage.count", USUAL_COUNT);
    private static final long SEED = Long.getLong("berth.damage.seed", 11);

    /// Damages per image.
    private static final int PER_IMAGE = 20;

    @TempDir private Path directory;

    private enum Kind {
        FLIPPED_BIT,
        ZERO_SECTOR,
        RANDOM_SECTOR,
        ZERO_PAGE,
        RANDOM_PAGE,
        CUT_OFF,
        DELETED,
        OLDER_COPY
    }

    private enum Outcome {
        REFUSED,
        HARMLESS,
        SILENT
    }

    /// The kind, file and offset of a damage.
    private record Damage(Kind kind, String suffix, int offset) {}

    @Test
    void noDamageIsSilent() throws Exception {
        var outcomes = new TreeMap<String, Map<Outcome, Integer>>();
        var silent = new ArrayList<String>();
        var ends = StoreImages.End.values();
        for (var number = 0; number * PER_IMAGE < COUNT; number++) {
            var end = ends[number % ends.length];
            var live = Files.createDirectory(directory.resolve("live-" + number));
            var images = StoreImages.create(live.resolve(SqliteStore.FILE), end, SEED + number);
            for (var i = 0; i < Math.min(PER_IMAGE, COUNT - number * PER_IMAGE); i++) {
                var random = new Random((SEED * 1_000 + number) * 1_000 + i);
                var place = Files.createDirectory(directory.resolve(number + "-" + i));
                var file = place.resolve(SqliteStore.FILE);
                var files = new LinkedHashMap<>(images.files());
                var damage = damage(files, images, random);
                StoreImages.put(files, file);
                var outcome = outcome(file, images);
                outcomes.computeIfAbsent(end + " " + damage.kind, _ -> new EnumMap<>(Outcome.class))
                        .merge(outcome, 1, Integer::sum);
                if (outcome == Outcome.SILENT) {
                    silent.add(number + "-" + i + " " + end + " " + damage);
                }
            }
        }
        if (COUNT > USUAL_COUNT) {
            outcomes.forEach((kind, counts) -> System.out.println(kind + " " + counts));
        }
        assertThat(silent).as("silent of %d, seed %d", COUNT, SEED).isEmpty();
    }

    private static Damage damage(Map<String, byte[]> files, StoreImages images, Random random) {
        var used = files.entrySet().stream().filter(each -> each.getValue().length > 0).toList();
        var chosen = used.get(random.nextInt(used.size()));
        var suffix = chosen.getKey();
        var bytes = chosen.getValue().clone();
        var kind = Kind.values()[random.nextInt(Kind.values().length)];
        var at = random.nextInt(bytes.length);
        switch (kind) {
            case FLIPPED_BIT -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case ZERO_SECTOR -> overwrite(bytes, at, 512, false, random);
            case RANDOM_SECTOR -> overwrite(bytes, at, 512, true, random);
            case ZERO_PAGE -> overwrite(bytes, at, 4_096, false, random);
            case RANDOM_PAGE -> overwrite(bytes, at, 4_096, true, random);
            case CUT_OFF -> bytes = Arrays.copyOf(bytes, at);
            case DELETED, OLDER_COPY -> {}
        }
        files.put(suffix, bytes);
        var older = kind == Kind.OLDER_COPY ? images.earlier(random).get(suffix) : null;
        if (kind == Kind.DELETED || (kind == Kind.OLDER_COPY && older == null)) {
            files.remove(suffix);
        } else if (older != null) {
            files.put(suffix, older);
        }
        return new Damage(kind, suffix, at);
    }

    private static void overwrite(byte[] bytes, int at, int size, boolean noise, Random random) {
        for (var i = at - at % size; i < Math.min(bytes.length, at - at % size + size); i++) {
            bytes[i] = noise ? (byte) random.nextInt() : 0;
        }
    }

    private static Outcome outcome(Path file, StoreImages images) throws IOException, SQLException {
        try (var store = SqliteStore.open(file)) {
            return images.isAllowed(entries(store)) ? Outcome.HARMLESS : Outcome.SILENT;
        } catch (StoreException e) {
            assertThat(e.getMessage())
                    .contains(file.toString())
                    .containsPattern("at offset \\d+: |is missing|is outdated|has format")
                    .contains("berth restore FILE");
            return Outcome.REFUSED;
        }
    }

    private static List<Entry> entries(Store store) {
        return ((ListResult.Page) store.list(CollectionScope.all("pods"), 0, "", 0)).entries();
    }
}

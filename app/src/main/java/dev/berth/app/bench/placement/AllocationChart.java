package dev.berth.app.bench.placement;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// A chart of allocated devices by demand as SVG, with the published figure of FGD (Fragmentation
/// Gradient Descent, USENIX ATC 2023) for the default workload.
final class AllocationChart {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 440;
    private static final int LEFT = 60;
    private static final int TOP = 30;
    private static final int PLOT_WIDTH = 480;
    private static final int PLOT_HEIGHT = 350;
    private static final int FIRST_DEMAND = 70;
    private static final int LAST_DEMAND = 130;
    private static final int FIRST_SHARE = 70;
    private static final double FGD = 95.39;
    private static final List<String> COLORS =
            List.of("#0b6e4f", "#c2410c", "#1d4ed8", "#7c3aed", "#64748b", "#b91c1c");

    private AllocationChart() {}

    /// The chart of all replays that have a curve.
    static String svg(List<ReplayResult> results) {
        var curves = results.stream().filter(one -> !one.curve().isEmpty()).toList();
        var svg = new StringBuilder();
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" \
                font-family="sans-serif" font-size="12">
                <rect width="%d" height="%d" fill="white"/>
                """
                        .formatted(WIDTH, HEIGHT, WIDTH, HEIGHT));
        axes(svg);
        for (var i = 0; i < curves.size(); i++) {
            curve(svg, curves.get(i), i);
        }
        svg.append(
                """
                <path d="M%1$s %2$sm-5 -5l10 10m0 -10l-10 10" stroke="black" stroke-width="2"/>
                <text x="%3$s" y="%4$s">FGD, published: %5$s %%</text>
                </svg>
                """
                        .formatted(
                                text(x(LAST_DEMAND)),
                                text(y(FGD)),
                                text(x(LAST_DEMAND) + 12),
                                text(y(FGD) + 24),
                                FGD));
        return svg.toString();
    }

    private static void axes(StringBuilder svg) {
        for (var share = FIRST_SHARE; share <= 100; share += 5) {
            svg.append(
                    """
                    <path d="M%s %sh%d" stroke="#ddd"/><text x="%d" y="%s" \
                    text-anchor="end">%d %%</text>
                    """
                            .formatted(
                                    LEFT,
                                    text(y(share)),
                                    PLOT_WIDTH,
                                    LEFT - 6,
                                    text(y(share) + 4),
                                    share));
        }
        for (var demand = FIRST_DEMAND; demand <= LAST_DEMAND; demand += 10) {
            svg.append(
                    """
                    <text x="%s" y="%d" text-anchor="middle">%d %%</text>
                    """
                            .formatted(text(x(demand)), TOP + PLOT_HEIGHT + 18, demand));
        }
        svg.append(
                """
                <text x="%d" y="%d" text-anchor="middle">Requested GPUs / all GPUs</text>
                <text x="%d" y="18">GPUs in use</text>
                """
                        .formatted(LEFT + PLOT_WIDTH / 2, TOP + PLOT_HEIGHT + 42, LEFT));
    }

    private static void curve(StringBuilder svg, ReplayResult result, int number) {
        var points = new StringBuilder();
        IntStream.rangeClosed(FIRST_DEMAND, LAST_DEMAND)
                .filter(demand -> result.at(demand).isPresent())
                .forEach(demand ->
                        points.append(text(x(demand)))
                                .append(',')
                                .append(text(y(result.at(demand).orElseThrow())))
                                .append(' '));
        var color = COLORS.get(number % COLORS.size());
        svg.append(
                """
                <polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>
                <text x="%d" y="%d" fill="%s">%s %s-%s</text>
                """
                        .formatted(
                                points.toString().strip(),
                                color,
                                LEFT + 16,
                                TOP + 18 + 18 * number,
                                color,
                                result.policy(),
                                result.trace().workload(),
                                result.trace().seed()));
    }

    private static double x(double demand) {
        return LEFT + (demand - FIRST_DEMAND) / (LAST_DEMAND - FIRST_DEMAND) * PLOT_WIDTH;
    }

    private static double y(double share) {
        return TOP + (100 - share) / (100 - FIRST_SHARE) * PLOT_HEIGHT;
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}

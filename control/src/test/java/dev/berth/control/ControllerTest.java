package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ControllerTest {

    private static final Set<Controller> DEFAULT = Set.of(Controller.NODES, Controller.CLAIMS);

    @Test
    void namesChooseAndSignsLeaveOut() {
        assertThat(Controller.choice("", DEFAULT)).isEqualTo(new Controller.Choice.Chosen(DEFAULT));
        assertThat(Controller.choice("-node-lifecycle", DEFAULT))
                .isEqualTo(new Controller.Choice.Chosen(Set.of(Controller.CLAIMS)));
        assertThat(Controller.choice("job", DEFAULT))
                .isEqualTo(new Controller.Choice.Chosen(Set.of(Controller.JOBS)));
        assertThat(Controller.choice("*,-job", DEFAULT))
                .isEqualTo(
                        new Controller.Choice.Chosen(
                                EnumSet.complementOf(EnumSet.of(Controller.JOBS))));
        assertThat(Controller.choice("nonsense", DEFAULT))
                .isEqualTo(new Controller.Choice.Unknown("nonsense"));
    }

    @Test
    void anotherClusterLacksOnlyWhatKubernetesDoesNotHave() {
        assertThat(Controller.lackingElsewhere()).containsExactly(Controller.SLICE_CLEANUP);
    }
}

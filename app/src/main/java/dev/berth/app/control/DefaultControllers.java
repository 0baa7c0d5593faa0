package dev.berth.app.control;

import dev.berth.client.RequestResult;
import dev.berth.control.Controller;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Which controllers run where nobody chooses: all with our own server, which has none besides, and
/// only what Kubernetes lacks with any other. Two of a kind would work against each other, so our
/// server has to say that it is ours.
final class DefaultControllers {

    /// How our server's version ends.
    private static final String OURS = "+berth";

    private DefaultControllers() {}

    /// Asks until somebody answers.
    ///
    /// @param told why it takes longer, once
    static RequestResult answer(
            Supplier<RequestResult> question, Consumer<String> told, Runnable pause) {
        var answer = question.get();
        if (answer instanceof RequestResult.Unavailable) {
            told.accept(answer.message());
        }
        while (answer instanceof RequestResult.Unavailable) {
            pause.run();
            answer = question.get();
        }
        return answer;
    }

    /// Those that run with a server.
    ///
    /// @param version what the server answers when asked for its version
    static Set<Controller> of(RequestResult version) {
        if (!(version instanceof RequestResult.Done(var said))) {
            throw new IllegalStateException(
                    ("cannot find out whether the server is ours or one of Kubernetes, which has"
                                    + " controllers of its own: %s; try again, or say which"
                                    + " controllers to run by --controllers")
                            .formatted(version.message()));
        }
        return said.text("gitVersion").endsWith(OURS)
                ? EnumSet.allOf(Controller.class)
                : Controller.lackingElsewhere();
    }
}

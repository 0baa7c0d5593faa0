package dev.berth.node.door;

/// Why a request is not answered, as text for the person who asked.
final class DoorRefusal extends Exception {

    private static final long serialVersionUID = 1;

    private final int status;

    DoorRefusal(int status, String message) {
        super(message);
        this.status = status;
    }

    static DoorRefusal badRequest(String message) {
        return new DoorRefusal(400, message);
    }

    static DoorRefusal notFound(String message) {
        return new DoorRefusal(404, message);
    }

    int status() {
        return status;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}

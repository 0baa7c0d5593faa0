package dev.berth.node.image;

import java.io.IOException;

/// An image that cannot be taken, with what is wrong about it.
public final class BrokenImage extends IOException {

    private static final long serialVersionUID = 1;

    public BrokenImage(String message) {
        super(message);
    }
}

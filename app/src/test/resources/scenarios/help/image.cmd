image --help

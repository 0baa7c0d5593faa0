up --help

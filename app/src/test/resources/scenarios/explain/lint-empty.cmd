lint ./empty.yaml

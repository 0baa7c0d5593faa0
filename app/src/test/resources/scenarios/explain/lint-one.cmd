lint ./pod.yaml

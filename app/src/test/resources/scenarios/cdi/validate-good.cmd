cdi validate ./good/gpu.yaml
